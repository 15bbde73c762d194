/** Writes the metadata of audio files: Vorbis comments, ID3v2.4, and the lists and broadcast extensions of WAV. */
import { id3Tag } from './id3.ts';
import { tagOgg } from './ogg-tags.ts';
import type { AudioTags, TaggedBeginning } from './text.ts';
import { tagWave } from './wave-tags.ts';

export type { AudioTags, TaggedBeginning } from './text.ts';

/** How many bytes of a file {@link tagAudio} needs. The metadata of nearly all files ends before. */
export const TAG_SCAN_BYTES = 256 * 1024;

/**
 * Adds tags to a file, or replaces them.
 * @param beginning the first {@link TAG_SCAN_BYTES} of the file, or all of it. An MP3 file must have no tag yet.
 * @returns null if the file has a structure to which no tags can be added
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
