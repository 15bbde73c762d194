import type { InterfaceLanguage } from '@linnet/contract/interface-languages';
import { limits } from '@linnet/contract/limits';
import type { Mail } from '../../providers/mail/port.ts';
import { fill, fillMinutes, words } from '../../words/index.ts';

/**
 * Returns the email with a verification code. Only this email reveals whether the address has an account; API responses
 * don't.
 */
export function codeMail({
  to,
  code,
  hasAccount,
  language,
}: {
  to: string;
  code: string;
  hasAccount: boolean;
  language: InterfaceLanguage;
}): Mail {
  const texts = words[language].codeMail;
  return {
    to,
    language,
    subject: fill(texts.subject, { code }),
    text: paragraphs([
      texts.lead,
      // Transfer encoding can break long lines. On its own line, the code stays legible in an outbox file.
      code,
      fillMinutes(texts.expires, limits.code.ttlSeconds / 60, language),
      hasAccount ? texts.knownAddress : texts.newAddress,
      texts.notRequested,
    ]),
  };
}

/** Returns the email that confirms that an account has been deleted. */
export function farewellMail(to: string, language: InterfaceLanguage): Mail {
  const { subject, deleted, details, registerAgain } = words[language].farewellMail;
  return { to, language, subject, text: paragraphs([deleted, details, registerAgain]) };
}

const paragraphs = (texts: readonly string[]) => `${texts.join('\n\n')}\n`;
