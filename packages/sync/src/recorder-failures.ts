/** Classifies failed requests to a recorder. */
import { DeviceError, isLinkLost } from '@linnet/device/session';
import type { FetchTrouble } from './record.ts';

/**
 * Retry delays for refused requests, in milliseconds; the last one repeats. A recorder is busy for seconds, whereas a
 * damaged session does not recover.
 */
export const REFUSED_RETRY_MS = [2_000, 10_000, 60_000, 300_000] as const;

/** Whether the recorder answers, but sends no data of a session, or none that is readable. */
export function isNotSent(error: unknown): boolean {
  return (
    error instanceof DeviceError &&
    (error.code === 'stream_silent' || error.code === 'reply_malformed')
  );
}

/** Whether the recorder does not know the session. */
export function isSessionUnknown(error: unknown): boolean {
  return error instanceof DeviceError && error.code === 'session_unknown';
}

/**
 * Whether the recorder's copy of a session is shorter than the phone's, or has another length than the recorder
 * reported.
 */
export function isLengthMismatch(error: unknown): boolean {
  return (
    error instanceof DeviceError &&
    (error.code === 'chunk_out_of_range' || error.code === 'length_differs')
  );
}

/**
 * Whether the recorder refused a request, or sent an unreadable response. The link works, and other requests may
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

/** Returns the trouble to show for a refused session. */
export function troubleOfRefusal({ code }: DeviceError): FetchTrouble {
  return refusalTroubles[code] ?? 'recorder_refused';
}
