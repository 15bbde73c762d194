import { expect, it } from 'vitest';
import { createBuiltinAnalyzer } from '../src/providers/analysis/builtin/index.ts';
import { countMeetings, ratio, total } from './analysis.ts';

/**
 * Minimum results on the development meetings, to find regressions. `npm run bench -- analysis` measures the quality of
 * the analyzer on the held-out meetings.
 */
const minimum = {
  todos: { precision: 0.9, recall: 0.86 },
  questions: { precision: 0.88, recall: 0.91 },
  dates: { precision: 0.94, recall: 0.96 },
  amounts: { precision: 0.96, recall: 0.92 },
  values: { precision: 0.96, recall: 0.92 },
  decisions: { precision: 0.9, recall: 0.8 },
  topics: { precision: 0.85, recall: 0.85 },
} as const;

const counts = await countMeetings(createBuiltinAnalyzer(), 'development');

it.each(Object.entries(minimum))(
  'the built-in analyzer finds the %s in the development meetings',
  (list, { precision, recall }) => {
    const count = total(counts, list as keyof typeof minimum);
    expect(count.labeled).toBeGreaterThanOrEqual(20);
    expect(ratio(count, 'precision')).toBeGreaterThanOrEqual(precision);
    expect(ratio(count, 'recall')).toBeGreaterThanOrEqual(recall);
  },
);
