/**
 * The phone's process in a lockstep benchmark. Arguments: the phone's folder, the session size in bytes, `memory` to
 * sample memory usage, and the protocol version.
 */
import { CHUNK_BYTES } from '@linnet/audio/format';
// Import the module before simulated time starts, because the clock doesn't wait for dynamic imports.
import '@linnet/device/channel';
import { OWNER_TAG_LENGTH } from '@linnet/device/codec';
import { openRecorderSession, type RecorderSession } from '@linnet/device/session';
import type { AudioStore } from '@linnet/sync';
import { createMemoryLink } from '@linnet/transports/memory';
import { SteppedClock } from '@linnet/virtual-recorder/testing/stepped-clock';
import { openNodePhone } from '../../support/node-phone.ts';
import { cpuSeconds } from '../measurement.ts';
import {
  type MemorySample,
  PendingWork,
  type PhoneMeasurements,
  type Tick,
  type TickResult,
} from './protocol.ts';

/** Percentages of the session at which memory is sampled. */
const SAMPLE_PERCENTS = [1, 25, 50, 75, 100] as const;
const MEGABYTE = 1e6;

const [folder = '', size = '', mode, protocol] = process.argv.slice(2);
const pending = new PendingWork();
const clock = new SteppedClock();
const link = createMemoryLink();
const pendingWrites: Uint8Array[] = [];
link.peripheral.onWrite((bytes) => pendingWrites.push(bytes));

const memory: MemorySample[] = [];
/** CPU time when the last byte arrived, in seconds. */
let cpuAfterReading = 0;

function sampleMemory(percent: number): void {
  if (!globalThis.gc) throw new Error('memory sampling needs --expose-gc');
  globalThis.gc();
  const { heapUsed, external, rss } = process.memoryUsage();
  memory.push({ percent, held: (heapUsed + external) / MEGABYTE, resident: rss / MEGABYTE });
}

function onDurableBytes(bytes: number): void {
  const next = SAMPLE_PERCENTS[memory.length];
  if (mode === 'memory' && next !== undefined && bytes >= (Number(size) * next) / 100)
    sampleMemory(next);
}

/** Wraps an audio store to observe its progress and make the clock wait for its file operations. */
function watchAudioStore(audio: AudioStore): AudioStore {
  return {
    ...audio,
    openPackets: async (id, chunkBytes) => {
      const file = await pending.watch(audio.openPackets(id, chunkBytes));
      return {
        get bytes() {
          return file.bytes;
        },
        append: async (bytes) => {
          await pending.watch(file.append(bytes));
          onDurableBytes(file.bytes);
        },
        close: () => pending.watch(file.close()),
      };
    },
    discardPackets: (id) => pending.watch(audio.discardPackets(id)),
    finish: (id, onProgress) => {
      cpuAfterReading = cpuSeconds();
      return pending.watch(audio.finish(id, onProgress));
    },
    master: (id) => pending.watch(audio.master(id)),
    wave: (id) => pending.watch(audio.wave(id)),
    remove: (id) => pending.watch(audio.remove(id)),
  };
}

/** Binds the recorder with protocol version 2, which encrypts all further traffic. */
async function bind(session: RecorderSession): Promise<void> {
  const { version } = await session.bind();
  if (version !== 2) throw new Error('bound under version 1');
  await session.claim(new Uint8Array(OWNER_TAG_LENGTH));
}

async function read(): Promise<PhoneMeasurements> {
  const session = await openRecorderSession(link.transport, {
    clock: {
      now: () => Date.UTC(2026, 0) + clock.elapsed(),
      elapsed: () => clock.elapsed(),
      after: (ms, callback) => clock.after(ms, callback),
    },
    ...(protocol === '2' && { binding: { status: 'new' } }),
  });
  if (protocol === '2') await bind(session);
  const cpuStart = cpuSeconds();
  const startedAt = clock.elapsed();
  await phone.syncOneSessionOrFail(session, { wrapAudioStore: watchAudioStore });
  return {
    startedAt,
    readingSeconds: cpuAfterReading - cpuStart,
    finishingSeconds: cpuSeconds() - cpuAfterReading,
    memory,
  };
}

if (Number(size) < CHUNK_BYTES) throw new Error('the size of the session is missing');
const phone = await openNodePhone(folder);
let measurements: PhoneMeasurements | null = null;
let isReading = false;

async function onTick({ at, notifications }: Tick): Promise<void> {
  clock.advanceTo(at);
  for (const bytes of notifications) link.peripheral.notify(bytes);
  if (!isReading) {
    isReading = true;
    read().then(
      (figures) => {
        measurements = figures;
      },
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  }
  await pending.settled();
  const result: TickResult = {
    written: pendingWrites.splice(0),
    next: clock.nextDueAt,
    measurements: measurements,
  };
  process.send?.(result);
}

process.on('message', (tick: Tick) => void onTick(tick));
// Report readiness only after the listener has been installed.
process.send?.('ready');
