/** The identity of imported audio files, which is the same on phones and on the server. */
import { v5 } from 'uuid';
import { limits } from './limits.ts';

/** The UUIDv5 namespace of imported files, chosen at random for this product. */
const FILE_NAMESPACE = '3d0a8f5e-7f0b-4f43-9f6e-0b2b8c1d94a7';

/**
 * Returns the id of the recording of an imported file: a UUIDv5 of the account's id and the content's SHA-256, whose
 * version is set to 8 to distinguish it from a recorder's session. A file is therefore imported only once, whatever its
 * name, its folder and the device that imports it.
 * @param sha256 the digest of the file's bytes, in lower-case hex
 */
export function fileRecordingId(accountId: string, sha256: string): string {
  const derived = v5(`${accountId}/${sha256}`, FILE_NAMESPACE);
  return `${derived.slice(0, 14)}8${derived.slice(15)}`;
}

/** Returns the title of an imported recording: the name of the file without its extension. */
export function titleOfFile(fileName: string): string {
  const bare = fileName.replace(/\.[^.\s]{1,5}$/u, '').trim();
  return (bare || fileName).slice(0, limits.recording.nameMaxLength);
}
