/** Writes the metadata of audio files: Vorbis comments, ID3v2.4 tags, and WAV info lists and broadcast extensions. */
import { id3Tag } from './id3.ts';
import { tagOgg } from './ogg-tags.ts';
import type { AudioTags, TaggedBeginning } from './text.ts';
import { tagWave } from './wave-tags.ts';

export type { AudioTags, TaggedBeginning } from './text.ts';

/**
 * Number of bytes that {@link tagAudio} needs from the start of a file. In nearly all files, the metadata ends earlier.
 */
export const TAG_SCAN_BYTES = 256 * 1024;

/**
 * Adds tags to a file or replaces existing tags.
 * @param beginning the first {@link TAG_SCAN_BYTES} of the file, or the whole file if it's smaller; an MP3 file must
 *   not have a tag yet
 * @returns null if the file's structure isn't supported
 */
export function tagAudio(
  format: 'wav' | 'ogg' | 'mp3',
  beginning: Uint8Array,
  tags: AudioTags,
): TaggedBeginning | null {
  switch (format) {
    case 'wav':
      return tagWave(beginning, tags);
    case 'ogg':
      return tagOgg(beginning, tags);
    case 'mp3':
      return { head: id3Tag(tags), replacedBytes: 0 };
    default:
      return format satisfies never;
  }
}
