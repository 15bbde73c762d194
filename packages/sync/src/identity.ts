import { v5, v7 } from 'uuid';

/** Namespace of recordings: a UUID chosen once for this product, so that ids never meet others'. */
const RECORDINGS = '8f2f6a1c-5d0e-4f3b-9a57-2c1d7e64b0a9';

/**
 * The identity of a recorder's session, the same on every phone and in every retry: a UUIDv5 of
 * serial number, session id and start time (seconds since 1970). Travels as `client_flag`.
 */
export function recordingId(sn: string, sessionId: number, startTime: number): string {
  return v5(`${sn}/${sessionId}/${startTime}`, RECORDINGS);
}

/** Namespace of the files that other apps share, as above. */
const SHARED_FILES = '333f97b3-a5e4-4f5b-8558-43e5b2c7fc61';

/**
 * The identity of a recording that comes from a file: chosen once, by the phone that imports it. With the key of a
 * file that another app shared it is the same at every try: a UUIDv5 over the key, marked as a UUIDv8, so that no
 * session of a recorder is meant.
 */
export function importId(sharedKey?: string): string {
  if (sharedKey === undefined) return v7();
  const named = v5(sharedKey, SHARED_FILES);
  return `${named.slice(0, 14)}8${named.slice(15)}`;
}

/** Whether an identity is one of {@link importId}. */
export function isImportId(id: string): boolean {
  return id[14] === '7' || id[14] === '8';
}

/** The identity of a marker: chosen once, by the phone that sets it. */
export function markerId(): string {
  return v7();
}
