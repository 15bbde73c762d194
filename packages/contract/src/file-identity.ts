/** Identifies imported audio files. Phones and the server share this code. */
import { v5 } from 'uuid';
import { limits } from './limits.ts';

/** The UUIDv5 namespace for imported files: a random UUID chosen for this product. */
const FILE_NAMESPACE = '3d0a8f5e-7f0b-4f43-9f6e-0b2b8c1d94a7';

/**
 * Returns the recording ID for an imported file: a UUIDv5 of the account's ID and the content's SHA-256, with the
 * version set to 8 to distinguish it from a recorder's session. Because the ID depends only on the content, a file is
 * imported only once, even under a different name, from a different folder or on a different device.
 * @param sha256 the file's digest, in lowercase hex
 */
export function fileRecordingId(accountId: string, sha256: string): string {
  const derived = v5(`${accountId}/${sha256}`, FILE_NAMESPACE);
  return `${derived.slice(0, 14)}8${derived.slice(15)}`;
}

/** Returns an imported recording's title: the file name without its extension. */
export function titleOfFile(fileName: string): string {
  const baseName = fileName.replace(/\.[^.\s]{1,5}$/u, '').trim();
  return (baseName || fileName).slice(0, limits.recording.nameMaxLength);
}
