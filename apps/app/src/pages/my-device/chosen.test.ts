import type { RecorderSettings } from '@linnet/device/session';
import { expect, it } from 'vitest';
import { afterAnswer, type Chosen, withChosen } from './chosen.ts';

const settings: RecorderSettings = {
  recLedStatus: true,
  recScene: 'note',
  recMode: 'normal',
  dmicMode: 0,
  micGain: 'normal',
};

it('shows the latest choice until it is answered: off, on, off', () => {
  let chosen: Chosen = {};
  const shown = () => withChosen(settings, chosen).recLedStatus;
  for (const [request, value] of [false, true, false].entries()) {
    chosen = { ...chosen, recLedStatus: { value, request } };
    expect(shown()).toBe(value);
  }
  // The first answer has the same value as the last request.
  chosen = afterAnswer(chosen, 'recLedStatus', 0);
  expect(shown()).toBe(false);
  chosen = afterAnswer(chosen, 'recLedStatus', 1);
  expect(shown()).toBe(false);
  chosen = afterAnswer(chosen, 'recLedStatus', 2);
  expect(shown()).toBe(true);
});

it('keeps other pending choices', () => {
  const chosen: Chosen = {
    micGain: { value: 'high', request: 0 },
    dmicMode: { value: 2, request: 1 },
  };
  const after = afterAnswer(chosen, 'micGain', 0);
  expect(withChosen(settings, after)).toEqual({ ...settings, dmicMode: 2 });
});
