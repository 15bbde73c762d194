/** Classifies failed requests to a recorder. */
import { DeviceError, isLinkLost } from '@linnet/device/session';
import type { FetchProblem } from './record.ts';

/**
 * Delays before a refused request is retried, in milliseconds; the last one repeats. The first are short because a busy
 * recorder is usually free again within seconds, the later ones long because a damaged session never recovers.
 */
export const REFUSED_RETRY_MS = [2_000, 10_000, 60_000, 300_000] as const;

/** True if the recorder responds to requests but sends no readable session data. */
export function isNotSent(error: unknown): boolean {
  return (
    error instanceof DeviceError &&
    (error.code === 'stream_silent' || error.code === 'reply_malformed')
  );
}

/** True if the recorder doesn't know the session. */
export function isSessionUnknown(error: unknown): boolean {
  return error instanceof DeviceError && error.code === 'session_unknown';
}

/**
 * True if the recorder's copy of a session is shorter than the phone's, or its length differs from the length the
 * recorder reported.
 */
export function isLengthMismatch(error: unknown): boolean {
  return (
    error instanceof DeviceError &&
    (error.code === 'chunk_out_of_range' || error.code === 'length_differs')
  );
}

/**
 * True if the recorder refused a request or sent an unreadable response, but the link still works. Other requests may
 * succeed.
 */
export function isRefusal(error: unknown): error is DeviceError {
  return error instanceof DeviceError && error.code !== 'aborted' && !isLinkLost(error);
}

const refusalProblems: Partial<Record<DeviceError['code'], FetchProblem>> = {
  busy: 'recorder_busy',
  transfer_running: 'recorder_busy',
  hardware_abnormal: 'recorder_fault',
};

/** Returns the problem to show for a refused session. */
export function toRefusalProblem({ code }: DeviceError): FetchProblem {
  return refusalProblems[code] ?? 'recorder_refused';
}
