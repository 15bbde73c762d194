import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** The bytes of libopus as WebAssembly, for {@link loadOpus} in Node; a browser fetches the same file. */
export function readOpusWasm(): Uint8Array<ArrayBuffer> {
  const path = createRequire(import.meta.url).resolve('@evan/opus/wasm/opus.wasm');
  return new Uint8Array(readFileSync(path));
}
