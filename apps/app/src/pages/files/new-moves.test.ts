import type { AutomaticMove } from '@linnet/contract';
import { describe, expect, it } from 'vitest';
import { newMoves } from './new-moves.ts';

const move = (run: string, at: string): { binned_by: AutomaticMove } => ({
  binned_by: { run, tag: null, after: 30, unit: 'day', at },
});
const first = move('a', '2026-03-01T04:17:00.000Z');
const second = move('b', '2026-03-02T04:17:00.000Z');
const byOwner = { binned_by: null };

describe('newMoves', () => {
  it('counts only recordings that rules have moved since the last notice', () => {
    expect(newMoves([byOwner], '')).toBeNull();
    const all = [first, byOwner, second, first];
    expect(newMoves(all, '')).toEqual({ count: 3, run: null, latest: second.binned_by.at });
    expect(newMoves(all, first.binned_by.at)).toEqual({
      ...{ count: 1, run: 'b', latest: second.binned_by.at },
    });
    expect(newMoves(all, second.binned_by.at)).toBeNull();
  });
});
