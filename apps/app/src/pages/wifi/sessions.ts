import type { RecorderSessionRow } from '../../ports/recorder.ts';

/**
 * Typical bytes per second by transport, for estimates before a transfer. The Bluetooth value was measured with a
 * recorder in the same room; the Wi-Fi value is a low estimate, as for a busy band.
 */
const RATES = { bluetooth: 60_000, wifi: 1_000_000 } as const;

/**
 * Returns whether this page may call the recorder. The recorder serves plain HTTP, which browsers block from HTTPS
 * pages.
 */
export const canReachRecorder = () => window.location.protocol !== 'https:';

/** Returns the sessions that haven't been transferred to this phone yet. */
export function waitingSessions(
  sessions: readonly RecorderSessionRow[],
): readonly RecorderSessionRow[] {
  return sessions.filter(
    ({ onPhone, stillRecording }) =>
      !stillRecording && ['waiting', 'stopped', 'transferring'].includes(onPhone.status),
  );
}

/** Returns the sessions from newest to oldest, followed by those without a start time. */
export function newestFirst(sessions: readonly RecorderSessionRow[]): RecorderSessionRow[] {
  return sessions.toSorted(
    (a, b) => (b.startedAt ?? '').localeCompare(a.startedAt ?? '') || b.sessionId - a.sessionId,
  );
}

/** Returns the number of bytes left to transfer. */
export function bytesLeft(sessions: readonly RecorderSessionRow[]): number {
  return waitingSessions(sessions).reduce((sum, { bytes, onPhone }) => {
    const transferred = onPhone.status === 'transferring' ? onPhone.percent / 100 : 0;
    return sum + bytes * (1 - transferred);
  }, 0);
}

/** Returns the estimated duration in whole seconds, at least one. */
export function estimateSeconds(bytes: number, transport: keyof typeof RATES): number {
  return Math.max(1, Math.round(bytes / RATES[transport]));
}
