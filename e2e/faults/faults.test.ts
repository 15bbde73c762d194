/**
 * Plays a few random histories of a recorder, two phones and a server, in which anything can fail at any time, and two
 * planted defects. `npm run test:faults` plays many histories and all planted defects.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { mutations } from './mutations.ts';
import { FaultTable } from './report.ts';
import { Stages } from './stages.ts';
import { type Controls, seedTrial, tryHistory, tryMutation } from './trial.ts';

/** Test timeout in milliseconds. Leaves time to shorten a failing history. */
const TEST_LIMIT_MS = 1_800_000;

const stages = new Stages(new AbortController().signal, 1);
const trials = { stages, table: new FaultTable() };
const controls: Controls = new Map();

afterAll(() => stages.stop());

describe('a history with faults', () => {
  it.each([1, 2, 3, 4, 5])('loses nothing: seed %i', { timeout: TEST_LIMIT_MS }, async (seed) => {
    expect(await tryHistory(trials, seedTrial(seed))).toBeNull();
  });
});

describe('a planted defect is found', () => {
  it.each(mutations.slice(0, 2))('$name', { timeout: TEST_LIMIT_MS }, async (mutation) => {
    expect(await tryMutation(trials, mutation, controls)).toBeNull();
  });
});
