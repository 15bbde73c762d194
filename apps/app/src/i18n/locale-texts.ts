/** The texts of all interface languages, for tests. The app loads languages separately. */

import en from './locales/en/index.ts';

/** The texts of a language by key, such as `files.emptyTitle`. Plural forms are keys of their own. */
export type Texts = ReadonlyMap<string, string>;

const files = import.meta.glob<object>('./locales/*/*.json', { import: 'default', eager: true });
const termLists = import.meta.glob<string>('./locales/*/terms.md', {
  query: '?raw',
  import: 'default',
  eager: true,
});

function flatten(tree: object, path = ''): Map<string, string> {
  const texts = new Map<string, string>();
  for (const [key, value] of Object.entries(tree)) {
    if (typeof value === 'string') texts.set(path + key, value);
    else for (const [inner, text] of flatten(value, `${path}${key}.`)) texts.set(inner, text);
  }
  return texts;
}

const trees = new Map<string, object>([['en', en]]);
/** The file names of each translation. */
export const fileNames = new Map<string, string[]>();
for (const [path, tree] of Object.entries(files)) {
  const [, , language = '', name = ''] = path.split('/');
  trees.set(language, { ...trees.get(language), ...tree });
  fileNames.set(language, [...(fileNames.get(language) ?? []), name]);
}

/** The texts of each language that has a folder. */
export const texts: ReadonlyMap<string, Texts> = new Map(
  [...trees].map(([language, tree]) => [language, flatten(tree)]),
);

/** Returns the texts of a language. */
export const textsOf = (language: string): Texts => texts.get(language) ?? new Map();

/** Returns the term list of a language in Markdown; empty if there is none. */
export const termListOf = (language: string): string =>
  termLists[`./locales/${language}/terms.md`] ?? '';
