/**
 * Goodput of a synchronisation ÷ what the radio model carries at most, for each payload size: the
 * real session and codec on one side, the real recorder, flash and radio on the other.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadOpus } from '@linnet/audio/opus';
import { readOpusWasm } from '@linnet/audio/opus-wasm-node';
import { openRecorderSession } from '@linnet/device/session';
import { Firmware } from '../src/flash/firmware.ts';
import { Flash } from '../src/flash/flash.ts';
import { PacedClock } from '../src/paced-clock.ts';
import { capacity, PAYLOADS, type Payload } from '../src/radio/model.ts';
import { Recorder } from '../src/recorder.ts';
import { connectInMemory } from '../src/testing/memory-radio.ts';

export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** What the value is measured against, and how. */
  readonly detail: Readonly<Record<string, number>>;
}

/** The recorder's time passes so much faster; latencies of this machine weigh that much more. */
const SPEED = 20;
/** Seconds of sound; at the slowest payload its transfer takes 60 s of the recorder's time. */
const SOUND_SECONDS = 20;
const PACKETS_PER_SECOND = 50;

async function measure(recorder: Recorder, sessionId: number, payload: Payload): Promise<Figure> {
  // The phone lives by the same fast clock, its 300 ms between commands included.
  const clock = {
    now: () => recorder.clock.elapsed(),
    after: (ms: number, callback: () => void) => recorder.clock.after(ms, callback),
  };
  const session = await openRecorderSession(connectInMemory(recorder, payload), { clock });
  const started = recorder.clock.elapsed();
  const { fileSize } = await session.readSession(sessionId, 0, { onChunk: async () => {} });
  const seconds = (recorder.clock.elapsed() - started) / 1000;
  await session.close();
  const goodput = fileSize / seconds;
  return {
    name: `sync goodput ÷ radio capacity, payload ${payload}`,
    value: goodput / capacity(payload),
    unit: 'ratio',
    detail: { goodput, capacity: capacity(payload), fileSize, seconds },
  };
}

/** One figure for each payload size of the radio model. */
export async function run(): Promise<Figure[]> {
  const dir = await mkdtemp(join(tmpdir(), 'linnet-bench-'));
  const clock = new PacedClock(SPEED);
  const opus = await loadOpus(readOpusWasm());
  const flash = await Flash.open(dir);
  const recorder = new Recorder(flash, await Firmware.boot(flash), clock, opus, []);
  try {
    const figures: Figure[] = [];
    for (const payload of PAYLOADS) {
      // The larger the payload the longer the session, so that each transfer takes long enough.
      const seconds = SOUND_SECONDS * Math.min(8, Math.ceil(payload / 60));
      const samples = new Int16Array((16_000 / PACKETS_PER_SECOND) * PACKETS_PER_SECOND * seconds);
      const about = { startTime: 1, mode: 'normal', scene: 'note' } as const;
      const { sessionId } = await recorder.addSession(samples, about);
      figures.push(await measure(recorder, sessionId, payload));
    }
    return figures;
  } finally {
    await recorder.shutDown();
    await rm(dir, { recursive: true });
  }
}

if (import.meta.main) {
  for (const figure of await run()) console.log(JSON.stringify(figure));
}
