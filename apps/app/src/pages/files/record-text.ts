export { recordingName as getName } from '../../i18n/record-name.ts';

/** Maximum length of summary previews in characters (specification, section 9). */
const previewLength = 60;

/** Returns the start of a summary on one line, truncated to 60 characters and '...' if it is longer. */
export function preview(summary: string): string {
  const line = summary.replace(/\s+/g, ' ').trim();
  const characters = [...line];
  return characters.length > previewLength
    ? `${characters.slice(0, previewLength).join('')}...`
    : line;
}
