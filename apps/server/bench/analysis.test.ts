import { expect, it } from 'vitest';
import { createBuiltinAnalyzer } from '../src/providers/analysis/builtin/index.ts';
import { countMeetings, ratio, total } from './analysis.ts';

/**
 * What was reached on the meetings that the cues were written with. It says that nothing got lost,
 * not how good the analyzer is: that is what the other half, by `npm run bench -- analysis`, is for.
 */
it.each(['todos', 'questions', 'dates', 'amounts', 'values'] as const)(
  'the built-in analyzer still finds the %s of the meetings it was built with',
  async (list) => {
    const count = total(await countMeetings(createBuiltinAnalyzer(), 'development'), list);
    expect(count.labelled).toBeGreaterThan(30);
    expect(ratio(count, 'precision')).toBeGreaterThanOrEqual(0.95);
    expect(ratio(count, 'recall')).toBeGreaterThanOrEqual(0.95);
  },
);
