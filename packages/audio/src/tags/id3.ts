import { ascii, concat } from '../bytes.ts';
import { type AudioTags, encodeText, formatUtc, SOFTWARE } from './text.ts';

/** The code for UTF-8 text (ID3v2.4.0, section 4). */
const UTF8 = 3;

/** Encodes a size as four bytes of seven bits each. */
const syncSafe = (size: number) =>
  Uint8Array.from([21, 14, 7, 0], (shift) => (size >>> shift) & 127);

function textFrame(id: string, text: Uint8Array): Uint8Array {
  return concat([ascii(id), syncSafe(text.length + 1), Uint8Array.of(0, 0, UTF8), text]);
}

/** Returns an ID3v2.4 tag to prepend to an MP3 file. */
export function id3Tag({ title, artist, date }: AudioTags): Uint8Array<ArrayBuffer> {
  const artistText = encodeText(artist);
  const frames = concat([
    // ID3 times are in UTC. The `Z` is for readers that would otherwise assume local time.
    textFrame('TDRC', ascii(formatUtc(date))),
    textFrame('TIT2', encodeText(title)),
    ...(artistText.length > 0 ? [textFrame('TPE1', artistText)] : []),
    textFrame('TSSE', ascii(SOFTWARE)),
  ]);
  return concat([ascii('ID3'), Uint8Array.of(4, 0, 0), syncSafe(frames.length), frames]);
}
