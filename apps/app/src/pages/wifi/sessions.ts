import type { RecorderSessionRow } from '../../ports/recorder.ts';

/**
 * Bytes a second that each way carries in practice, to say how long it takes before anything has moved:
 * Bluetooth as measured with a recorder in the room, WiFi as little as a busy band leaves of it.
 */
const RATES = { bluetooth: 60_000, wifi: 1_000_000 } as const;

/** A recorder's network serves plain HTTP, which a page that came over HTTPS may not call. */
export const mayCallRecorder = () => window.location.protocol !== 'https:';

/** Sessions that are to come to this phone. */
export function waitingSessions(
  sessions: readonly RecorderSessionRow[],
): readonly RecorderSessionRow[] {
  return sessions.filter(
    ({ onPhone, stillRecording }) =>
      !stillRecording && ['waiting', 'stopped', 'moving'].includes(onPhone.status),
  );
}

/** Bytes of sessions that have not come yet. */
export function bytesLeft(sessions: readonly RecorderSessionRow[]): number {
  return waitingSessions(sessions).reduce((sum, { bytes, onPhone }) => {
    const come = onPhone.status === 'moving' ? onPhone.percent / 100 : 0;
    return sum + bytes * (1 - come);
  }, 0);
}

/** Seconds that bytes take; a whole number, at least one. */
export function secondsFor(bytes: number, way: keyof typeof RATES): number {
  return Math.max(1, Math.round(bytes / RATES[way]));
}
