import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { pressAction } from './buttons.ts';
import { PacedClock } from './paced-clock.ts';
import { type Occupation, Power, SCREEN_MS, SLEEP_MS } from './power.ts';

let occupation: Occupation;
let power: Power;

beforeEach(() => {
  // Fake timers make the times exact.
  vi.useFakeTimers();
  occupation = 'disconnected';
  power = new Power(new PacedClock(), () => occupation);
});
afterEach(() => {
  power.switchOff();
  vi.useRealTimers();
});

/** Advances to one millisecond before a due time. */
const almost = (ms: number) => vi.advanceTimersByTime(ms - 1);
/** Advances to one millisecond after the due time, because timers may be early. */
const advancePastDue = () => vi.advanceTimersByTime(2);

describe('power', () => {
  test('turns off the screen, then sleeps, and wakes on a press', () => {
    occupation = 'connected';
    power.updateOccupation();
    almost(SCREEN_MS);
    expect([power.state, power.isLit]).toEqual(['awake', true]);
    advancePastDue();
    expect([power.state, power.isLit]).toEqual(['awake', false]);
    almost(SLEEP_MS.connected - SCREEN_MS - 1);
    expect(power.state).toBe('awake');
    advancePastDue();
    expect(power.state).toBe('asleep');
    power.wake();
    expect([power.state, power.isLit]).toEqual(['awake', true]);
  });

  test.each(['disconnected', 'pairing', 'connected'] as const)(
    'sleeps after the timeout for %s',
    (activity) => {
      occupation = activity;
      power.updateOccupation();
      almost(SLEEP_MS[activity]);
      expect(power.state).toBe('awake');
      advancePastDue();
      expect(power.state).toBe('asleep');
    },
  );

  test('wakes for an activity, and stays awake during the activity', () => {
    vi.advanceTimersByTime(SLEEP_MS.disconnected + 1);
    expect(power.state).toBe('asleep');
    occupation = 'busy';
    power.updateOccupation();
    expect(power.state).toBe('awake');
    vi.advanceTimersByTime(2 * SLEEP_MS.connected);
    expect(power.state).toBe('awake');
    occupation = 'disconnected';
    power.updateOccupation();
    almost(SLEEP_MS.disconnected);
    expect(power.state).toBe('awake');
    advancePastDue();
    expect(power.state).toBe('asleep');
  });

  test('stays off until it is turned on', async () => {
    power.switchOff();
    power.wake();
    power.updateOccupation();
    expect([power.state, power.isLit]).toEqual(['off', false]);
    power.switchOn();
    expect([power.state, power.isLit]).toEqual(['awake', true]);
  });
});

test.each([
  ['power', 100, false, 'wake'],
  ['power', 1999, false, 'wake'],
  ['power', 2000, false, 'record'],
  ['power', 4999, false, 'record'],
  ['power', 5000, false, 'confirm'],
  ['power', 8999, false, 'confirm'],
  ['power', 9000, false, 'force-stop'],
  ['wifi', 0, false, 'wifi'],
  ['corner', 14_999, false, 'switch-off'],
  ['corner', 15_000, false, 'restart'],
  ['corner', 3000, true, 'clear-bindings'],
  ['corner', 2999, true, 'wake'],
  ['power', 5000, true, 'wake'],
] as const)('%s held for %d ms (power off: %s) means %s', (button, ms, isOff, action) => {
  expect(pressAction(button, ms, isOff)).toBe(action);
});
