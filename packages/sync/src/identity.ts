import { v5, v7 } from 'uuid';

/** UUIDv5 namespace of recordings, chosen at random for this product. */
const RECORDINGS = '8f2f6a1c-5d0e-4f3b-9a57-2c1d7e64b0a9';

/**
 * Returns the id of a recorder's session, which is the same on every phone and in every retry: a UUIDv5 of serial
 * number, session id and start time (seconds since 1970). The server receives it as `client_flag`.
 */
export function recordingId(sn: string, sessionId: number, startTime: number): string {
  return v5(`${sn}/${sessionId}/${startTime}`, RECORDINGS);
}

/** Prefix of the serial numbers of microphones, which distinguishes them from those of recorders. */
const MICROPHONE = 'MIC-';

/** Returns a new serial number for the microphone of a phone or computer. */
export function microphoneSerial(): string {
  return `${MICROPHONE}${v7()}`;
}

/** Whether a serial number was created by {@link microphoneSerial}. */
export function isMicrophoneSerial(serial: string): boolean {
  return serial.startsWith(MICROPHONE);
}

/** UUIDv5 namespace of files shared by other apps. */
const SHARED_FILES = '333f97b3-a5e4-4f5b-8558-43e5b2c7fc61';

/**
 * Returns a new id for an imported recording. For a file shared by another app, the id is derived from the file's key
 * and therefore the same in every attempt: a UUIDv5 of the key, marked as a UUIDv8 to distinguish it from a recorder's
 * session.
 */
export function importId(sharedKey?: string): string {
  if (sharedKey === undefined) return v7();
  const named = v5(sharedKey, SHARED_FILES);
  return `${named.slice(0, 14)}8${named.slice(15)}`;
}

/** Whether an id was created by {@link importId}. */
export function isImportId(id: string): boolean {
  return id[14] === '7' || id[14] === '8';
}

/** Returns a new id for a marker. */
export function markerId(): string {
  return v7();
}
