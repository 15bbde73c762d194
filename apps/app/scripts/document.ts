/**
 * Translates the parts of the web app that are read before its code runs: the manifest and the strings in `index.html`.
 * The English manifest is `public/manifest.webmanifest`; the strings come from the app's translations.
 */
import { readFileSync } from 'node:fs';
import {
  getDirection,
  type InterfaceLanguage,
  interfaceLanguages,
} from '@linnet/contract/interface-languages';
import type { Plugin } from 'vite';
import { manifestPath } from '../src/i18n/languages.ts';
import { readTexts } from './read-texts.ts';

type Texts = ReturnType<typeof readTexts>;
type Shortcut = { readonly name: string; readonly short_name?: string; readonly url: string };
type Screenshot = { readonly label: string; readonly src: string };
type Manifest = {
  readonly description: string;
  readonly lang: string;
  readonly dir: string;
  readonly shortcuts: readonly Shortcut[];
  readonly screenshots: readonly Screenshot[];
};

const english: Manifest = JSON.parse(
  readFileSync(new URL('../public/manifest.webmanifest', import.meta.url), 'utf8'),
);

/** Shortcut names, keyed by URL. */
const shortcutNames: Readonly<
  Record<string, (texts: Texts) => Pick<Shortcut, 'name' | 'short_name'>>
> = {
  '/pages/search': ({ search }) => ({ name: search.title }),
  '/pages/deviceFiles': ({ sessions, steps }) => ({
    name: sessions.title,
    short_name: steps.places.recorder,
  }),
  '/pages/deviceConnect': ({ connect }) => ({ name: connect.title }),
};

/** Screenshot labels, keyed by file name suffix. */
const screenshotLabels: Readonly<Record<string, (texts: Texts) => string>> = {
  files: ({ files }) => files.title,
  transcription: ({ detail }) => detail.transcription,
};

function lookUp<T>(table: Readonly<Record<string, T>>, key: string): T {
  const value = table[key];
  if (value === undefined) throw new Error(`the manifest has no translated text for ${key}`);
  return value;
}

/**
 * Returns the web app's manifest in the given language.
 * @throws if a shortcut or screenshot has no translation
 */
export function createManifest(language: InterfaceLanguage): Manifest {
  const texts = readTexts(language);
  return {
    ...english,
    description: texts.about.lead,
    lang: language,
    dir: getDirection(language),
    shortcuts: english.shortcuts.map((shortcut) => ({
      ...shortcut,
      ...lookUp(shortcutNames, shortcut.url)(texts),
    })),
    screenshots: english.screenshots.map((screenshot) => {
      const [, subject = ''] = /-(\w+)\.png$/.exec(screenshot.src) ?? [];
      return { ...screenshot, label: lookUp(screenshotLabels, subject)(texts) };
    }),
  };
}

/** Returns every manifest except the English one, keyed by path. */
function translatedManifests(): Map<string, string> {
  return new Map(
    interfaceLanguages
      .filter(({ language }) => language !== 'en')
      .map(({ language }) => [manifestPath(language), JSON.stringify(createManifest(language))]),
  );
}

/** Adds the strings of every language to `index.html`, each with its own `lang` and `dir`. */
export function translateDocument(html: string): string {
  const lines = (write: (texts: Texts) => string, tag: string, attributes: string) =>
    interfaceLanguages
      .map(({ language, direction }) => {
        const content = write(readTexts(language));
        return `<${tag} lang="${language}" dir="${direction}"${attributes}>${content}</${tag}>`;
      })
      .join('\n');
  const failure = ({ document, common }: Texts) =>
    `${document.startFailed} <button type="button">${common.retry}</button>`;
  return html
    .replace(/(<p class="splash-trouble"[^>]*>)/, `$1\n${lines(failure, 'span', ' hidden')}`)
    .replace('<noscript>', `<noscript>\n${lines((texts) => texts.document.noScript, 'p', '')}`);
}

/** Vite plugin that emits the manifests and translates `index.html`. */
export function translatedDocument(): Plugin {
  return {
    name: 'translated-document',
    generateBundle() {
      for (const [path, source] of translatedManifests())
        this.emitFile({ type: 'asset', fileName: path.slice(1), source });
    },
    configureServer(server) {
      const manifests = translatedManifests();
      server.middlewares.use((request, response, next) => {
        const manifest = manifests.get(request.url ?? '');
        if (manifest === undefined) return next();
        response.setHeader('content-type', 'application/manifest+json').end(manifest);
      });
    },
    transformIndexHtml: { order: 'pre', handler: translateDocument },
  };
}
