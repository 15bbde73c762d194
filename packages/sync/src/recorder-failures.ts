/** What failed requests to a recorder mean for the sync. */
import { DeviceError, isLinkLost } from '@linnet/device/session';
import type { FetchTrouble } from './record.ts';

/** Whether the recorder answers, but sends nothing of a session, or nothing readable. */
export function isNotSent(error: unknown): boolean {
  return (
    error instanceof DeviceError &&
    (error.code === 'stream_silent' || error.code === 'reply_malformed')
  );
}

/** Whether the recorder does not know the session. */
export function isGone(error: unknown): boolean {
  return error instanceof DeviceError && error.code === 'session_unknown';
}

/**
 * Whether the recorder has less of a session than the phone, or reports that it has: the phone's copy differs from the
 * recorder's, or the recorder reports a wrong length.
 */
export function contradicts(error: unknown): boolean {
  return (
    error instanceof DeviceError &&
    (error.code === 'chunk_out_of_range' || error.code === 'length_differs')
  );
}

/**
 * Whether the recorder refused a request, or sent an unreadable answer. The link works, and other requests may
 * succeed.
 */
export function isRefusal(error: unknown): error is DeviceError {
  return error instanceof DeviceError && error.code !== 'aborted' && !isLinkLost(error);
}

const refusalTroubles: Partial<Record<DeviceError['code'], FetchTrouble>> = {
  busy: 'recorder_busy',
  transfer_running: 'recorder_busy',
  hardware_abnormal: 'recorder_fault',
};

/** The trouble that a refused session is shown with. */
export function troubleOfRefusal({ code }: DeviceError): FetchTrouble {
  return refusalTroubles[code] ?? 'recorder_refused';
}
