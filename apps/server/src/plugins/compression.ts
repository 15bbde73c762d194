import compress from '@fastify/compress';
import type { FastifyInstance } from 'fastify';

/**
 * Maximum size in bytes of a response that fits into one packet (an Ethernet frame's 1500 bytes minus headers).
 * Compressing it would save nothing.
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
