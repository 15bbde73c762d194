import { makeZip } from 'client-zip';
import { BlobParts } from './blob-parts.ts';

/** A file in the archive. Its bytes aren't read until it is written. */
export type ZipEntry = {
  readonly name: string;
  readonly input: Blob;
  readonly lastModified: Date;
};

/**
 * Creates an archive. Each entry is requested only after the previous one has been written. Files are stored
 * uncompressed, because audio is already compressed.
 */
export async function createZip(
  entries: AsyncIterable<ZipEntry>,
  signal: AbortSignal,
): Promise<Blob> {
  const parts = new BlobParts();
  const inputs = (async function* () {
    for await (const { name, input, lastModified } of entries) {
      yield { name, input: input.stream(), size: input.size, lastModified };
    }
  })();
  const stream = makeZip(inputs, { buffersAreUTF8: true });
  await parts.addStream(stream as ReadableStream<Uint8Array<ArrayBuffer>>, () => {}, signal);
  return parts.blob('application/zip');
}
