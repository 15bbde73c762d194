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
  handleOf,
  loadCodec,
  openAudioFolder,
  removeFile,
  writeAll,
} from './audio-handles.worker.ts';
import type { AudioWorkshopApi, WorkshopCode } from './audio-workshop-api.ts';
import { bytesOf, fileSamples, NoDecoder } from './file-samples.ts';

/** Longer work on audio, one piece in each worker, so that keeping audio files never waits for it. */

/** Samples encoded at once: ten seconds, so that progress moves and a word to stop is heard. */
const SAMPLES_A_STEP = 160_000;

/** Milliseconds between two words on progress: some decoders give forty pieces for a second of sound. */
const QUIET_MS = 100;

const stopped = new AbortController();

/** Tells progress, but not more often than anybody sees. */
function quietly(tell: (fraction: number) => void): (fraction: number) => void {
  let toldAt = 0;
  return (fraction) => {
    const now = performance.now();
    if (fraction < 1 && now - toldAt < QUIET_MS) return;
    toldAt = now;
    tell(fraction);
  };
}

function codeOf(error: unknown): WorkshopCode | 'no_sound' | null {
  if (stopped.signal.aborted) return 'aborted';
  if (error instanceof NoDecoder) return 'no_decoder';
  return error instanceof AudioStoreError && error.code === 'no_sound' ? error.code : null;
}

/** Has a file written from its beginning, durably, or not at all. */
async function writing(
  id: string,
  kind: 'packets' | 'cleaner.ogg',
  write: (append: (bytes: Uint8Array<ArrayBuffer>) => void) => Promise<void>,
): Promise<void> {
  let handle: Handle | null = null;
  let whole = false;
  try {
    const file = await handleOf(id, kind, true);
    handle = file;
    file.truncate(0);
    let at = 0;
    await write((bytes) => {
      writeAll(file, bytes, at);
      at += bytes.length;
    });
    file.flush();
    whole = true;
  } finally {
    handle?.close();
    if (!whole) await removeFile(id, kind);
  }
}

/** Packets like a recorder's of samples as they come. */
function writePackets(id: string, samples: AsyncIterable<Int16Array>): Promise<void> {
  return writing(id, 'packets', async (append) => {
    const encoder = new PacketEncoder(await loadCodec());
    let count = 0;
    try {
      for await (const some of samples) {
        stopped.signal.throwIfAborted();
        append(encoder.push(some));
        count += some.length;
      }
      if (count === 0) throw new AudioStoreError('no_sound');
      append(encoder.end());
    } finally {
      encoder.free();
    }
  });
}

/** A turn for the messages that came meanwhile. */
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
  for (let at = 0; at < samples.length; at += SAMPLES_A_STEP) {
    yield samples.subarray(at, at + SAMPLES_A_STEP);
    onProgress(Math.min(1, (at + SAMPLES_A_STEP) / samples.length));
    await nextTask();
  }
}

const api: AudioWorkshopApi = {
  convert: (id, file, onProgress) =>
    answer(
      async () => writePackets(id, fileSamples(file, await loadCodec(), quietly(onProgress))),
      codeOf,
    ),
  encode: (id, samples, onProgress) =>
    answer(() => writePackets(id, inSteps(samples, quietly(onProgress))), codeOf),
  reduceNoise: (id, onProgress) =>
    answer(async () => {
      const master = await (
        await (await openAudioFolder()).getFileHandle(fileName(id, 'ogg'))
      ).getFile();
      const [opus, rnnoise] = await Promise.all([
        loadCodec(),
        fetchBytes(rnnoiseUrl).then(loadRnnoise),
      ]);
      await writing(id, 'cleaner.ogg', (append) =>
        reduceNoise({
          opus,
          rnnoise,
          source: bytesOf(master),
          size: master.size,
          write: append,
          onProgress: quietly(onProgress),
          signal: stopped.signal,
        }),
      );
    }, codeOf),
  removeCleaner: (id) => answer(() => removeFile(id, 'cleaner.ogg')),
  stop: async () => stopped.abort(),
};

expose(api);
