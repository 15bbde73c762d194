/** Compresses build output ahead of time, writing `name.js.br` and `name.js.gz` next to `name.js`. */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

const COMPRESSIBLE_NAME = /\.(css|html|js|json|svg|wasm|webmanifest)$/;

/**
 * The payload of a network packet: the 1500 bytes of an Ethernet frame minus headers. Files smaller than this aren't
 * compressed.
 */
const PACKET_PAYLOAD_BYTES = 1400;

/** Browsers accept gzip everywhere, but Brotli only over HTTPS and from localhost. */
const encodings = [
  {
    suffix: '.br',
    compress: (/** @type {Buffer} */ bytes) =>
      promisify(brotliCompress)(bytes, {
        params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
      }),
  },
  {
    suffix: '.gz',
    compress: (/** @type {Buffer} */ bytes) =>
      promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }),
  },
];

/** Writes compressed copies of all files in `folder`, except where compression wouldn't save anything. */
export async function precompress(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && COMPRESSIBLE_NAME.test(entry.name));
  await Promise.all(
    files.map(async ({ parentPath, name }) => {
      const file = join(parentPath, name);
      const bytes = await readFile(file);
      if (bytes.length <= PACKET_PAYLOAD_BYTES) return;
      for (const { suffix, compress } of encodings) {
        const compressed = await compress(bytes);
        if (compressed.length < bytes.length) await writeFile(file + suffix, compressed);
      }
    }),
  );
}
