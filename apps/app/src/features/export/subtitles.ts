import { type Cue, createCues, type SpokenParagraph } from './cues.ts';

/** Formats a time as `00:01:02,345`. */
function formatTime(milliseconds: number, decimalMark: ',' | '.'): string {
  const twoDigits = (value: number) => String(Math.floor(value)).padStart(2, '0');
  const hours = twoDigits(milliseconds / 3_600_000);
  const minutes = twoDigits((milliseconds / 60_000) % 60);
  const seconds = twoDigits((milliseconds / 1000) % 60);
  const fraction = String(milliseconds % 1000).padStart(3, '0');
  return `${hours}:${minutes}:${seconds}${decimalMark}${fraction}`;
}

const formatPeriod = ({ start, end }: Cue, decimalMark: ',' | '.') =>
  `${formatTime(start, decimalMark)} --> ${formatTime(end, decimalMark)}`;

/** Escapes WebVTT markup. */
const escapeVtt = (text: string) =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

/** Puts each speaker's name on one line. A name without visible characters counts as no name. */
function withPlainNames(paragraphs: readonly SpokenParagraph[]): readonly SpokenParagraph[] {
  return paragraphs.map(({ paragraph, speaker }) => ({
    paragraph,
    speaker: speaker?.replace(/[\s\p{Cc}]+/gu, ' ').trim() || null,
  }));
}

/** Renders SubRip subtitles with a name wherever the speaker changes. */
export function renderSrt(paragraphs: readonly SpokenParagraph[], language: string | null): string {
  return createCues(withPlainNames(paragraphs), language, (speaker) => `${speaker}:`)
    .map((cue, index) => `${index + 1}\n${formatPeriod(cue, ',')}\n${cue.lines.join('\n')}\n`)
    .join('\n');
}

/** Renders WebVTT subtitles with the speaker in every cue. */
export function renderVtt(paragraphs: readonly SpokenParagraph[], language: string | null): string {
  const cues = createCues(withPlainNames(paragraphs), language).map((cue) => {
    const lines = escapeVtt(cue.lines.join('\n'));
    const text = cue.speaker === null ? lines : `<v ${escapeVtt(cue.speaker)}>${lines}</v>`;
    return `\n${formatPeriod(cue, '.')}\n${text}\n`;
  });
  return `WEBVTT\n${cues.join('')}`;
}
