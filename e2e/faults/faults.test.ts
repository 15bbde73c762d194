/**
 * Plays random histories of a recorder, two phones and a server, in which anything can fail at any time. `npm run
 * test:faults` plays many of them, and all planted defects.
 */
import { loadOpus } from '@linnet/audio/opus';
import { readOpusWasm } from '@linnet/audio/opus-wasm-node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Action, history } from './actions.ts';
import type { Violation } from './invariants.ts';
import { mutations } from './mutations.ts';
import { pains } from './pains.ts';
import { play, shrink } from './play.ts';
import { script } from './recorder.ts';
import { FaultTable } from './report.ts';
import { FaultServer } from './server.ts';
import type { Stage } from './world.ts';

/** Number of histories in every test run. */
const FEW = 5;
/** Histories per server. The limit is the number of accounts that one network may register in ten minutes. */
const HISTORIES_PER_SERVER = 40;
/** Time after which a history that can't settle is checked, in milliseconds. */
const ENDLESS_LIMIT_MS = 20_000;
/** Time limit of a test, in milliseconds. */
const TEST_LIMIT_MS = 1_800_000;
/** Time after which a history isn't shortened any more, in milliseconds. */
const SHRINK_LIMIT_MS = 600_000;
/** Part of a test's time in which no history is played to shorten another, in milliseconds. */
const SHRINK_RESERVE_MS = 300_000;

const { FAULT_SEED, FAULT_SEEDS } = process.env;
const isComplete = FAULT_SEEDS !== undefined;
const seeds =
  FAULT_SEED === undefined
    ? Array.from({ length: Number(FAULT_SEEDS ?? FEW) }, (_, index) => index + 1)
    : [Number(FAULT_SEED)];

let server: FaultServer | null = null;
let played = 0;
let opus: Stage['opus'];
const table = new FaultTable();

beforeAll(async () => {
  opus = await loadOpus(readOpusWasm());
});
afterAll(async () => {
  await server?.stop();
  if (played > 0) console.info(`\n${table}\n`);
});

async function nextStage(): Promise<Stage> {
  if (server && played % HISTORIES_PER_SERVER === 0) {
    await server.stop();
    server = null;
  }
  server ??= await FaultServer.start();
  server.speech.script = script;
  // The history before may have ended early.
  server.speech.faults.length = 0;
  server.setDiskFull(false);
  played += 1;
  return { server, opus };
}

const describeViolations = (violations: readonly Violation[]) =>
  violations.map(({ invariant, message }) => `${invariant}: ${message}`).join('\n');

/** Plays a history. If that fails, the error is thrown after the command that replays the history was printed. */
async function playOrName(
  actions: readonly Action[],
  replay: string,
): Promise<readonly Violation[]> {
  try {
    return await play(await nextStage(), actions);
  } catch (error) {
    console.error(replay);
    throw error;
  }
}

/** Plays a shortened history. One that can't be played, for example because it waits in vain, violates nothing. */
async function playShortened(actions: readonly Action[]): Promise<readonly Violation[]> {
  try {
    return await play(await nextStage(), actions, { limitMs: ENDLESS_LIMIT_MS });
  } catch (error) {
    console.error('A shortened history failed:', error);
    return [];
  }
}

async function playOrExplain(actions: readonly Action[], replay: string): Promise<void> {
  const latestEnd = Date.now() + TEST_LIMIT_MS - SHRINK_RESERVE_MS;
  const violations = await playOrName(actions, replay);
  table.add(actions, violations);
  if (violations.length === 0) return;
  console.error(`${describeViolations(violations)}\n${replay}`);
  const found = new Set(violations.map(({ invariant }) => invariant));
  const shortest = await shrink(
    actions,
    async (shorter) => {
      const again = await playShortened(shorter);
      return again.some(({ invariant }) => found.has(invariant));
    },
    Math.min(Date.now() + SHRINK_LIMIT_MS, latestEnd),
  );
  const steps = shortest.map((action) => JSON.stringify(action)).join('\n');
  expect.fail(`${describeViolations(violations)}\n\n${replay}\nShortest history found:\n${steps}`);
}

if (seeds.length > 0)
  describe('a history with faults', () => {
    it.each(seeds)('loses nothing: seed %i', { timeout: TEST_LIMIT_MS }, async (seed) => {
      await playOrExplain(history(seed), `Replay it with: npm run test:faults -- --seed ${seed}`);
    });
  });

if (isComplete) {
  describe('faults that users of recorders have suffered', () => {
    it.each(pains)('$name', { timeout: TEST_LIMIT_MS }, async ({ actions }) => {
      await playOrExplain(actions, 'Replay it with: npm run test:faults -- --seeds 0');
    });
  });
}

describe('a planted defect is found', () => {
  const tried = isComplete ? mutations : mutations.slice(0, 2);
  it.each(tried)(
    '$name',
    { timeout: TEST_LIMIT_MS },
    async ({ actions, tamper, prepare, effects, isEndless }) => {
      const violations = await play(await nextStage(), actions, {
        ...(tamper && { tamper }),
        ...(prepare && { prepare }),
        ...(isEndless && { limitMs: ENDLESS_LIMIT_MS }),
      });
      expect(violations.map(({ effect }) => effect)).toEqual(
        expect.arrayContaining([expect.toBeOneOf([...effects])]),
      );
    },
  );
});
