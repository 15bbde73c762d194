import { expect, it } from 'vitest';
import { updateObstacle } from './update-obstacle.ts';

const ready = {
  battery: { charging: false, level: 20 },
  recording: { state: 'idle' },
  medium: 'bluetooth',
} as const;
const recording = {
  state: 'recording',
  sessionId: 1,
  mode: 'normal',
  scene: 'note',
  startedAt: 0,
  pausedAt: null,
} as const;

it.each([
  ['nothing at 20 %', ready, null],
  ['a battery below that', { ...ready, battery: { charging: false, level: 19 } }, 'battery_low'],
  ['nothing while it charges', { ...ready, battery: { charging: true, level: 3 } }, null],
  ['a recording', { ...ready, recording }, 'recording'],
  ['a recording that is held', { ...ready, recording: { ...recording, pausedAt: 1 } }, 'recording'],
  ['its own network', { ...ready, medium: 'wifi' }, 'wifi'],
  ['no state that may pass by itself', { ...ready, recording: { state: 'unavailable' } }, null],
] as const)('in the way of new firmware stands %s', (_, recorder, expected) => {
  expect(updateObstacle(recorder)).toBe(expected);
});
