import { expect, it } from 'vitest';
import { updateObstacle } from './update-obstacle.ts';

const readyRecorder = {
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
  ['none at a battery level of 20%', readyRecorder, null],
  [
    'a battery level below 20%',
    { ...readyRecorder, battery: { charging: false, level: 19 } },
    'battery_low',
  ],
  ['none while charging', { ...readyRecorder, battery: { charging: true, level: 3 } }, null],
  ['a recording', { ...readyRecorder, recording }, 'recording'],
  [
    'a paused recording',
    { ...readyRecorder, recording: { ...recording, pausedAt: 1 } },
    'recording',
  ],
  ['a connection over Wi-Fi', { ...readyRecorder, medium: 'wifi' }, 'wifi'],
  [
    'none in an unavailable state, which may be temporary',
    { ...readyRecorder, recording: { state: 'unavailable' } },
    null,
  ],
] as const)('finds the obstacle: %s', (_, recorder, expected) => {
  expect(updateObstacle(recorder)).toBe(expected);
});
