import { createHash } from 'node:crypto';
import { AudioFailure } from '@linnet/audio/failure';
import { OggOpusReader } from '@linnet/audio/ogg';

/** The digests of a stored file, in lower-case hex. */
export interface AudioDigest {
  /** The size in bytes. */
  readonly size: number;
  /** The SHA-256 of the file. */
  readonly sha256: string;
  /**
   * The SHA-256 of the Opus packets in order, as a recorder computes it over a session (PROTOCOL.md, `end`). Equals
   * `sha256` unless the file is a complete Ogg Opus file.
   */
  readonly audioSha256: string;
}

/** Computes both digests in one pass with constant memory. @throws errors of `file` */
export async function digestAudio(file: AsyncIterable<Uint8Array>): Promise<AudioDigest> {
  const [content, packets] = [createHash('sha256'), createHash('sha256')];
  let ogg: OggOpusReader | null = new OggOpusReader();
  let size = 0;
  for await (const bytes of file) {
    size += bytes.length;
    content.update(bytes);
    ogg = ogg && readPackets(ogg, (reader) => reader.push(bytes), packets);
  }
  ogg = ogg && readPackets(ogg, finish, packets);
  const sha256 = content.digest('hex');
  return { size, sha256, audioSha256: ogg ? packets.digest('hex') : sha256 };
}

function finish(reader: OggOpusReader): readonly Uint8Array[] {
  reader.end();
  return [];
}

/** Hashes the packets from `read`. @returns the reader, or null if the file turns out not to be Ogg Opus */
function readPackets(
  reader: OggOpusReader,
  read: (reader: OggOpusReader) => readonly Uint8Array[],
  packets: ReturnType<typeof createHash>,
): OggOpusReader | null {
  try {
    for (const packet of read(reader)) packets.update(packet);
    return reader;
  } catch (error) {
    if (error instanceof AudioFailure) return null;
    throw error;
  }
}
