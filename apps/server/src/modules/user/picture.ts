/** Checks of the file signature, as latin1 text, by file extension. */
const hasSignature: Readonly<Record<string, (bytes: string) => boolean>> = {
  png: (bytes) => bytes.startsWith('\x89PNG\r\n\x1a\n'),
  jpg: (bytes) => bytes.startsWith('\xff\xd8\xff'),
  jpeg: (bytes) => bytes.startsWith('\xff\xd8\xff'),
  // The two words are separated by the file size.
  webp: (bytes) => bytes.startsWith('RIFF') && bytes.startsWith('WEBP', 8),
};

/** The number of bytes at the start of a file that `isPicture` needs. */
export const pictureHeadBytes = 12;

/** Returns whether the first bytes of a file match its extension. */
export function isPicture(ext: string, bytes: Uint8Array): boolean {
  return hasSignature[ext]?.(Buffer.from(bytes).toString('latin1')) ?? false;
}
