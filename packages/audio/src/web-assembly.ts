type Imports = Record<string, Record<string, (...values: number[]) => unknown>>;

/** The part of the WebAssembly API that is used, so that this package needs neither DOM nor Node types. */
declare const WebAssembly: {
  instantiate(
    bytes: Uint8Array<ArrayBuffer>,
    imports: Imports,
  ): Promise<{ instance: { exports: unknown } }>;
};

/** The linear memory of a build: its buffer is another one after it grew. */
export type LinearMemory = { readonly buffer: ArrayBuffer };

/** Instantiates a build and names what it exports. */
export async function instantiate<Exports>(
  wasm: Uint8Array<ArrayBuffer>,
  imports: Imports,
): Promise<Exports> {
  const { instance } = await WebAssembly.instantiate(wasm, imports);
  return instance.exports as Exports;
}
