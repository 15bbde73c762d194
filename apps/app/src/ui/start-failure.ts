const primaryLanguage = (tag: string) => tag.toLowerCase().split('-')[0];

/**
 * Reports a failed start on the splash screen, before anything else is rendered. `index.html` has the message in every
 * interface language; this shows the best match for the browser, or English.
 */
export function showStartFailure(): void {
  const notice = document.querySelector<HTMLElement>('.splash-trouble');
  if (!notice) return;
  const texts = [...notice.querySelectorAll<HTMLElement>('[lang]')];
  const text = [...navigator.languages, 'en']
    .map((tag) => texts.find(({ lang }) => primaryLanguage(lang) === primaryLanguage(tag)))
    .find((found) => found !== undefined);
  if (!text) return;
  text.hidden = false;
  notice.hidden = false;
  text.querySelector('button')?.addEventListener('click', () => location.reload());
}
