import { type AudioStore, AudioStoreError, type DurableFile } from '@linnet/sync';
import { proxy, transfer, wrap } from 'comlink';
import type { Answer, AudioFilesApi, GrowingKind } from './audio-files-api.ts';
import { readAudioFile } from './read-audio-file.ts';

async function value<T>(call: Promise<Answer<T>>): Promise<T> {
  const answer = await call;
  if (answer.ok) return answer.value;
  throw new AudioStoreError(answer.code, { cause: new Error(answer.message) });
}

/**
 * Stores audio in the origin-private file system, through a worker.
 * @param store the server's folder
 */
export function openAudioFiles(store: string): AudioStore & {
  /** The loudness of each packet, 0–255. Packets must follow those of the previous call. */
  levels(recordId: string, packets: Uint8Array): Promise<Uint8Array>;
  close(): void;
} {
  const thread = new Worker(new URL('./audio-files.worker.ts', import.meta.url), {
    type: 'module',
    name: store,
  });
  const worker = wrap<AudioFilesApi>(thread);

  async function open(id: string, kind: GrowingKind, unitBytes: number): Promise<DurableFile> {
    let bytes = await value(worker.open(id, kind, unitBytes));
    return {
      get bytes() {
        return bytes;
      },
      async append(piece) {
        const own = new Uint8Array(piece);
        bytes = await value(worker.append(id, kind, transfer(own, [own.buffer])));
      },
      close: () => value(worker.close(id, kind)),
    };
  }

  return {
    openPackets: (id, chunkBytes) => open(id, 'packets', chunkBytes),
    discardPackets: (id) => value(worker.discard(id, 'packets')),
    openDownload: (id) => open(id, 'download', 1),
    download: (id) => readAudioFile(store, id, 'download'),
    unpack: (id) => value(worker.unpack(id)),
    discardDownload: (id) => value(worker.discard(id, 'download')),
    finish: (id, onProgress = () => {}) => value(worker.finish(id, proxy(onProgress))),
    master: (id) => readAudioFile(store, id, 'ogg'),
    wave: (id) => readAudioFile(store, id, 'wav'),
    remove: (id) => value(worker.remove(id)),
    levels(recordId, packets) {
      const own = new Uint8Array(packets);
      return value(worker.levels(recordId, transfer(own, [own.buffer])));
    },
    close: () => thread.terminate(),
  };
}
