/**
 * Runs long audio jobs in the origin-private file system, namely importing and denoising. They run in workers
 * (`audio-processor.worker.ts`).
 */
import { SAMPLE_RATE } from '@linnet/audio/format';
import { type AudioProcessor, AudioStoreError } from '@linnet/sync';
import { proxy, type Remote, transfer, wrap } from 'comlink';
import type { WorkerResult } from './audio-files-api.ts';
import { audioFolder, filePath, parseFileName } from './audio-folder.ts';
import type { AudioProcessorApi, AudioProcessorCode } from './audio-processor-api.ts';
import { readAudioFile } from './read-audio-file.ts';

/**
 * Maximum size in bytes of a file that the page decodes. It does so in memory, where 15 minutes of MP3 take up about
 * 350 MB.
 */
const PAGE_DECODER_BYTES = 16 * 1024 * 1024;

type AudioProcessorResult<T> = WorkerResult<T, AudioProcessorCode>;

/**
 * How long an idle worker is kept alive, in milliseconds. A folder may contain hundreds of short files, and starting a
 * worker takes longer than converting one of them.
 */
const IDLE_MS = 5000;

type AudioProcessorWorker = { readonly thread: Worker; readonly worker: Remote<AudioProcessorApi> };

/** Runs each operation in a worker. Idle workers are kept for a while for reuse. */
class WorkerPool {
  readonly #store: string;
  #idle: (AudioProcessorWorker & { readonly timer: ReturnType<typeof setTimeout> }) | null = null;

  constructor(store: string) {
    this.#store = store;
  }

  async run<T>(
    work: (worker: Remote<AudioProcessorApi>) => Promise<AudioProcessorResult<T>>,
    signal?: AbortSignal,
  ): Promise<AudioProcessorResult<T>> {
    signal?.throwIfAborted();
    const current = this.#take();
    const stop = () => void current.worker.stop();
    signal?.addEventListener('abort', stop);
    try {
      return await work(current.worker);
    } finally {
      signal?.removeEventListener('abort', stop);
      this.#release(current);
    }
  }

  #take(): AudioProcessorWorker {
    const idle = this.#idle;
    if (idle) {
      clearTimeout(idle.timer);
      this.#idle = null;
      return idle;
    }
    const thread = new Worker(new URL('./audio-processor.worker.ts', import.meta.url), {
      type: 'module',
      name: this.#store,
    });
    return { thread, worker: wrap<AudioProcessorApi>(thread) };
  }

  #release({ thread, worker }: AudioProcessorWorker): void {
    if (this.#idle) {
      thread.terminate();
      return;
    }
    const timer = setTimeout(() => {
      this.#idle = null;
      thread.terminate();
    }, IDLE_MS);
    this.#idle = { thread, worker, timer };
  }
}

/**
 * Returns a result's value.
 * @throws AudioStoreError
 */
function unwrap<T>(result: AudioProcessorResult<T>, signal?: AbortSignal): T {
  if (result.ok) return result.value;
  const { code, message } = result;
  if (code === 'aborted') signal?.throwIfAborted();
  const storeCode = code === 'aborted' || code === 'no_decoder' ? 'io_failed' : code;
  throw new AudioStoreError(storeCode, { cause: new Error(message) });
}

/**
 * Decodes a file to 16 kHz mono on the page, for formats that workers can't decode.
 * @throws AudioStoreError
 */
async function decodeOnPage(file: Blob): Promise<Int16Array<ArrayBuffer>> {
  if (file.size > PAGE_DECODER_BYTES) {
    throw new AudioStoreError('AudioDecoder' in globalThis ? 'not_audio' : 'too_large');
  }
  const context = new OfflineAudioContext(1, 1, SAMPLE_RATE);
  let audio: AudioBuffer;
  try {
    audio = await context.decodeAudioData(await file.arrayBuffer());
  } catch (cause) {
    throw new AudioStoreError('not_audio', { cause });
  }
  const channels = Array.from({ length: audio.numberOfChannels }, (_, channel) =>
    audio.getChannelData(channel),
  );
  return Int16Array.from({ length: audio.length }, (_, index) => {
    const sum = channels.reduce((total, channel) => total + (channel[index] as number), 0);
    return Math.max(-32_768, Math.min(32_767, Math.round((sum / channels.length) * 32_768)));
  });
}

/** @param store name of the folder for this server's files */
export function createAudioProcessor(store: string): AudioProcessor {
  const pool = new WorkerPool(store);
  return {
    async digest(file, onProgress, signal) {
      const progress = proxy(onProgress);
      return unwrap(await pool.run((worker) => worker.digest(file, progress), signal), signal);
    },
    async keepOriginal(id, file, isMaster, signal) {
      const kind = isMaster ? 'original' : 'foreign';
      unwrap(await pool.run((worker) => worker.keepOriginal(id, file, kind), signal), signal);
    },
    async convert(id, file, onProgress, signal) {
      const progress = proxy(onProgress);
      const result = await pool.run((worker) => worker.convert(id, file, progress), signal);
      if (result.ok || result.code !== 'no_decoder') return unwrap(result, signal);
      const samples = await decodeOnPage(file);
      const transferred = transfer(samples, [samples.buffer]);
      return unwrap(
        await pool.run((worker) => worker.encode(id, file, transferred, progress), signal),
        signal,
      );
    },
    async join(id, parts, onProgress, signal) {
      const progress = proxy(onProgress);
      return unwrap(await pool.run((worker) => worker.join(id, parts, progress), signal), signal);
    },
    async reduceNoise(id, onProgress, signal) {
      const progress = proxy(onProgress);
      unwrap(await pool.run((worker) => worker.reduceNoise(id, progress), signal), signal);
      return filePath(store, id, 'cleaner.ogg');
    },
    denoised: (id) => readAudioFile(store, id, 'cleaner.ogg'),
    async removeDenoised(id) {
      unwrap(await pool.run((worker) => worker.removeDenoised(id)));
    },
    async list() {
      const packets: string[] = [];
      const denoised: string[] = [];
      for (const name of await audioFileNames(store)) {
        const file = parseFileName(name);
        if (file?.kind === 'packets') packets.push(file.id);
        if (file?.kind === 'cleaner.ogg') denoised.push(file.id);
      }
      return { packets, denoised };
    },
  };
}

async function audioFileNames(store: string): Promise<string[]> {
  try {
    let folder = await navigator.storage.getDirectory();
    for (const name of audioFolder(store)) folder = await folder.getDirectoryHandle(name);
    const names: string[] = [];
    for await (const name of folder.keys()) names.push(name);
    return names;
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === 'NotFoundError') return [];
    throw new AudioStoreError('io_failed', { cause });
  }
}
