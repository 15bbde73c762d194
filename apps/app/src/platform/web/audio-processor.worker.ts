/**
 * Worker for long-running audio jobs, such as converting an imported file or denoising a recording. It runs one job at
 * a time, separately from the worker that stores audio, so that it doesn't block transfers.
 */
import rnnoiseUrl from '@jitsi/rnnoise-wasm/dist/rnnoise.wasm?url';
import { PacketEncoder } from '@linnet/audio/convert';
import { AudioDigester } from '@linnet/audio/digest';
import { secondsOfPackets } from '@linnet/audio/format';
import type { AudioKindId } from '@linnet/audio/kind';
import { loadRnnoise, reduceNoise } from '@linnet/audio/noise';
import { PacketUnpacker } from '@linnet/audio/unpack';
import { AudioStoreError } from '@linnet/sync';
import { expose } from 'comlink';
import { fileName } from './audio-folder.ts';
import {
  FileAppender,
  fetchBytes,
  type Handle,
  loadCodec,
  openAudioFolder,
  openHandle,
  removeFile,
  toResult,
} from './audio-handles.worker.ts';
import type { AudioProcessorApi, AudioProcessorCode } from './audio-processor-api.ts';
import { browserKind, decodeFile, NoDecoder, readPieces } from './file-samples.ts';

/** Number of samples per encoding step: ten seconds. Progress and cancellation are handled between steps. */
const SAMPLES_PER_STEP = 160_000;

/**
 * Minimum interval in milliseconds between progress messages. Some decoders emit 40 chunks for each second of audio.
 */
const PROGRESS_INTERVAL_MS = 100;

/** Number of bytes per step when hashing or copying a file. */
const COPY_STEP_BYTES = 1024 * 1024;

/** Cancels the current operation. A worker runs one operation at a time. */
let stop = new AbortController();

/** Limits how often progress messages are sent. */
function throttle(send: (fraction: number) => void): (fraction: number) => void {
  let lastSentAt = 0;
  return (fraction) => {
    const now = performance.now();
    if (fraction < 1 && now - lastSentAt < PROGRESS_INTERVAL_MS) return;
    lastSentAt = now;
    send(fraction);
  };
}

function audioProcessorCode(error: unknown): AudioProcessorCode | 'no_sound' | null {
  if (stop.signal.aborted) return 'aborted';
  if (error instanceof NoDecoder) return 'no_decoder';
  return error instanceof AudioStoreError && error.code === 'no_sound' ? error.code : null;
}

/** Writes a new file to disk. If that fails, removes it. */
async function writeFile(
  id: string,
  kind: 'packets' | 'original' | 'foreign' | 'cleaner.ogg',
  write: (append: (bytes: Uint8Array<ArrayBuffer>) => void) => Promise<void>,
): Promise<void> {
  let handle: Handle | null = null;
  let isComplete = false;
  try {
    const file = await openHandle(id, kind, true);
    handle = file;
    const appender = new FileAppender(file);
    await write((bytes) => appender.append(bytes));
    appender.end();
    isComplete = true;
  } finally {
    handle?.close();
    if (!isComplete) await removeFile(id, kind);
  }
}

/** Encodes samples as packets in the recorders' format. */
function writePackets(id: string, samples: AsyncIterable<Int16Array>): Promise<void> {
  return writeFile(id, 'packets', async (append) => {
    const encoder = new PacketEncoder(await loadCodec());
    let sampleCount = 0;
    try {
      for await (const piece of samples) {
        stop.signal.throwIfAborted();
        append(encoder.push(piece));
        sampleCount += piece.length;
      }
      if (sampleCount === 0) throw new AudioStoreError('no_sound');
      append(encoder.end());
    } finally {
      encoder.free();
    }
  });
}

/** Yields to the event loop, so that pending messages are handled. */
const nextTask = () =>
  new Promise<void>((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });

async function* splitIntoSteps(samples: Int16Array, onProgress: (fraction: number) => void) {
  for (let start = 0; start < samples.length; start += SAMPLES_PER_STEP) {
    yield samples.subarray(start, start + SAMPLES_PER_STEP);
    onProgress(Math.min(1, (start + SAMPLES_PER_STEP) / samples.length));
    await nextTask();
  }
}

/** @throws DOMException `NotFoundError` */
async function openOggOpus(id: string): Promise<File> {
  const handle = await (await openAudioFolder()).getFileHandle(fileName(id, 'ogg'));
  return handle.getFile();
}

/** Runs an operation that `stop` can cancel. */
function start<T>(run: () => Promise<T>) {
  stop = new AbortController();
  return toResult(run, audioProcessorCode);
}

const api: AudioProcessorApi = {
  digest: (file, onProgress) =>
    start(async () => {
      const digester = new AudioDigester();
      const report = throttle(onProgress);
      let bytesRead = 0;
      for await (const bytes of readPieces(file, COPY_STEP_BYTES)) {
        stop.signal.throwIfAborted();
        digester.push(bytes);
        bytesRead += bytes.length;
        report(bytesRead / file.size);
      }
      return digester.end();
    }),
  keepOriginal: (id, file, kind) =>
    start(() =>
      writeFile(id, kind, async (append) => {
        for await (const bytes of readPieces(file, COPY_STEP_BYTES)) {
          stop.signal.throwIfAborted();
          append(bytes);
        }
      }),
    ),
  convert: (id, file, onProgress) =>
    start(async () => {
      let kind: AudioKindId | null = null;
      const onKind = (detected: AudioKindId | null) => {
        kind = detected;
      };
      const samples = decodeFile(file, await loadCodec(), throttle(onProgress), onKind);
      await writePackets(id, samples);
      return { kind };
    }),
  encode: (id, file, samples, onProgress) =>
    start(async () => {
      await writePackets(id, splitIntoSteps(samples, throttle(onProgress)));
      return { kind: await browserKind(file) };
    }),
  join: (id, parts, onProgress) =>
    start(async () => {
      const files = await Promise.all(parts.map(openOggOpus));
      const report = throttle(onProgress);
      const total = files.reduce((sum, { size }) => sum + size, 0);
      const starts: number[] = [];
      let [bytesRead, bytesWritten] = [0, 0];
      await writeFile(id, 'packets', async (append) => {
        for (const file of files) {
          starts.push(secondsOfPackets(bytesWritten));
          const unpacker = new PacketUnpacker();
          for await (const piece of readPieces(file, COPY_STEP_BYTES)) {
            stop.signal.throwIfAborted();
            const packets = unpacker.push(piece);
            append(packets);
            bytesWritten += packets.length;
            bytesRead += piece.length;
            report(bytesRead / total);
          }
          unpacker.end();
        }
      });
      return starts;
    }),
  reduceNoise: (id, onProgress) =>
    start(async () => {
      const audioFile = await openOggOpus(id);
      const [opus, rnnoise] = await Promise.all([
        loadCodec(),
        fetchBytes(rnnoiseUrl).then(loadRnnoise),
      ]);
      await writeFile(id, 'cleaner.ogg', (append) =>
        reduceNoise({
          opus,
          rnnoise,
          source: readPieces(audioFile),
          size: audioFile.size,
          write: append,
          onProgress: throttle(onProgress),
          signal: stop.signal,
        }),
      );
    }),
  removeDenoised: (id) => toResult(() => removeFile(id, 'cleaner.ogg')),
  stop: async () => stop.abort(),
};

expose(api);
