import { expect, it } from 'vitest';
import { createBuiltinAnalyzer } from '../src/providers/analysis/builtin/index.ts';
import { countMeetings, ratio, total } from './analysis.ts';

/**
 * Tests for regressions on the meetings that the cues were written for. The quality of the analyzer is measured on the
 * other half, with `npm run bench -- analysis`.
 */
it.each(['todos', 'questions', 'dates', 'amounts', 'values'] as const)(
  'the built-in analyzer finds the %s of the development meetings',
  async (list) => {
    const count = total(await countMeetings(createBuiltinAnalyzer(), 'development'), list);
    expect(count.labeled).toBeGreaterThan(30);
    expect(ratio(count, 'precision')).toBeGreaterThanOrEqual(0.95);
    expect(ratio(count, 'recall')).toBeGreaterThanOrEqual(0.95);
  },
);
