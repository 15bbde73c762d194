import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** The bytes of RNNoise as WebAssembly, for {@link loadRnnoise} in Node; a browser fetches the same file. */
export function readRnnoiseWasm(): Uint8Array<ArrayBuffer> {
  const path = createRequire(import.meta.url).resolve('@jitsi/rnnoise-wasm/dist/rnnoise.wasm');
  return new Uint8Array(readFileSync(path));
}
