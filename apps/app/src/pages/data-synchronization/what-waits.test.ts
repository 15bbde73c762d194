import { expect, it } from 'vitest';
import type { WaitingRecord } from '../../ports/waiting.ts';
import { whatWaits } from './what-waits.ts';

const record = (id: string): WaitingRecord => ({ id, step: 'upload', why: { because: 'turn' } });

it('counts every change and every visible recording', () => {
  const state = { changes: 3, records: [record('kept'), record('binned')] };
  expect(whatWaits(state, (id) => id === 'kept')).toEqual({ records: [record('kept')], things: 4 });
});

it('counts nothing when nothing is pending', () => {
  expect(whatWaits({ changes: 0, records: [] }, () => true)).toEqual({ records: [], things: 0 });
});
