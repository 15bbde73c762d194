/** Checks for the file signature, by file extension. The file's first bytes are given as a latin1 string. */
const hasSignature: Readonly<Record<string, (bytes: string) => boolean>> = {
  png: (bytes) => bytes.startsWith('\x89PNG\r\n\x1a\n'),
  jpg: (bytes) => bytes.startsWith('\xff\xd8\xff'),
  jpeg: (bytes) => bytes.startsWith('\xff\xd8\xff'),
  // The file size is between the two words.
  webp: (bytes) => bytes.startsWith('RIFF') && bytes.startsWith('WEBP', 8),
};

/** Number of bytes from the start of a file that `isPicture` needs. */
export const pictureHeadBytes = 12;

/** True if a file's first bytes match its extension. */
export function isPicture(ext: string, bytes: Uint8Array): boolean {
  return hasSignature[ext]?.(Buffer.from(bytes).toString('latin1')) ?? false;
}
