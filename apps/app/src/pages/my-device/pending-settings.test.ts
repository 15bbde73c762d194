import type { RecorderSettings } from '@linnet/device/session';
import { expect, it } from 'vitest';
import { type PendingSettings, removeAnsweredSettings, withPending } from './pending-settings.ts';

const settings: RecorderSettings = {
  recLedStatus: true,
  recScene: 'note',
  recMode: 'normal',
  dmicMode: 0,
  micGain: 'normal',
};

it('shows the latest change until its request receives a response', () => {
  let pending: PendingSettings = {};
  const shownLedStatus = () => withPending(settings, pending).recLedStatus;
  for (const [request, value] of [false, true, false].entries()) {
    pending = { ...pending, recLedStatus: { value, request } };
    expect(shownLedStatus()).toBe(value);
  }
  // The first and the last request have the same value.
  pending = removeAnsweredSettings(pending, 'recLedStatus', 0);
  expect(shownLedStatus()).toBe(false);
  pending = removeAnsweredSettings(pending, 'recLedStatus', 1);
  expect(shownLedStatus()).toBe(false);
  pending = removeAnsweredSettings(pending, 'recLedStatus', 2);
  expect(shownLedStatus()).toBe(true);
});

it('keeps other changes pending', () => {
  const pending: PendingSettings = {
    micGain: { value: 'high', request: 0 },
    dmicMode: { value: 2, request: 1 },
  };
  const after = removeAnsweredSettings(pending, 'micGain', 0);
  expect(withPending(settings, after)).toEqual({ ...settings, dmicMode: 2 });
});
