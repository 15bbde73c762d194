import { describe, expect, test } from 'vitest';
import {
  listSlowestFiles,
  playwrightCounts,
  playwrightFailures,
  playwrightFlaky,
  playwrightTimes,
  vitestTimes,
} from './reports.mjs';

/** Creates a spec in a report, with one result per message. An empty message is a passed attempt. */
const spec = (title: string, status: string, ...messages: string[]) => ({
  title,
  tests: [
    { status, results: messages.map((message) => ({ errors: message ? [{ message }] : [] })) },
  ],
});

describe('a Playwright report', () => {
  const report = {
    stats: { expected: 1, flaky: 1, unexpected: 1, skipped: 1 },
    errors: [{ message: 'no browser' }],
    suites: [
      {
        file: 'one.spec.ts',
        specs: [spec('passes', 'expected', ''), spec('fails', 'unexpected', 'lost', 'lost again')],
        suites: [
          { file: 'one.spec.ts', specs: [spec('passes on retry', 'flaky', 'too late', '')] },
        ],
      },
      { file: 'two.spec.ts', specs: [spec('is skipped', 'skipped')] },
    ],
  };

  test('counts failed tests, and errors outside tests', () => {
    expect(playwrightCounts(report)).toEqual({ passed: 2, failed: 2, skipped: 1 });
  });

  test('lists failures with their messages', () => {
    expect(playwrightFailures(report)).toEqual(['one.spec.ts › fails\n    lost', '    no browser']);
  });

  test('lists flaky tests with the message of the failed attempt', () => {
    expect(playwrightFlaky(report)).toEqual(['one.spec.ts › passes on retry\n    too late']);
  });
});

describe('file durations', () => {
  const timedSpec = (...ms: number[]) => ({
    tests: [{ results: ms.map((duration) => ({ duration })) }],
  });
  const suites = [
    {
      file: 'a.spec.ts',
      specs: [timedSpec(1000, 2000)],
      suites: [{ specs: [timedSpec(130_000)] }],
    },
  ];

  test('include all attempts and nested suites', () => {
    expect(playwrightTimes({ suites })).toEqual([{ file: 'a.spec.ts', seconds: 133, budget: 120 }]);
    const name = `${import.meta.dirname}/x.test.ts`;
    expect(vitestTimes({ testResults: [{ name, startTime: 1000, endTime: 3500 }] })).toEqual([
      { file: 'tooling/x.test.ts', seconds: 2.5, budget: 60 },
    ]);
  });

  test('are listed for the slowest files and for every file over budget', () => {
    const times = [3, 61, 70, 2].map((seconds) => ({ file: `${seconds}.ts`, seconds, budget: 60 }));
    expect(listSlowestFiles(times, 1)).toEqual([
      '   70 s  70.ts  over its budget of 60 s',
      '   61 s  61.ts  over its budget of 60 s',
    ]);
    expect(listSlowestFiles(times, 3).at(-1)).toBe('    3 s  3.ts');
  });
});
