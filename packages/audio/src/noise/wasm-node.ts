import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** Reads the RNNoise WebAssembly module in Node, for `loadRnnoise`. Browsers fetch the same file. */
export function readRnnoiseWasm(): Uint8Array<ArrayBuffer> {
  const path = createRequire(import.meta.url).resolve('@jitsi/rnnoise-wasm/dist/rnnoise.wasm');
  return new Uint8Array(readFileSync(path));
}
