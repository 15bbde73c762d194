import { expect, it } from 'vitest';
import type { PendingRecord } from '../../ports/pending-work.ts';
import { pendingItems } from './pending-items.ts';

const record = (id: string): PendingRecord => ({ id, step: 'upload', cause: { reason: 'turn' } });

it('counts pending edits and listed recordings', () => {
  const state = { changes: 3, records: [record('kept'), record('binned')] };
  expect(pendingItems(state, (id) => id === 'kept')).toEqual({
    records: [record('kept')],
    total: 4,
  });
});

it('returns zero when nothing is pending', () => {
  expect(pendingItems({ changes: 0, records: [] }, () => true)).toEqual({ records: [], total: 0 });
});
