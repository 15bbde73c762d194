import { expect, it } from 'vitest';
import { createPauses } from './pauses.ts';

function start() {
  let time = 0;
  const pauses = createPauses(() => new Date(time));
  return {
    begin: (url: string) => pauses.begin(url),
    advanceClock(seconds: number) {
      time += seconds * 1000;
    },
  };
}
const slowService = 'https://slow.example/a';

it('pauses only the service that failed, for longer each time', () => {
  const { begin, advanceClock } = start();
  begin(slowService)?.failed();
  for (const seconds of [30, 60, 120, 240, 300, 300]) {
    advanceClock(seconds - 1);
    expect(begin('https://slow.example/b')).toBeNull();
    expect(begin('https://slow.example:8443/b')).not.toBeNull();
    expect(begin('https://other.example/a')).not.toBeNull();
    advanceClock(1);
    begin(slowService)?.failed();
  }
});

it('counts the failures of concurrent attempts once', () => {
  const { begin, advanceClock } = start();
  const attempts = [begin(slowService), begin(slowService), begin(slowService)];
  for (const attempt of attempts) attempt?.failed();
  advanceClock(30);
  expect(begin(slowService)).not.toBeNull();
});

it('allows one attempt after a pause, until it succeeds', () => {
  const { begin, advanceClock } = start();
  begin(slowService)?.failed();
  advanceClock(30);
  const attempt = begin(slowService);
  expect(begin(slowService)).toBeNull();
  attempt?.succeeded();
  expect(begin(slowService)).not.toBeNull();
  expect(begin(slowService)).not.toBeNull();
});

it('allows another attempt if the previous one ended without a result', () => {
  const { begin, advanceClock } = start();
  begin(slowService)?.failed();
  advanceClock(30);
  expect(begin(slowService)).not.toBeNull();
  advanceClock(30);
  expect(begin(slowService)).not.toBeNull();
});

it('forgets the oldest failures if there are too many', () => {
  const { begin } = start();
  begin(slowService)?.failed();
  for (let index = 1; index <= 1000; index += 1) begin(`https://${index}.example/`)?.failed();
  expect(begin(slowService)).not.toBeNull();
  expect(begin('https://1.example/')).toBeNull();
});
