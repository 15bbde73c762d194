import compress from '@fastify/compress';
import type { FastifyInstance } from 'fastify';

/**
 * Maximum bytes that fit into one packet: the 1500 bytes of an Ethernet frame, minus headers. Compressing such a
 * response wouldn't save anything.
 */
const ONE_PACKET = 1400;

/**
 * Compresses API responses for clients that accept it. The app's files are precompressed, and recordings aren't
 * compressible.
 */
export async function installCompression(app: FastifyInstance): Promise<void> {
  await app.register(compress, {
    globalDecompression: false,
    threshold: ONE_PACKET,
    customTypes: /^application\/json/,
    encodings: ['br', 'gzip', 'identity'],
  });
}
