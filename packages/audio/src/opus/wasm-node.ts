import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** Reads the libopus WebAssembly module in Node, for `loadOpus`. Browsers fetch the same file. */
export function readOpusWasm(): Uint8Array<ArrayBuffer> {
  const path = createRequire(import.meta.url).resolve('@evan/opus/wasm/opus.wasm');
  return new Uint8Array(readFileSync(path));
}
