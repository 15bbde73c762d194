import { screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { getDirection, type InterfaceLanguage, interfaceLanguages } from '../../i18n/index.ts';
import { manifestPath } from '../../i18n/languages.ts';
import { createFixtureServices, renderPage } from '../../testing/render-page.tsx';

afterEach(() => {
  vi.restoreAllMocks();
  document.querySelector('link[rel=manifest]')?.remove();
});

const locales = import.meta.glob<{ account: { signInTitle: string } }>(
  '../../i18n/locales/*/entry.{ts,json}',
  { import: 'default', eager: true },
);

/** Returns the title of the sign-in page in a language. */
function signInTitle(language: string): string | undefined {
  const [, texts] =
    Object.entries(locales).find(([path]) => path.includes(`/locales/${language}/`)) ?? [];
  return texts?.account.signInTitle;
}

it.each([
  ...interfaceLanguages.map(({ language }) => [language, language] as const),
  ['ja-JP', 'ja'],
  ['ar-EG', 'ar'],
  ['pt-BR', 'pt'],
  // Simplified Chinese is a closer match than English.
  ['zh-TW', 'zh-Hans'],
  // Swedish isn't supported.
  ['sv', 'en'],
] as const)('a browser that prefers %s shows %s', async (preferred, language) => {
  document.head.append(Object.assign(document.createElement('link'), { rel: 'manifest' }));
  vi.spyOn(navigator, 'languages', 'get').mockReturnValue([preferred]);
  await renderPage('/', createFixtureServices({ account: 'out' }), { language: null });
  const heading = screen.getByRole('heading', { level: 1 });
  expect(heading.textContent).toBe(signInTitle(language));
  expect(document.documentElement.lang).toBe(language);
  expect(document.documentElement.dir).toBe(getDirection(language));
  const manifest = document.querySelector('link[rel=manifest]')?.getAttribute('href');
  expect(manifest).toBe(manifestPath(language as InterfaceLanguage));
  // No language is saved, so the app follows if the browser's language changes later.
  expect(localStorage.getItem('language')).toBeNull();
});

it('the page changes the language immediately, and can follow the language of the browser', async () => {
  const { user } = await renderPage('/pages/me', createFixtureServices({}), { language: null });
  await user.click(screen.getByTestId('language'));
  expect(await screen.findAllByRole('radio')).toHaveLength(interfaceLanguages.length + 1);
  expect(screen.getByTestId('language-browser')).toHaveProperty('checked', true);
  await user.click(screen.getByText('العربية'));
  const heading = screen.getByRole('heading', { level: 1 });
  await waitFor(() => expect(heading.textContent).toBe('اللغة'));
  expect(document.documentElement.dir).toBe('rtl');
  expect(localStorage.getItem('language')).toBe('ar');
  expect(screen.getByTestId('language-ar')).toHaveProperty('checked', true);
  await user.click(screen.getByText('حسب لغة المتصفح'));
  await waitFor(() => expect(heading.textContent).toBe('Language'));
  expect(document.documentElement.dir).toBe('ltr');
  expect(localStorage.getItem('language')).toBeNull();
});

it('the page shows the language that was chosen earlier', async () => {
  await renderPage('/pages/language', createFixtureServices({}), { language: 'ar' });
  expect(screen.getByTestId('language-ar')).toHaveProperty('checked', true);
  expect(screen.getByTestId('language-browser')).toHaveProperty('checked', false);
});
