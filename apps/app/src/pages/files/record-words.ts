import { dayAndMonth } from '../../i18n/format.ts';
import type { useTranslation } from '../../i18n/index.ts';

type Translate = ReturnType<typeof useTranslation>['t'];

/** Summary previews are cut here (specification, section 9). */
const previewLength = 60;

/** What a recording is called: the owner's name, else the one found in it, else its date. */
export function nameOf(
  record: { readonly title: string; readonly ai_title: string; readonly create_date: string },
  t: Translate,
  language: string,
): string {
  return (
    record.title ||
    record.ai_title ||
    t('files.untitled', { date: dayAndMonth(record.create_date, language) })
  );
}

/** The start of a summary on one line: 60 characters, with '...' when there is more. */
export function preview(summary: string): string {
  const line = summary.replace(/\s+/g, ' ').trim();
  const characters = [...line];
  return characters.length > previewLength
    ? `${characters.slice(0, previewLength).join('')}...`
    : line;
}

/** Whether a recording answers a search: every word is in its title or keywords. */
export function matches(
  record: {
    readonly title: string;
    readonly ai_title: string;
    readonly keywords: readonly string[];
  },
  words: string,
): boolean {
  const haystack = [record.title, record.ai_title, ...record.keywords]
    .join(' ')
    .toLocaleLowerCase();
  return words
    .toLocaleLowerCase()
    .split(/\s+/)
    .every((word) => haystack.includes(word));
}
