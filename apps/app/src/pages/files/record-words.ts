export { recordingName as nameOf } from '../../i18n/record-name.ts';

/** Maximum length of summary previews (specification, section 9). */
const previewLength = 60;

/**
 * Returns the start of a summary on one line. A summary longer than 60 characters is truncated and ends with
 * '...'.
 */
export function preview(summary: string): string {
  const line = summary.replace(/\s+/g, ' ').trim();
  const characters = [...line];
  return characters.length > previewLength
    ? `${characters.slice(0, previewLength).join('')}...`
    : line;
}
