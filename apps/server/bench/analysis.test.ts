import { expect, it } from 'vitest';
import { createBuiltinAnalyzer } from '../src/providers/analysis/builtin/index.ts';
import { countMeetings, ratio, total } from './analysis.ts';

/**
 * Tests for regressions on the meetings that the cues were written for. The quality of the analyzer is measured on the
 * other half, with `npm run bench -- analysis`.
 */
const least = {
  todos: { precision: 0.75, recall: 0.9 },
  questions: { precision: 0.6, recall: 0.85 },
  dates: { precision: 0.9, recall: 0.95 },
  amounts: { precision: 0.9, recall: 0.85 },
  values: { precision: 0.9, recall: 0.85 },
  decisions: { precision: 0.6, recall: 0.6 },
  topics: { precision: 0.35, recall: 0.55 },
} as const;

const counts = await countMeetings(createBuiltinAnalyzer(), 'development');

it.each(Object.entries(least))(
  'the built-in analyzer finds the %s of the development meetings',
  (list, { precision, recall }) => {
    const count = total(counts, list as keyof typeof least);
    expect(count.labeled).toBeGreaterThanOrEqual(20);
    expect(ratio(count, 'precision')).toBeGreaterThanOrEqual(precision);
    expect(ratio(count, 'recall')).toBeGreaterThanOrEqual(recall);
  },
);
