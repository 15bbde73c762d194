import compress from '@fastify/compress';
import type { FastifyInstance } from 'fastify';

/** Bytes below which an answer fits one packet anyhow: an Ethernet frame's 1500 less the headers. */
const ONE_PACKET = 1400;

/**
 * Compresses the answers of calls for those who accept it. The app's files lie there compressed, and
 * recordings do not get smaller.
 */
export async function installCompression(app: FastifyInstance): Promise<void> {
  await app.register(compress, {
    globalDecompression: false,
    threshold: ONE_PACKET,
    customTypes: /^application\/json/,
    encodings: ['br', 'gzip', 'identity'],
  });
}
