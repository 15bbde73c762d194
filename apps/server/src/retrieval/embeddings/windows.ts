import { createHash } from 'node:crypto';

/**
 * A text whose vector is computed: a paragraph or a part of one, with the end of what was said before. A question is
 * complete, because an answer often repeats no word of it. Otherwise, the paragraph itself has most of the text, so that
 * the one after it isn't as close to a question as itself.
 */
export interface Window {
  /** The paragraph's ordinal. A long paragraph has several windows. */
  readonly ordinal: number;
  readonly text: string;
  /** Digest of the text in hexadecimal digits. */
  readonly digest: string;
}

export interface WindowParagraph {
  readonly ordinal: number;
  readonly content: string;
}

/** Maximum characters of a window's own text. Embedding models read a few hundred tokens. */
const ownCharacters = 700;
/** Maximum characters of a question before, and of another text before. */
const questionCharacters = 240;
const earlierCharacters = 160;
/** Maximum length of another text before, relative to the window's own. */
const earlierShare = 0.5;
/** With fewer characters, a text before says nothing. */
const shortestEarlier = 20;
/** Matches text that ends with a question. */
const endsAsQuestion = /(?:[?？؟]["'”»」』)\]]*|か[。]?)$/u;

const digestBytes = 8;
const ordinalBytes = 4;
const entryBytes = ordinalBytes + digestBytes;

/** Returns the windows of a transcript. Blank paragraphs have none. */
export function windowsOf(paragraphs: readonly WindowParagraph[]): Window[] {
  const windows: Window[] = [];
  let earlier = '';
  for (const { ordinal, content } of paragraphs) {
    for (const part of partsOf(content.replace(/\s+/gu, ' ').trim())) {
      const before = earlierOf(earlier, part);
      const text = before === '' ? part : `${before}\n${part}`;
      windows.push({ ordinal, text, digest: digestOf(text) });
      earlier = part;
    }
  }
  return windows;
}

/** Splits a long text, after a sentence or a word if there is one in the second half of a part. */
function partsOf(text: string): string[] {
  const parts: string[] = [];
  let rest = text;
  while (rest.length > ownCharacters) {
    const part = rest.slice(0, ownCharacters);
    const ends = [lastMatch(part, /[.!?؟…](?=\s)|[。！？]/gu), lastMatch(part, /\s/gu)];
    const length = ends.find((end) => end > ownCharacters / 2) ?? wholeCharacters(part);
    parts.push(rest.slice(0, length).trim());
    rest = rest.slice(length).trim();
  }
  if (rest !== '') parts.push(rest);
  return parts;
}

/** Returns the end of the last match; 0 without any. */
function lastMatch(text: string, pattern: RegExp): number {
  let end = 0;
  for (const match of text.matchAll(pattern)) end = match.index + match[0].length;
  return end;
}

/** Returns the length of a text without half a surrogate pair at its end. */
const wholeCharacters = (text: string) =>
  /[\uD800-\uDBFF]$/.test(text) ? text.length - 1 : text.length;

/** Returns what a window contains of the text before it. */
function earlierOf(earlier: string, own: string): string {
  if (endsAsQuestion.test(earlier)) return endOf(earlier, questionCharacters);
  const maximum = Math.min(earlierCharacters, Math.floor(own.length * earlierShare));
  return maximum < shortestEarlier ? '' : endOf(earlier, maximum);
}

/** Returns the end of a text, from the beginning of a word if it has several. */
function endOf(text: string, maximum: number): string {
  if (text.length <= maximum) return text;
  const end = text.slice(-maximum).replace(/^[\uDC00-\uDFFF]/, '');
  const space = end.search(/\s/);
  return space === -1 || space > maximum / 2 ? end : end.slice(space + 1);
}

const digestOf = (text: string) =>
  createHash('sha256')
    .update(text)
    .digest('hex')
    .slice(0, 2 * digestBytes);

/** A stored window, without its text. */
export type PackedWindow = Pick<Window, 'ordinal' | 'digest'>;

export function packWindows(windows: readonly PackedWindow[]): Buffer {
  const bytes = Buffer.alloc(windows.length * entryBytes);
  for (const [index, { ordinal, digest }] of windows.entries()) {
    bytes.writeInt32LE(ordinal, index * entryBytes);
    bytes.write(digest, index * entryBytes + ordinalBytes, 'hex');
  }
  return bytes;
}

/** Decodes the output of {@link packWindows}. */
export function unpackWindows(bytes: Buffer): PackedWindow[] {
  return Array.from({ length: bytes.length / entryBytes }, (_, index) => {
    const at = index * entryBytes;
    return {
      ordinal: bytes.readInt32LE(at),
      digest: bytes.toString('hex', at + ordinalBytes, at + entryBytes),
    };
  });
}

/** Returns the ordinals of packed windows. */
export const ordinalsOf = (bytes: Buffer): Int32Array =>
  Int32Array.from({ length: bytes.length / entryBytes }, (_, index) =>
    bytes.readInt32LE(index * entryBytes),
  );
