import { expect, it } from 'vitest';
import { soloSpeech } from './solo.ts';

const turn = (speaker: number, start: number, end: number) => ({ speaker, start, end });

it('takes the longest parts in which only one person speaks', () => {
  const turns = [turn(0, 0, 10), turn(1, 4, 6), turn(1, 10, 12), turn(1, 20, 24)];
  expect(soloSpeech(turns)).toEqual([
    {
      speaker: 0,
      parts: [
        { start: 0, end: 4 },
        { start: 6, end: 10 },
      ],
    },
    {
      speaker: 1,
      parts: [
        { start: 20, end: 24 },
        { start: 10, end: 12 },
      ],
    },
  ]);
});

it('takes 30 seconds at most, and omits speakers with less than 3 seconds', () => {
  const turns = [turn(0, 0, 25), turn(0, 30, 45), turn(1, 50, 52.5), turn(2, 60, 60.9)];
  expect(soloSpeech(turns)).toEqual([
    {
      speaker: 0,
      parts: [
        { start: 0, end: 25 },
        { start: 30, end: 35 },
      ],
    },
  ]);
});
