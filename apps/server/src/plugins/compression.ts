import compress from '@fastify/compress';
import type { FastifyInstance } from 'fastify';

/**
 * A response of at most this many bytes fits into one packet anyway: the 1500 bytes of an Ethernet frame, less headers.
 */
const ONE_PACKET = 1400;

/**
 * Compresses API responses for clients that accept it. The app's files are precompressed, and recordings don't
 * compress.
 */
export async function installCompression(app: FastifyInstance): Promise<void> {
  await app.register(compress, {
    globalDecompression: false,
    threshold: ONE_PACKET,
    customTypes: /^application\/json/,
    encodings: ['br', 'gzip', 'identity'],
  });
}
