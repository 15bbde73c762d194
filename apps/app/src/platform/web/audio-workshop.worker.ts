import rnnoiseUrl from '@jitsi/rnnoise-wasm/dist/rnnoise.wasm?url';
import { PacketEncoder } from '@linnet/audio/convert';
import { loadRnnoise, reduceNoise } from '@linnet/audio/noise';
import { AudioStoreError } from '@linnet/sync';
import { expose } from 'comlink';
import { fileName } from './audio-folder.ts';
import {
  answer,
  fetchBytes,
  type Handle,
  loadCodec,
  openAudioFolder,
  openHandle,
  removeFile,
  writeAll,
} from './audio-handles.worker.ts';
import type { AudioWorkshopApi, WorkshopCode } from './audio-workshop-api.ts';
import { bytesOf, fileSamples, NoDecoder } from './file-samples.ts';

/** Runs one long audio operation without blocking the worker that stores audio. */

/** Samples per encoding step: ten seconds. Progress and cancellation are handled between steps. */
const SAMPLES_PER_STEP = 160_000;

/**
 * Minimum interval between progress messages in milliseconds. Some decoders emit forty pieces per second of audio.
 */
const PROGRESS_INTERVAL_MS = 100;

const stop = new AbortController();

/** Throttles progress messages. */
function throttled(send: (fraction: number) => void): (fraction: number) => void {
  let sentAt = 0;
  return (fraction) => {
    const now = performance.now();
    if (fraction < 1 && now - sentAt < PROGRESS_INTERVAL_MS) return;
    sentAt = now;
    send(fraction);
  };
}

function workshopCode(error: unknown): WorkshopCode | 'no_sound' | null {
  if (stop.signal.aborted) return 'aborted';
  if (error instanceof NoDecoder) return 'no_decoder';
  return error instanceof AudioStoreError && error.code === 'no_sound' ? error.code : null;
}

/** Writes a new file durably, and removes it after a failure. */
async function writeFile(
  id: string,
  kind: 'packets' | 'cleaner.ogg',
  write: (append: (bytes: Uint8Array<ArrayBuffer>) => void) => Promise<void>,
): Promise<void> {
  let handle: Handle | null = null;
  let isComplete = false;
  try {
    const file = await openHandle(id, kind, true);
    handle = file;
    file.truncate(0);
    let at = 0;
    await write((bytes) => {
      writeAll(file, bytes, at);
      at += bytes.length;
    });
    file.flush();
    isComplete = true;
  } finally {
    handle?.close();
    if (!isComplete) await removeFile(id, kind);
  }
}

/** Encodes samples as packets in the recorder's format. */
function writePackets(id: string, samples: AsyncIterable<Int16Array>): Promise<void> {
  return writeFile(id, 'packets', async (append) => {
    const encoder = new PacketEncoder(await loadCodec());
    let count = 0;
    try {
      for await (const piece of samples) {
        stop.signal.throwIfAborted();
        append(encoder.push(piece));
        count += piece.length;
      }
      if (count === 0) throw new AudioStoreError('no_sound');
      append(encoder.end());
    } finally {
      encoder.free();
    }
  });
}

/** Yields, so that pending messages are handled. */
const nextTask = () =>
  new Promise<void>((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });

async function* inSteps(samples: Int16Array, onProgress: (fraction: number) => void) {
  for (let at = 0; at < samples.length; at += SAMPLES_PER_STEP) {
    yield samples.subarray(at, at + SAMPLES_PER_STEP);
    onProgress(Math.min(1, (at + SAMPLES_PER_STEP) / samples.length));
    await nextTask();
  }
}

const api: AudioWorkshopApi = {
  convert: (id, file, onProgress) =>
    answer(
      async () => writePackets(id, fileSamples(file, await loadCodec(), throttled(onProgress))),
      workshopCode,
    ),
  encode: (id, samples, onProgress) =>
    answer(() => writePackets(id, inSteps(samples, throttled(onProgress))), workshopCode),
  reduceNoise: (id, onProgress) =>
    answer(async () => {
      const master = await (
        await (await openAudioFolder()).getFileHandle(fileName(id, 'ogg'))
      ).getFile();
      const [opus, rnnoise] = await Promise.all([
        loadCodec(),
        fetchBytes(rnnoiseUrl).then(loadRnnoise),
      ]);
      await writeFile(id, 'cleaner.ogg', (append) =>
        reduceNoise({
          opus,
          rnnoise,
          source: bytesOf(master),
          size: master.size,
          write: append,
          onProgress: throttled(onProgress),
          signal: stop.signal,
        }),
      );
    }, workshopCode),
  removeDenoised: (id) => answer(() => removeFile(id, 'cleaner.ogg')),
  stop: async () => stop.abort(),
};

expose(api);
