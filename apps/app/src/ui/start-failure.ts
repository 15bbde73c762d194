import { bestLanguage } from '../i18n/languages.ts';

/**
 * Reports a failed start on the splash screen, before anything else is rendered. `index.html` has the message in every
 * interface language; this shows the best match for the browser.
 */
export function showStartFailure(): void {
  const notice = document.querySelector<HTMLElement>('.splash-trouble');
  const language = bestLanguage(navigator.languages);
  const message = notice?.querySelector<HTMLElement>(`[lang="${language}"]`);
  if (!notice || !message) return;
  message.hidden = false;
  notice.hidden = false;
  message.querySelector('button')?.addEventListener('click', () => location.reload());
}
