/** Signature checks (latin1) by the extension that pictures are stored under. */
const beginnings: Readonly<Record<string, (head: string) => boolean>> = {
  png: (head) => head.startsWith('\x89PNG\r\n\x1a\n'),
  jpg: (head) => head.startsWith('\xff\xd8\xff'),
  jpeg: (head) => head.startsWith('\xff\xd8\xff'),
  // The file size lies between the two words.
  webp: (head) => head.startsWith('RIFF') && head.startsWith('WEBP', 8),
};

/** Bytes needed to identify the format. */
export const pictureHeadBytes = 12;

/** Whether the first bytes of a file match its extension. */
export function isPicture(ext: string, head: Uint8Array): boolean {
  return beginnings[ext]?.(Buffer.from(head).toString('latin1')) ?? false;
}
