import { describe, expect, test } from 'vitest';
import {
  playwrightCounts,
  playwrightFailures,
  playwrightTimes,
  playwrightUnsteady,
  slowestFiles,
  vitestTimes,
} from './reports.mjs';

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

describe('the times of files', () => {
  const walked = (...ms: number[]) => ({
    tests: [{ results: ms.map((duration) => ({ duration })) }],
  });
  const suites = [
    { file: 'a.spec.ts', specs: [walked(1000, 2000)], suites: [{ specs: [walked(130_000)] }] },
  ];

  test('are those of all tries, of nested walks too', () => {
    expect(playwrightTimes({ suites })).toEqual([{ file: 'a.spec.ts', seconds: 133, budget: 120 }]);
    const name = `${import.meta.dirname}/x.test.ts`;
    expect(vitestTimes({ testResults: [{ name, startTime: 1000, endTime: 3500 }] })).toEqual([
      { file: 'tooling/x.test.ts', seconds: 2.5, budget: 60 },
    ]);
  });

  test('name the slowest, and each that is over its budget', () => {
    const times = [3, 61, 70, 2].map((seconds) => ({ file: `${seconds}.ts`, seconds, budget: 60 }));
    expect(slowestFiles(times, 1)).toEqual([
      '   70 s  70.ts  over its budget of 60 s',
      '   61 s  61.ts  over its budget of 60 s',
    ]);
    expect(slowestFiles(times, 3).at(-1)).toBe('    3 s  3.ts');
  });
});
