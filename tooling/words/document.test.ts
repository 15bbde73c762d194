/** Tests the translations used without the app's code: the manifests and the messages in `index.html`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { interfaceLanguages } from '@linnet/contract/interface-languages';
import { describe, expect, it } from 'vitest';
import { createManifest, translateDocument } from '../../apps/app/scripts/document.ts';
import { manifestPath } from '../../apps/app/src/i18n/languages.ts';
import { textsByLanguage } from './texts.ts';

const app = join(import.meta.dirname, '..', '..', 'apps', 'app');
const english = JSON.parse(readFileSync(join(app, 'public', 'manifest.webmanifest'), 'utf8'));
const document = translateDocument(readFileSync(join(app, 'index.html'), 'utf8'));

it('the English manifest has the texts of the app', () => {
  expect(manifestPath('en')).toBe('/manifest.webmanifest');
  expect(createManifest('en')).toEqual(english);
});

it('the page describes the app like the English manifest', () => {
  expect(document).toContain(`content="${english.description}"`);
});

describe.each(interfaceLanguages)('$language', ({ language, direction }) => {
  const texts = textsByLanguage.get(language) ?? new Map();

  it('has a separate manifest for the same app', () => {
    const { description, lang, dir, shortcuts, screenshots, ...others } = createManifest(language);
    expect(english).toMatchObject(others);
    expect([description, lang, dir]).toEqual([texts.get('about.lead'), language, direction]);
    expect(shortcuts.map(({ url }) => url)).toEqual(
      english.shortcuts.map(({ url }: { url: string }) => url),
    );
    expect(shortcuts.map(({ name }) => name)).toEqual(
      ['search.title', 'sessions.title', 'connect.title'].map((key) => texts.get(key)),
    );
    expect(screenshots.map(({ label }) => label)).toEqual(
      ['files.title', 'detail.transcription', 'files.title'].map((key) => texts.get(key)),
    );
  });

  it('has texts for browsers without JavaScript and for a failed start', () => {
    const attributes = `lang="${language}" dir="${direction}"`;
    const [, noScript] = /<noscript>(.*?)<\/noscript>/s.exec(document) ?? [];
    expect(noScript).toContain(`<p ${attributes}>${texts.get('document.noScript')}</p>`);
    const [, splash] = /<div class="splash">(.*?)<\/div>/s.exec(document) ?? [];
    expect(splash).toContain(
      `<span ${attributes} hidden>${texts.get('document.startFailed')} <button type="button">${texts.get('common.retry')}</button></span>`,
    );
  });
});

it('each manifest has a separate path', () => {
  const paths = interfaceLanguages.map(({ language }) => manifestPath(language));
  expect(new Set(paths).size).toBe(interfaceLanguages.length);
});
