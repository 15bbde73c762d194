import { makeZip } from 'client-zip';
import { BlobParts } from './blob-parts.ts';

/** A file of the archive; its bytes are read when it is written. */
export type ZipEntry = {
  readonly name: string;
  readonly input: Blob;
  readonly lastModified: Date;
};

/** Builds an archive as its files are made. Audio is already compressed, so files are stored as they are. */
export async function zipOf(entries: AsyncIterable<ZipEntry>, signal: AbortSignal): Promise<Blob> {
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
