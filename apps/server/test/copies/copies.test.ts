import { PACKET_SAMPLES } from '@linnet/audio/format';
import { loadOpus, type OpusModule } from '@linnet/audio/opus';
import { readOpusWasm } from '@linnet/audio/opus-wasm-node';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, onTestFailed } from 'vitest';
import { seed } from '../../../../tooling/seed.ts';
import { startTestServer, type TestServer } from '../server.ts';
import { anyHistory, type History } from './any-history.ts';
import { type Stage, World } from './world.ts';

/** Number of histories: `HISTORIES`, or few enough for every test run. */
const HISTORIES = Number(process.env.HISTORIES ?? 40);

const PACKETS = 2100;

/** Histories per server. The limit is the number of accounts that one network may register in ten minutes. */
const HISTORIES_A_SERVER = 100;

let server: TestServer | null = null;
let opus: OpusModule;
let packets: Uint8Array<ArrayBuffer>;
let played = 0;

beforeAll(async () => {
  opus = await loadOpus(readOpusWasm());
  packets = createRisingPackets();
});
afterAll(() => server?.close());

async function nextStage(): Promise<Stage> {
  if (server === null || played % HISTORIES_A_SERVER === 0) {
    await server?.close();
    server = await startTestServer();
  }
  played += 1;
  return { server, opus, packets };
}

/** Generates packets of a rising tone, in which no two parts are identical. */
function createRisingPackets(): Uint8Array<ArrayBuffer> {
  const encoder = opus.createEncoder();
  const packets = Array.from({ length: PACKETS }, (_, packet) =>
    encoder
      .encode(
        Int16Array.from({ length: PACKET_SAMPLES }, (_, n) => {
          const sampleIndex = packet * PACKET_SAMPLES + n;
          return 8000 * Math.sin((sampleIndex * sampleIndex) / (PACKETS * PACKET_SAMPLES));
        }),
      )
      .slice(),
  );
  encoder.free();
  return new Uint8Array(Buffer.concat(packets));
}

const deletions = { recorder: 0, phone: 0, cloud: 0 };

async function play({ phones, actions }: History): Promise<void> {
  const world = await World.make(await nextStage(), phones);
  try {
    for (const action of actions) await world.play(action);
    await world.finish();
    for (const place of ['recorder', 'phone', 'cloud'] as const) {
      deletions[place] += world.deletions[place];
    }
  } finally {
    await world.close();
  }
}

describe('every copy', () => {
  it(
    `is deleted only while equal audio lies in another selected place, in ${HISTORIES} random histories`,
    async () => {
      onTestFailed(() => console.error(`SEED=${seed}`));
      await fc.assert(fc.asyncProperty(anyHistory, play), { numRuns: HISTORIES, seed });
      // Make sure that the histories contain deletions.
      expect(deletions.recorder).toBeGreaterThan(0);
      expect(deletions.phone).toBeGreaterThan(0);
      expect(deletions.cloud).toBeGreaterThan(0);
    },
    HISTORIES * 10_000,
  );
});
