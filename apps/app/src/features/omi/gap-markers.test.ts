import { expect, it } from 'vitest';
import { createGapMarkers } from './gap-markers.ts';

function createFixture() {
  const marked: (readonly [recording: string, time: number, label: string])[] = [];
  const markers = createGapMarkers({
    mark: async (recording, { time, label }) => marked.push([recording, time, label]),
    label: (length) => `${length} ms`,
    onError: (error) => expect.unreachable(String(error)),
  });
  return { marked, markers };
}

it('marks successive losses with their total duration', () => {
  const { marked, markers } = createFixture();
  markers.add('one', { from: 2000, length: 20 });
  markers.add('one', { from: 9000, length: 40 });
  markers.add('one', { from: 12_001, length: 500 });
  expect(marked).toEqual([['one', 2, '60 ms']]);
  markers.flush();
  expect(marked).toEqual([
    ['one', 2, '60 ms'],
    ['one', 12.001, '500 ms'],
  ]);
});

it('marks each recording separately, and only once', () => {
  const { marked, markers } = createFixture();
  markers.add('one', { from: 2000, length: 20 });
  markers.add('two', { from: 2000, length: 20 });
  markers.flush();
  markers.flush();
  expect(marked.map(([recording]) => recording)).toEqual(['one', 'two']);
});

it('limits the number of markers per recording', () => {
  const { marked, markers } = createFixture();
  for (let count = 0; count < 500; count += 1) {
    markers.add('one', { from: count * 20_000, length: 20 });
  }
  markers.flush();
  expect(marked).toHaveLength(200);
});
