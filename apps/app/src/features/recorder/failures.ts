import type { CallFailure } from '@linnet/contract/client';
import { DeviceError, type DeviceErrorCode } from '@linnet/device/session';
import { TransportError } from '@linnet/device/transport';
import type { RecorderFailure } from '../../ports/recorder.ts';
import type { Outcome } from '../../ports/store.ts';

/** Maps device error codes to the specification's recording error numbers. */
const recordingCodes: Partial<Record<DeviceErrorCode, number>> = {
  bluetooth_abnormal: -1,
  space_full: 1,
  usb_disk_mode: 2,
  hardware_abnormal: 3,
  busy: 4,
  wifi_mode: 5,
  recording_stopped: 6,
  waiting_for_bind: 7,
  link_lost: -1,
  timeout: -1,
};

export const notConnected = { ok: false, failure: { kind: 'not-connected' } } as const;

export function serverFailure(
  failure: CallFailure,
  sn: string,
): { ok: false; failure: RecorderFailure } {
  return { ok: false, failure: { kind: 'server', failure, sn } };
}

/**
 * Runs an operation and converts the device package's errors to failures. Other errors are unexpected and propagate.
 */
export async function attempt<T>(run: () => Promise<T>): Promise<Outcome<T, RecorderFailure>> {
  try {
    return { ok: true, data: await run() };
  } catch (error) {
    if (error instanceof DeviceError || error instanceof TransportError) {
      return { ok: false, failure: { kind: 'device', code: error.code } };
    }
    throw error;
  }
}

/** Like {@link attempt}, but reports other errors and returns them as a temporary failure. */
export async function attemptOrReport(
  run: () => Promise<null>,
  onError: (error: unknown) => void,
): Promise<Outcome<null, RecorderFailure>> {
  try {
    return await attempt(run);
  } catch (error) {
    onError(error);
    return { ok: false, failure: { kind: 'device', code: 'connect_failed' } };
  }
}

/** Like {@link attempt}, but returns the specification's error numbers for recording commands. */
export async function attemptRecording(
  run: () => Promise<unknown>,
): Promise<Outcome<null, RecorderFailure>> {
  try {
    await run();
    return { ok: true, data: null };
  } catch (error) {
    if (!(error instanceof DeviceError)) throw error;
    const code = recordingCodes[error.code];
    const failure: RecorderFailure =
      code === undefined ? { kind: 'device', code: error.code } : { kind: 'recording', code };
    return { ok: false, failure };
  }
}
