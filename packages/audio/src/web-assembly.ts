type Imports = Record<string, Record<string, (...values: number[]) => unknown>>;

/** The part of the WebAssembly API that this package uses, declared here to need neither DOM nor Node types. */
declare const WebAssembly: {
  instantiate(
    bytes: Uint8Array<ArrayBuffer>,
    imports: Imports,
  ): Promise<{ instance: { exports: unknown } }>;
};

/** The linear memory of a WebAssembly build. Growth replaces its buffer. */
export type LinearMemory = { readonly buffer: ArrayBuffer };

/** Instantiates a WebAssembly build, and returns its typed exports. */
export async function instantiate<Exports>(
  wasm: Uint8Array<ArrayBuffer>,
  imports: Imports,
): Promise<Exports> {
  const { instance } = await WebAssembly.instantiate(wasm, imports);
  return instance.exports as Exports;
}
