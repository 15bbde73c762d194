import { DeviceError, type DeviceErrorCode } from '@linnet/device/session';
import { expect, it } from 'vitest';
import { attemptRecording } from './failures.ts';

/** Fails as a recorder that refuses a recording command. */
const refuse = (code: DeviceErrorCode) =>
  attemptRecording(async () => {
    throw new DeviceError(code);
  });

it.each([
  ['bluetooth_abnormal', -1],
  ['space_full', 1],
  ['usb_disk_mode', 2],
  ['hardware_abnormal', 3],
  ['busy', 4],
  ['wifi_mode', 5],
  ['recording_stopped', 6],
  ['waiting_for_bind', 7],
  ['link_lost', -1],
  ['timeout', -1],
] as const)(
  'a recording command that fails with %s has the specification’s number %d',
  async (code, number) => {
    expect(await refuse(code)).toEqual({ ok: false, failure: { kind: 'recording', code: number } });
  },
);

it('keeps the code of a failure without a number', async () => {
  const failure = { kind: 'device', code: 'command_unknown' };
  expect(await refuse('command_unknown')).toEqual({ ok: false, failure });
});
