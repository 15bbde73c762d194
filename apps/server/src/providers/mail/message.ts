import type { SendMailOptions } from 'nodemailer';
import PostalMime from 'postal-mime';
import type { Mail } from './port.ts';

/**
 * Converts an email to nodemailer's options. Quoted-printable encoding keeps codes legible in outbox files in all
 * languages.
 */
export function toMessage({ language, unsubscribeUrl, id, ...mail }: Mail): SendMailOptions {
  return {
    ...mail,
    ...(id !== undefined && { messageId: `<${id}>` }),
    textEncoding: 'quoted-printable',
    headers: {
      'Content-Language': language,
      ...(unsubscribeUrl !== undefined && {
        'Auto-Submitted': 'auto-generated',
        'List-Unsubscribe': `<${unsubscribeUrl}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
  };
}

/** The decoded fields of a received or stored mail. */
export interface DecodedMail {
  readonly to: string;
  readonly subject: string;
  readonly language: string;
  readonly text: string;
}

/** Decodes an email created by {@link toMessage}. */
export async function decodeMail(message: string): Promise<DecodedMail> {
  const { to, subject, text, headers } = await PostalMime.parse(message);
  return {
    to: to?.[0]?.address ?? '',
    subject: subject ?? '',
    language: headers.find(({ key }) => key === 'content-language')?.value ?? '',
    text: text ?? '',
  };
}
