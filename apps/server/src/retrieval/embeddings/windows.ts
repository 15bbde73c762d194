import { createHash } from 'node:crypto';

/**
 * A text to embed: a paragraph, or part of a long paragraph, preceded by some of the previous text as context. If the
 * previous text is a question, it is included completely, because an answer often repeats none of its words. Otherwise,
 * the paragraph makes up most of the window. With more context, the next paragraph's window would be as close to a
 * question as this paragraph's.
 */
export interface Window {
  /** The paragraph's ordinal. A long paragraph has several windows. */
  readonly ordinal: number;
  readonly text: string;
  /** Digest of the text in hexadecimal. */
  readonly digest: string;
}

export interface WindowParagraph {
  readonly ordinal: number;
  readonly content: string;
}

/** Maximum number of characters of a window's text without context. Embedding models read a few hundred tokens. */
const ownCharacters = 700;
/** Maximum number of characters of context that is a question. */
const questionCharacters = 240;
/** Maximum number of characters of other context. */
const earlierCharacters = 160;
/** Maximum length of other context, relative to the window's text. */
const earlierShare = 0.5;
/** Minimum number of characters of context. Shorter context has no meaning. */
const shortestEarlier = 20;
/** Matches text that ends with a question. */
const endsAsQuestion = /(?:[?？؟]["'”»」』)\]]*|か[。]?)$/u;

const digestBytes = 8;
const ordinalBytes = 4;
const entryBytes = ordinalBytes + digestBytes;

/** Returns the windows of a transcript. Blank paragraphs have none. */
export function createWindows(paragraphs: readonly WindowParagraph[]): Window[] {
  const windows: Window[] = [];
  let previousPart = '';
  for (const { ordinal, content } of paragraphs) {
    for (const part of splitText(content.replace(/\s+/gu, ' ').trim())) {
      const context = takeContext(previousPart, part);
      const text = context === '' ? part : `${context}\n${part}`;
      windows.push({ ordinal, text, digest: computeDigest(text) });
      previousPart = part;
    }
  }
  return windows;
}

/**
 * Splits a long text into parts, after the last sentence or else the last word in the second half of each part, if any.
 */
function splitText(text: string): string[] {
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

/** Returns the end index of the last match, or 0. */
function lastMatch(text: string, pattern: RegExp): number {
  let end = 0;
  for (const match of text.matchAll(pattern)) end = match.index + match[0].length;
  return end;
}

/** Returns the length of a text without an unpaired surrogate at its end. */
const wholeCharacters = (text: string) =>
  /[\uD800-\uDBFF]$/.test(text) ? text.length - 1 : text.length;

/** Returns the context of a window: the end of the text before it. */
function takeContext(earlier: string, own: string): string {
  if (endsAsQuestion.test(earlier)) return takeEnd(earlier, questionCharacters);
  const maximum = Math.min(earlierCharacters, Math.floor(own.length * earlierShare));
  return maximum < shortestEarlier ? '' : takeEnd(earlier, maximum);
}

/** Returns the end of a text, starting at a word boundary if possible. */
function takeEnd(text: string, maximum: number): string {
  if (text.length <= maximum) return text;
  const end = text.slice(-maximum).replace(/^[\uDC00-\uDFFF]/, '');
  const space = end.search(/\s/);
  return space === -1 || space > maximum / 2 ? end : end.slice(space + 1);
}

const computeDigest = (text: string) =>
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
export const unpackOrdinals = (bytes: Buffer): Int32Array =>
  Int32Array.from({ length: bytes.length / entryBytes }, (_, index) =>
    bytes.readInt32LE(index * entryBytes),
  );
