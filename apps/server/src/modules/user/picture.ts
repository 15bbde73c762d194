/** How pictures begin, as latin1, by the extension they are stored under. */
const beginnings: Readonly<Record<string, (head: string) => boolean>> = {
  png: (head) => head.startsWith('\x89PNG\r\n\x1a\n'),
  jpg: (head) => head.startsWith('\xff\xd8\xff'),
  jpeg: (head) => head.startsWith('\xff\xd8\xff'),
  // Between the two words is the size of the file.
  webp: (head) => head.startsWith('RIFF') && head.startsWith('WEBP', 8),
};

/** So many bytes tell what a file is. */
export const pictureHeadBytes = 12;

/** Whether a file that begins with these bytes is the picture its extension says. */
export function isPicture(ext: string, head: Uint8Array): boolean {
  return beginnings[ext]?.(Buffer.from(head).toString('latin1')) ?? false;
}
