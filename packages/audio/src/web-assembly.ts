type Imports = Record<string, Record<string, (...values: number[]) => unknown>>;

/** The subset of the WebAssembly API used by this package, declared here to avoid depending on DOM or Node types. */
declare const WebAssembly: {
  instantiate(
    bytes: Uint8Array<ArrayBuffer>,
    imports: Imports,
  ): Promise<{ instance: { exports: unknown } }>;
};

/** A WebAssembly module's linear memory. Growing it replaces the buffer. */
export type LinearMemory = { readonly buffer: ArrayBuffer };

/** Instantiates a WebAssembly module and returns its exports. */
export async function instantiate<Exports>(
  wasm: Uint8Array<ArrayBuffer>,
  imports: Imports,
): Promise<Exports> {
  const { instance } = await WebAssembly.instantiate(wasm, imports);
  return instance.exports as Exports;
}
