import type { LiveText } from '@linnet/sync';
import { createInstance } from 'i18next';
import { renderToStaticMarkup } from 'react-dom/server';
import { I18nextProvider } from 'react-i18next';
import { expect, it } from 'vitest';
import { LiveTextSection } from './live-text.tsx';

const i18n = createInstance();
await i18n.init({ lng: 'cimode' });

const render = (text: LiveText) =>
  renderToStaticMarkup(
    <I18nextProvider i18n={i18n}>
      <LiveTextSection text={text} note={null} />
    </I18nextProvider>,
  );

const passages = [
  { start: 0, end: 2, text: 'Bonjour.' },
  { start: 2, end: 4, text: 'On commence.' },
];
const tentative = { start: 4, end: 5, text: 'Il faut' };
const listening = { language: 'fr', state: { status: 'listening' } } as const;

it('shows final passages as a log, and dims the words after them, which may still change', () => {
  const html = render({ ...listening, passages, tentative });
  const [log, rest] = html.split(/(?<=<\/div>)(?=<p class="live-text-tentative")/);
  expect(log).toMatch(/role="log" lang="fr".*Bonjour\..*On commence\./);
  expect(rest).toContain('Il faut');
});

it('shows nothing before there are words or a note', () => {
  expect(render({ ...listening, passages: [], tentative: null })).toBe('');
});
