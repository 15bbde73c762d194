/**
 * Everything that users read, in each interface language: the app, the server's emails and checkout, and iOS prompts.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { interfaceLanguages } from '@linnet/contract/interface-languages';
import { readTexts } from '../../apps/app/scripts/read-texts.ts';
import { words } from '../../apps/server/src/words/index.ts';

const app = join(import.meta.dirname, '..', '..', 'apps', 'app');
const localeFolder = (language: string) => join(app, 'src', 'i18n', 'locales', language);

/**
 * A language's messages, keyed by names such as `files.emptyTitle`, `server-words.codeMail.subject` and
 * `ios.NSCameraUsageDescription`.
 */
export type Texts = ReadonlyMap<string, string>;

function* flatten(tree: object, path: string): Iterable<[key: string, text: string]> {
  for (const [key, value] of Object.entries(tree)) {
    if (typeof value === 'string') yield [path + key, value];
    else yield* flatten(value, `${path}${key}.`);
  }
}

/** Returns the server's messages. As in the app, plural forms have an underscore in their keys. */
function* serverTexts(language: keyof typeof words): Iterable<[key: string, text: string]> {
  for (const [key, text] of flatten(words[language], 'server-words.')) {
    yield [key.replace(/\.(?=(?:zero|one|two|few|many|other)$)/, '_'), text];
  }
}

type Prompts = {
  readonly strings: Readonly<
    Record<
      string,
      { readonly localizations: Readonly<Record<string, { stringUnit: { value: string } }>> }
    >
  >;
};
const prompts: Prompts = JSON.parse(
  readFileSync(join(app, 'ios', 'App', 'App', 'InfoPlist.xcstrings'), 'utf8'),
);

function* promptTexts(language: string): Iterable<[key: string, text: string]> {
  for (const [name, { localizations }] of Object.entries(prompts.strings)) {
    const localization = localizations[language];
    if (localization) yield [`ios.${name}`, localization.stringUnit.value];
  }
}

export const textsByLanguage: ReadonlyMap<string, Texts> = new Map(
  interfaceLanguages.map(({ language }) => [
    language,
    new Map([
      ...flatten(readTexts(language), ''),
      ...serverTexts(language),
      ...promptTexts(language),
    ]),
  ]),
);

/** Returns a language's term list, in Markdown. */
export const readTermList = (language: string): string =>
  readFileSync(join(localeFolder(language), 'terms.md'), 'utf8');
