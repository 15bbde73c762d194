import { ascii, concat } from '../bytes.ts';
import { isKnownChunk, readFourCc } from '../samples/chunk-layout.ts';
import { type AudioTags, encodeText, formatLocal, SOFTWARE, type TaggedBeginning } from './text.ts';

/** Number of bytes before the first chunk: `RIFF`, the size, and `WAVE`. */
const ROOT_BYTES = 12;
const CHUNK_HEADER_BYTES = 8;
/** Size of a version 1 broadcast extension without a coding history (EBU Tech 3285). */
const BROADCAST_BYTES = 602;
const BROADCAST_ORIGINATOR_OFFSET = 256;
const BROADCAST_DATE_OFFSET = 320;
const BROADCAST_VERSION_OFFSET = 346;
/** The largest size that fits in a RIFF header. Some writers use it, or 0, if the size is unknown. */
const MAX_SIZE = 0xffff_ffff;

/** Returns a chunk, padded to an even length. */
function chunk(id: string, body: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(CHUNK_HEADER_BYTES + body.length + (body.length % 2));
  bytes.set(ascii(id));
  new DataView(bytes.buffer).setUint32(4, body.length, true);
  bytes.set(body, CHUNK_HEADER_BYTES);
  return bytes;
}

/** Strings in an info list end with a zero byte. */
const infoText = (id: string, text: Uint8Array) => chunk(id, concat([text, Uint8Array.of(0)]));

type Chunk = { readonly id: string; readonly body: Uint8Array };

/**
 * Returns the chunks before the data chunk, and the offset of the data chunk.
 * @returns null if `beginning` doesn't contain all of them
 */
function readChunks(beginning: Uint8Array): { chunks: Chunk[]; dataOffset: number } | null {
  const view = new DataView(beginning.buffer, beginning.byteOffset, beginning.byteLength);
  const chunks: Chunk[] = [];
  for (let offset = ROOT_BYTES; offset + CHUNK_HEADER_BYTES <= beginning.length; ) {
    const id = readFourCc(beginning, offset);
    if (id === 'data') return { chunks, dataOffset: offset };
    const start = offset + CHUNK_HEADER_BYTES;
    const end = start + view.getUint32(offset + 4, true);
    chunks.push({ id, body: beginning.subarray(start, end) });
    // Some writers don't pad chunks.
    offset = isKnownChunk(beginning, end) ? end : end + (end % 2);
  }
  return null;
}

/** Returns the entries of an info list that aren't replaced. */
function keptEntries(list: Uint8Array): Uint8Array[] {
  const view = new DataView(list.buffer, list.byteOffset, list.byteLength);
  const texts: Uint8Array[] = [];
  for (let offset = 4; offset + CHUNK_HEADER_BYTES <= list.length; ) {
    const size = view.getUint32(offset + 4, true);
    const body = list.subarray(offset + CHUNK_HEADER_BYTES, offset + CHUNK_HEADER_BYTES + size);
    const id = readFourCc(list, offset);
    if (!['INAM', 'IART', 'ICRD', 'ISFT'].includes(id)) texts.push(chunk(id, body));
    offset += CHUNK_HEADER_BYTES + size + (size % 2);
  }
  return texts;
}

/** Returns the broadcast extension with its date replaced, or a new broadcast extension if the file has none. */
function broadcastExtension(existing: Uint8Array | undefined, localTime: string): Uint8Array {
  const isComplete = existing !== undefined && existing.length >= BROADCAST_BYTES;
  const body = isComplete ? new Uint8Array(existing) : new Uint8Array(BROADCAST_BYTES);
  if (!isComplete) {
    body.set(ascii(SOFTWARE), BROADCAST_ORIGINATOR_OFFSET);
    body[BROADCAST_VERSION_OFFSET] = 1;
  }
  // OriginationDate and OriginationTime are adjacent fields.
  body.set(ascii(localTime.slice(0, 19).replace('T', '')), BROADCAST_DATE_OFFSET);
  return chunk('bext', body);
}

/**
 * Inserts the title, artist and date before the samples of a WAV file, as an info list and a broadcast extension. Keeps
 * all other metadata.
 * @param beginning the first bytes of the file
 * @returns the new beginning and the number of bytes it replaces, or null if the file isn't a supported WAV file
 */
export function tagWave(
  beginning: Uint8Array,
  { title, artist, date }: AudioTags,
): TaggedBeginning | null {
  if (readFourCc(beginning, 0) !== 'RIFF' || readFourCc(beginning, 8) !== 'WAVE') return null;
  const read = readChunks(beginning);
  if (!read) return null;
  const { chunks, dataOffset } = read;
  const toBytes = ({ id, body }: Chunk) => chunk(id, body);
  const isInfo = ({ id, body }: Chunk) => id === 'LIST' && readFourCc(body, 0) === 'INFO';
  const localTime = formatLocal(date);
  const artistText = encodeText(artist);
  const info = concat([
    ascii('INFO'),
    infoText('ICRD', ascii(localTime)),
    infoText('INAM', encodeText(title)),
    ...(artistText.length > 0 ? [infoText('IART', artistText)] : []),
    infoText('ISFT', ascii(SOFTWARE)),
    ...chunks.filter(isInfo).flatMap(({ body }) => keptEntries(body)),
  ]);
  const broadcast = chunks.find(({ id }) => id === 'bext')?.body;
  const head = concat([
    beginning.subarray(0, ROOT_BYTES),
    ...chunks.filter(({ id }) => id === 'fmt ').map(toBytes),
    broadcastExtension(broadcast, localTime),
    chunk('LIST', info),
    ...chunks
      .filter((each) => !(each.id === 'fmt ' || each.id === 'bext' || isInfo(each)))
      .map(toBytes),
  ]);
  const view = new DataView(head.buffer);
  const statedSize = view.getUint32(4, true);
  const size = statedSize + head.length - dataOffset;
  if (statedSize > 0 && statedSize < MAX_SIZE) view.setUint32(4, Math.min(size, MAX_SIZE), true);
  return { head, replacedBytes: dataOffset };
}
