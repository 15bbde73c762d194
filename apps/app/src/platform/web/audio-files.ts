import { type AudioStore, AudioStoreError } from '@linnet/sync';
import { proxy, transfer, wrap } from 'comlink';
import type { Answer, AudioFilesApi } from './audio-files-api.ts';
import { AUDIO_FOLDER, type AudioFileKind, fileName } from './audio-folder.ts';

const types: Record<'ogg' | 'wav', string> = { ogg: 'audio/ogg', wav: 'audio/wav' };

async function value<T>(asked: Promise<Answer<T>>): Promise<T> {
  const answer = await asked;
  if (answer.ok) return answer.value;
  throw new AudioStoreError(answer.code, { cause: new Error(answer.message) });
}

/** Keeps audio in the origin-private file system, through a worker. */
export function openAudioFiles(): AudioStore & { close(): void } {
  const thread = new Worker(new URL('./audio-files.worker.ts', import.meta.url), {
    type: 'module',
  });
  const worker = wrap<AudioFilesApi>(thread);

  async function file(id: string, kind: Exclude<AudioFileKind, 'packets'>): Promise<Blob | null> {
    try {
      let folder = await navigator.storage.getDirectory();
      for (const name of AUDIO_FOLDER) folder = await folder.getDirectoryHandle(name);
      const found = await (await folder.getFileHandle(fileName(id, kind))).getFile();
      // OPFS knows no types, and without one a media element does not always look inside.
      return found.slice(0, found.size, types[kind]);
    } catch (cause) {
      if (cause instanceof DOMException && cause.name === 'NotFoundError') return null;
      throw new AudioStoreError('io_failed', { cause });
    }
  }

  return {
    async openPackets(id, chunkBytes) {
      let bytes = await value(worker.openPackets(id, chunkBytes));
      return {
        get bytes() {
          return bytes;
        },
        async append(chunk) {
          const own = new Uint8Array(chunk);
          bytes = await value(worker.append(id, transfer(own, [own.buffer])));
        },
        close: () => value(worker.closePackets(id)),
      };
    },
    discardPackets: (id) => value(worker.discardPackets(id)),
    finish: (id, onProgress = () => {}) => value(worker.finish(id, proxy(onProgress))),
    master: (id) => file(id, 'ogg'),
    wave: (id) => file(id, 'wav'),
    remove: (id) => value(worker.remove(id)),
    close: () => thread.terminate(),
  };
}
