import type { fileRecordingId } from '@linnet/contract/file-identity';
import { v5, v7 } from 'uuid';

/** The UUIDv5 namespace for recordings: a random UUID chosen for this product. */
const RECORDING_NAMESPACE = '8f2f6a1c-5d0e-4f3b-9a57-2c1d7e64b0a9';

/**
 * Returns the recording ID for a recorder's session: a UUIDv5 of its serial number, session ID and start time (seconds
 * since 1970), so every phone and every retry computes the same ID. The server receives it as `client_flag`.
 */
export function recordingId(sn: string, sessionId: number, startTime: number): string {
  return v5(`${sn}/${sessionId}/${startTime}`, RECORDING_NAMESPACE);
}

/** The prefix that distinguishes microphones' serial numbers from recorders'. */
const MICROPHONE_PREFIX = 'MIC-';

/** Returns a new serial number for the microphone of a phone or computer. */
export function microphoneSerial(): string {
  return `${MICROPHONE_PREFIX}${v7()}`;
}

/** True if a serial number was created by {@link microphoneSerial}. */
export function isMicrophoneSerial(serial: string): boolean {
  return serial.startsWith(MICROPHONE_PREFIX);
}

/** The prefix of the serial numbers of Omi's recorders. */
const OMI_PREFIX = 'OMI-';

/** Returns an Omi's serial number, derived from its ID on this device because the recorder has none of its own. */
export function omiSerial(deviceId: string): string {
  return `${OMI_PREFIX}${deviceId}`;
}

/** The serial number prefix of recordings that an Omi stored while it was disconnected. */
const OMI_STORED_PREFIX = `${OMI_PREFIX}STORED-`;

/** Returns an Omi's serial number for recordings that it stored while it was disconnected. See {@link omiSerial}. */
export function omiStoredSerial(deviceId: string): string {
  return `${OMI_STORED_PREFIX}${deviceId}`;
}

/** True if a serial number was created by {@link omiStoredSerial}. */
export function isOmiStoredSerial(serial: string): boolean {
  return serial.startsWith(OMI_STORED_PREFIX);
}

/** True if a serial number was created by {@link omiSerial} or {@link omiStoredSerial}. */
export function isOmiSerial(serial: string): boolean {
  return serial.startsWith(OMI_PREFIX);
}

/** True if the app itself made a recording from live audio, so that no recorder has a copy. */
export function isCapturedSerial(serial: string): boolean {
  return isMicrophoneSerial(serial) || isOmiSerial(serial);
}

/** Returns a new ID for an imported recording that can't be identified by its content. See {@link fileRecordingId}. */
export function importId(): string {
  return v7();
}

/** True if an ID was created by {@link importId} or {@link fileRecordingId}. */
export function isImportId(id: string): boolean {
  return id[14] === '7' || id[14] === '8';
}

/** Returns a new ID for a marker. */
export function markerId(): string {
  return v7();
}

/** Returns a new ID for a question about the recordings. */
export function questionId(): string {
  return v7();
}

/** Returns a new ID for a saved filter: the random digits of a UUID, so that the IDs of all filters fit in a setting. */
export function filterId(): string {
  return v7().slice(-12);
}

/** Returns a new ID for a note. */
export function noteId(): string {
  return v7();
}
