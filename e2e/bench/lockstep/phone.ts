/**
 * The phone's process. Arguments: its folder, bytes of the session, `memory` where that is sampled, and the
 * version of the protocol.
 */
import { CHUNK_BYTES } from '@linnet/audio/format';
// Loaded before time begins: a module that is still to come is nothing that time waits for.
import '@linnet/device/channel';
import { OWNER_TAG_LENGTH } from '@linnet/device/codec';
import { openRecorderSession, type RecorderSession } from '@linnet/device/session';
import type { AudioStore } from '@linnet/sync';
import { createMemoryLink } from '@linnet/transports/memory';
import { SteppedClock } from '@linnet/virtual-recorder/testing/stepped-clock';
import { openNodePhone } from '../../support/node-phone.ts';
import { cpuSeconds } from '../figure.ts';
import {
  type Answer,
  type MemorySample,
  type PhoneFigures,
  type Told,
  Underway,
} from './protocol.ts';

/** Percent of the session at which memory is looked at. */
const LOOKS = [1, 25, 50, 75, 100] as const;
const MEGABYTE = 1e6;

const [folder = '', size = '', what, protocol] = process.argv.slice(2);
const underway = new Underway();
const clock = new SteppedClock();
const link = createMemoryLink();
const written: Uint8Array[] = [];
link.peripheral.onWrite((bytes) => written.push(bytes));

const memory: MemorySample[] = [];
/** CPU when the last byte was here. */
let readBy = 0;

function sample(percent: number): void {
  if (!globalThis.gc) throw new Error('memory is sampled with --expose-gc');
  globalThis.gc();
  const { heapUsed, external, rss } = process.memoryUsage();
  memory.push({ percent, held: (heapUsed + external) / MEGABYTE, resident: rss / MEGABYTE });
}

function received(bytes: number): void {
  const next = LOOKS[memory.length];
  if (what === 'memory' && next !== undefined && bytes >= (Number(size) * next) / 100) sample(next);
}

/** The store, whose files are waited for, and which sees how far the session has come. */
function watched(audio: AudioStore): AudioStore {
  return {
    ...audio,
    openPackets: async (id, chunkBytes) => {
      const file = await underway.watch(audio.openPackets(id, chunkBytes));
      return {
        get bytes() {
          return file.bytes;
        },
        append: async (bytes) => {
          await underway.watch(file.append(bytes));
          received(file.bytes);
        },
        close: () => underway.watch(file.close()),
      };
    },
    discardPackets: (id) => underway.watch(audio.discardPackets(id)),
    finish: (id, onProgress) => {
      readBy = cpuSeconds();
      return underway.watch(audio.finish(id, onProgress));
    },
    master: (id) => underway.watch(audio.master(id)),
    wave: (id) => underway.watch(audio.wave(id)),
    remove: (id) => underway.watch(audio.remove(id)),
  };
}

/** Binds under version 2, so that all that follows is sealed. */
async function bind(session: RecorderSession): Promise<void> {
  const { version } = await session.bind();
  if (version !== 2) throw new Error('bound under version 1');
  await session.claim(new Uint8Array(OWNER_TAG_LENGTH));
}

async function read(): Promise<PhoneFigures> {
  const session = await openRecorderSession(link.transport, {
    clock: {
      now: () => Date.UTC(2026, 0) + clock.elapsed(),
      after: (ms, callback) => clock.after(ms, callback),
    },
    ...(protocol === '2' && { binding: { status: 'new' } }),
  });
  if (protocol === '2') await bind(session);
  const begun = cpuSeconds();
  const begunAt = clock.elapsed();
  await phone.readOne(session, { through: watched });
  return { begunAt, readingSeconds: readBy - begun, makingSeconds: cpuSeconds() - readBy, memory };
}

if (Number(size) < CHUNK_BYTES) throw new Error('how long is the session?');
const phone = await openNodePhone(folder);
let done: PhoneFigures | null = null;
let isReading = false;

async function goOn({ at, carried }: Told): Promise<void> {
  clock.advanceTo(at);
  for (const bytes of carried) link.peripheral.notify(bytes);
  if (!isReading) {
    isReading = true;
    read().then(
      (figures) => {
        done = figures;
      },
      (error: unknown) => {
        console.error(error);
        process.exit(1);
      },
    );
  }
  await underway.quiet();
  const answer: Answer = { written: written.splice(0), next: clock.next, done };
  process.send?.(answer);
}

process.on('message', (told: Told) => void goOn(told));
// Ready when the listener is there.
process.send?.('ready');
