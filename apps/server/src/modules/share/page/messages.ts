import type { InterfaceLanguage } from '@linnet/contract/interface-languages';
import { html } from '../../../http/html.ts';
import { words } from '../../../words/index.ts';
import { framePage } from './frame.ts';

function message(language: InterfaceLanguage, title: string, text: string): string {
  const main = html`<h1>${title}</h1><p>${text}</p>`;
  return framePage({ language, title, main });
}

/** The page for invalid, expired and revoked links. It doesn't reveal the reason. */
export function invalidPage(language: InterfaceLanguage): string {
  const { invalidTitle, invalidText } = words[language].share;
  return message(language, invalidTitle, invalidText);
}

/** The page for an internal error. */
export function failedPage(language: InterfaceLanguage): string {
  const { failedTitle, failedText } = words[language].share;
  return message(language, failedTitle, failedText);
}

/** The page for too many requests. */
export function busyPage(language: InterfaceLanguage): string {
  const { failedTitle, tooManyAttempts } = words[language].share;
  return message(language, failedTitle, tooManyAttempts);
}

/**
 * The page that asks for the password. It reveals nothing about the recording.
 * @param action the URL to submit the form to, which is the page's own
 */
export function passwordPage(
  language: InterfaceLanguage,
  action: string,
  failure: 'wrongPassword' | 'tooManyAttempts' | null,
): string {
  const texts = words[language].share;
  const error = failure && html`<p class="error" role="alert" id="failure">${texts[failure]}</p>`;
  const main = html`<h1>${texts.passwordTitle}</h1>
<p>${texts.passwordHint}</p>
<form method="post" action="${action}">
<label for="password">${texts.password}</label>
<input id="password" name="password" type="password" autocomplete="off" required${failure && html` aria-invalid="true" aria-describedby="failure"`}>
${error}
<button class="button">${texts.open}</button>
</form>`;
  return framePage({ language, title: texts.passwordTitle, main });
}
