import type { AudioItem } from '@linnet/omi';
import { type AudioStore, AudioStoreError, type DurableFile } from '@linnet/sync';
import { proxy, transfer, wrap } from 'comlink';
import type { AudioFilesApi, GrowingKind, WorkerResult } from './audio-files-api.ts';
import { readAudioFile, readPackets } from './read-audio-file.ts';

/**
 * Returns a result's value.
 * @throws AudioStoreError
 */
async function unwrap<T>(call: Promise<WorkerResult<T>>): Promise<T> {
  const result = await call;
  if (result.ok) return result.value;
  throw new AudioStoreError(result.code, { cause: new Error(result.message) });
}

/**
 * Opens the audio file store in the origin-private file system. A worker accesses the files.
 * @param store name of the folder for this server's files
 */
export function openAudioFiles(store: string): AudioStore & {
  /** Measures each packet's loudness, 0–255. The packets must continue those of the previous call. */
  levels(recordId: string, packets: Uint8Array): Promise<Uint8Array>;
  /** Converts an Omi's audio to packets in the recorder's format. See {@link AudioFilesApi}. */
  pack(
    recordId: string,
    codec: number,
    items: readonly AudioItem[],
    isLast: boolean,
  ): Promise<Uint8Array>;
  close(): void;
} {
  const thread = new Worker(new URL('./audio-files.worker.ts', import.meta.url), {
    type: 'module',
    name: store,
  });
  const worker = wrap<AudioFilesApi>(thread);

  async function open(id: string, kind: GrowingKind, unitBytes: number): Promise<DurableFile> {
    let bytes = await unwrap(worker.open(id, kind, unitBytes));
    return {
      get bytes() {
        return bytes;
      },
      async append(piece) {
        const copy = new Uint8Array(piece);
        bytes = await unwrap(worker.append(id, kind, transfer(copy, [copy.buffer])));
      },
      close: () => unwrap(worker.close(id, kind)),
    };
  }

  return {
    openPackets: (id, chunkBytes) => open(id, 'packets', chunkBytes),
    readPackets: (id, from, to) => readPackets(store, id, from, to),
    discardPackets: (id) => unwrap(worker.discard(id, 'packets')),
    openDownload: (id) => open(id, 'download', 1),
    download: (id) => readAudioFile(store, id, 'download'),
    unpack: (id) => unwrap(worker.unpack(id)),
    discardDownload: (id) => unwrap(worker.discard(id, 'download')),
    finish: (id, onProgress = () => {}) => unwrap(worker.finish(id, proxy(onProgress))),
    master: async (id) =>
      (await readAudioFile(store, id, 'original')) ?? readAudioFile(store, id, 'ogg'),
    oggOpus: (id) => readAudioFile(store, id, 'ogg'),
    wave: (id) => readAudioFile(store, id, 'wav'),
    async callLevels(id) {
      const file = await readAudioFile(store, id, 'call');
      return file && new Uint8Array(await file.arrayBuffer());
    },
    remove: (id) => unwrap(worker.remove(id)),
    levels(recordId, packets) {
      const copy = new Uint8Array(packets);
      return unwrap(worker.levels(recordId, transfer(copy, [copy.buffer])));
    },
    pack: (recordId, codec, items, isLast) => unwrap(worker.pack(recordId, codec, items, isLast)),
    close: () => thread.terminate(),
  };
}
