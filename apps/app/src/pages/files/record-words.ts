export { nameOf } from '../../i18n/record-name.ts';

/** Maximum length of summary previews (specification, section 9). */
const previewLength = 60;

/** The start of a summary on one line: 60 characters, followed by '...' if truncated. */
export function preview(summary: string): string {
  const line = summary.replace(/\s+/g, ' ').trim();
  const characters = [...line];
  return characters.length > previewLength
    ? `${characters.slice(0, previewLength).join('')}...`
    : line;
}
