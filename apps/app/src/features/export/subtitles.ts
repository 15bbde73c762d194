import { type Cue, cuesOf, type Spoken } from './cues.ts';

/** `00:01:02,345` */
function stamp(milliseconds: number, point: ',' | '.'): string {
  const two = (value: number) => String(Math.floor(value)).padStart(2, '0');
  const seconds = `${two((milliseconds / 1000) % 60)}${point}${String(milliseconds % 1000).padStart(3, '0')}`;
  return `${two(milliseconds / 3_600_000)}:${two((milliseconds / 60_000) % 60)}:${seconds}`;
}

const from = ({ start, end }: Cue, point: ',' | '.') =>
  `${stamp(start, point)} --> ${stamp(end, point)}`;

/** Escapes WebVTT markup. */
const plain = (text: string) =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

/** SubRip, with a name where the speaker changes. */
export function srtOf(spoken: readonly Spoken[], language: string | null): string {
  return cuesOf(spoken, language, (speaker) => `${speaker}:`)
    .map((cue, index) => `${index + 1}\n${from(cue, ',')}\n${cue.lines.join('\n')}\n`)
    .join('\n');
}

/** WebVTT, with the speaker in every cue. */
export function vttOf(spoken: readonly Spoken[], language: string | null): string {
  const cues = cuesOf(spoken, language).map((cue) => {
    const lines = plain(cue.lines.join('\n'));
    const text = cue.speaker === null ? lines : `<v ${plain(cue.speaker)}>${lines}</v>`;
    return `\n${from(cue, '.')}\n${text}\n`;
  });
  return `WEBVTT\n${cues.join('')}`;
}
