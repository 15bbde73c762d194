import type { Calls } from './generated/calls.ts';
import type { Linnet } from './linnet.ts';

/** A file to upload as a recording. */
export interface FileToUpload {
  readonly name: string;
  readonly content: Blob;
  /** When the audio was recorded. Defaults to now. */
  readonly recordedAt?: Date;
}

type Recording = Calls['upload/radioFile']['data'];

/** Timeout of an upload, in milliseconds. */
const timeoutMs = 30 * 60_000;

/**
 * Uploads an audio file in one request. Idempotent: the client-assigned ID is derived from the content, so uploading
 * the same file again doesn't create another recording.
 * @throws LinnetError, for example with the code `audioUnreadable`
 */
export async function uploadFile(
  linnet: Linnet,
  { name, content, recordedAt }: FileToUpload,
): Promise<Recording> {
  return linnet.call(
    'upload/radioFile',
    {
      name,
      client_flag: await deriveId(content),
      ...(recordedAt && { recorded_at: recordedAt.toISOString() }),
      // The server derives the audio format from the file name.
      radio: new File([content], name),
    },
    { timeoutMs },
  );
}

/** Derives a version 8 UUID from the content (RFC 9562, 5.8). */
async function deriveId(content: Blob): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', await content.arrayBuffer());
  const bytes = new Uint8Array(digest).slice(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const digits = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return [
    [0, 8],
    [8, 12],
    [12, 16],
    [16, 20],
    [20, 32],
  ]
    .map(([from, to]) => digits.slice(from, to))
    .join('-');
}
