import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { deedOf } from './buttons.ts';
import { PacedClock } from './paced-clock.ts';
import { type Occupation, Power, SCREEN_MS, SLEEP_MS } from './power.ts';
import { until } from './testing/wait.ts';

let clock: PacedClock;
let occupation: Occupation;
let power: Power;

beforeEach(() => {
  // Half an hour in under two seconds.
  clock = new PacedClock(1000);
  occupation = 'alone';
  power = new Power(clock, () => occupation);
});
afterEach(() => power.switchOff());

describe('power', () => {
  test('the screen goes dark, then the recorder sleeps, and a press wakes both', async () => {
    occupation = 'connected';
    // Before it: at this pace a pause of a tenth of a millisecond between the two would count.
    const since = clock.elapsed();
    power.occupied();
    await until(() => !power.isLit, 'the dark screen');
    expect(clock.elapsed() - since).toBeGreaterThanOrEqual(SCREEN_MS - 10);
    expect(power.state).toBe('awake');
    await until(() => power.state === 'asleep', 'sleep');
    expect(clock.elapsed() - since).toBeGreaterThanOrEqual(SLEEP_MS.connected - 10);
    power.wake();
    expect([power.state, power.isLit]).toEqual(['awake', true]);
  });

  test.each(['alone', 'pairing', 'connected'] as const)('asleep in its time: %s', async (what) => {
    occupation = what;
    const since = clock.elapsed();
    power.occupied();
    await until(() => power.state === 'asleep', 'sleep');
    expect(clock.elapsed() - since).toBeGreaterThanOrEqual(SLEEP_MS[what] - 10);
  });

  test('what it does keeps it awake, and wakes it', async () => {
    await until(() => power.state === 'asleep', 'sleep');
    occupation = 'busy';
    power.occupied();
    expect(power.state).toBe('awake');
    const since = clock.elapsed();
    await until(() => clock.elapsed() > since + 2 * SLEEP_MS.connected, 'an hour');
    expect(power.state).toBe('awake');
    occupation = 'alone';
    power.occupied();
    await until(() => power.state === 'asleep', 'sleep');
  });

  test('what is off stays off until it is switched on', async () => {
    power.switchOff();
    power.wake();
    power.occupied();
    expect([power.state, power.isLit]).toEqual(['off', false]);
    power.switchOn();
    expect([power.state, power.isLit]).toEqual(['awake', true]);
  });
});

test.each([
  ['power', 100, false, 'wake'],
  ['power', 1999, false, 'wake'],
  ['power', 2000, false, 'record'],
  ['power', 8999, false, 'record'],
  ['power', 9000, false, 'force-stop'],
  ['wifi', 0, false, 'wifi'],
  ['corner', 14_999, false, 'switch-off'],
  ['corner', 15_000, false, 'restart'],
  ['corner', 3000, true, 'clear-bindings'],
  ['corner', 2999, true, 'wake'],
  ['power', 5000, true, 'wake'],
] as const)('%s held for %d ms, off: %s means %s', (button, ms, isOff, deed) => {
  expect(deedOf(button, ms, isOff)).toBe(deed);
});
