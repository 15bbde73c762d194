import { v5, v7 } from 'uuid';

/** Namespace of recordings: a UUID chosen once for this product, so that ids never meet others'. */
const RECORDINGS = '8f2f6a1c-5d0e-4f3b-9a57-2c1d7e64b0a9';

/**
 * The identity of a session of a recorder, the same on every phone and at every try: a UUIDv5 over
 * serial, session id and start time (seconds since 1970). Travels as `client_flag`.
 */
export function recordingId(sn: string, sessionId: number, startTime: number): string {
  return v5(`${sn}/${sessionId}/${startTime}`, RECORDINGS);
}

/** The identity of a recording that comes from a file: chosen once, by the phone that imports it. */
export function importId(): string {
  return v7();
}

/** Whether an identity is one of {@link importId}. */
export function isImportId(id: string): boolean {
  return id[14] === '7';
}

/** The identity of a marker: chosen once, by the phone that sets it. */
export function markerId(): string {
  return v7();
}
