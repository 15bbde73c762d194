import { describe, expect, test } from 'vitest';
import { playwrightCounts, playwrightFailures, playwrightUnsteady } from './reports.mjs';

/** A walk in a report, with the message of each try that failed. */
const walk = (title: string, status: string, ...messages: string[]) => ({
  title,
  tests: [
    { status, results: messages.map((message) => ({ errors: message ? [{ message }] : [] })) },
  ],
});

describe('a report of Playwright', () => {
  const report = {
    stats: { expected: 1, flaky: 1, unexpected: 1, skipped: 1 },
    errors: [{ message: 'no browser' }],
    suites: [
      {
        file: 'one.spec.ts',
        specs: [walk('passes', 'expected', ''), walk('fails', 'unexpected', 'lost', 'lost again')],
        suites: [{ file: 'one.spec.ts', specs: [walk('wavers', 'flaky', 'too late', '')] }],
      },
      { file: 'two.spec.ts', specs: [walk('is left out', 'skipped')] },
    ],
  };

  test('counts what failed, and what no walk is to blame for', () => {
    expect(playwrightCounts(report)).toEqual({ passed: 2, failed: 2, skipped: 1 });
  });

  test('names what failed, with why', () => {
    expect(playwrightFailures(report)).toEqual(['one.spec.ts › fails\n    lost', '    no browser']);
  });

  test('names what passed only when it was tried again, with what was wrong before', () => {
    expect(playwrightUnsteady(report)).toEqual(['one.spec.ts › wavers\n    too late']);
  });
});
