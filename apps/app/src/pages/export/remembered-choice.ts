import type { Setting } from '@linnet/contract';
import { exportParts } from '../../export-parts.ts';
import type { ExportAudioFormat, ExportChoice, TextFormat } from '../../ports/exports.ts';

/** The last choice is stored as a single synced setting. */
export const exportGroup = 'export';
export const choiceKey = 'choice';

/** Display order. As a record, it makes the compiler check that no format is missing. */
const textFormatOrder: Readonly<Record<TextFormat, number>> = {
  txt: 0,
  md: 1,
  docx: 2,
  pdf: 3,
  srt: 4,
  vtt: 5,
  json: 6,
};
export const textFormats = (Object.keys(textFormatOrder) as TextFormat[]).toSorted(
  (a, b) => textFormatOrder[a] - textFormatOrder[b],
);
export const audioFormats = ['mp3', 'ogg', 'wav'] as const satisfies readonly ExportAudioFormat[];
const defaultChoice: ExportChoice = {
  what: 'text',
  text: 'txt',
  sound: 'mp3',
  version: 'original',
  parts: ['summary', 'transcript'],
  speakers: true,
  times: true,
  marked: false,
  folders: true,
};

/** Returns the last choice, with defaults for missing or unknown values. */
export function readLastChoice(settings: readonly Setting[]): ExportChoice {
  const storedSetting = settings.find(
    ({ group_name, config_key }) => group_name === exportGroup && config_key === choiceKey,
  );
  return storedSetting ? parseChoice(storedSetting.config_value) : defaultChoice;
}

function parseChoice(value: string): ExportChoice {
  let stored: Partial<Record<keyof ExportChoice, unknown>> | null;
  try {
    stored = JSON.parse(value);
  } catch (error) {
    if (error instanceof SyntaxError) return defaultChoice;
    throw error;
  }
  const option = <T extends string>(
    key: keyof ExportChoice,
    values: readonly T[],
    fallback: T,
  ): T => values.find((each) => each === stored?.[key]) ?? fallback;
  const flag = (key: 'speakers' | 'times' | 'marked' | 'folders') =>
    typeof stored?.[key] === 'boolean' ? stored[key] : defaultChoice[key];
  const parts: readonly unknown[] = Array.isArray(stored?.parts)
    ? stored.parts
    : defaultChoice.parts;
  return {
    what: option('what', ['text', 'sound', 'both'], defaultChoice.what),
    text: option<TextFormat>('text', textFormats, defaultChoice.text),
    sound: option('sound', audioFormats, defaultChoice.sound),
    version: option('version', ['original', 'cleaner'], defaultChoice.version),
    parts: exportParts.filter((part) => parts.includes(part)),
    speakers: flag('speakers'),
    times: flag('times'),
    marked: flag('marked'),
    folders: flag('folders'),
  };
}

/**
 * Returns whether the user can choose which parts a format includes. Subtitles contain only the transcript, and JSON
 * contains everything.
 */
export const hasParts = (format: TextFormat) => !['srt', 'vtt', 'json'].includes(format);

/** Returns whether the choice requires membership. Only plain text and audio don't. */
export const isForMembers = ({ what, text }: ExportChoice) => what !== 'sound' && text !== 'txt';
