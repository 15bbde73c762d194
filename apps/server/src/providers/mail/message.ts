import type { SendMailOptions } from 'nodemailer';
import PostalMime from 'postal-mime';
import type { Mail } from './port.ts';

/** Returns a mail as nodemailer takes it. Quoted-printable keeps codes legible in outbox files in all languages. */
export function messageOf({ language, ...mail }: Mail): SendMailOptions {
  return {
    ...mail,
    textEncoding: 'quoted-printable',
    headers: { 'Content-Language': language },
  };
}

/** The fields of a received or stored mail, decoded. */
export interface DecodedMail {
  readonly to: string;
  readonly subject: string;
  readonly language: string;
  readonly text: string;
}

/** Decodes a plain-text mail as created by {@link messageOf}. */
export async function decodeMail(message: string): Promise<DecodedMail> {
  const { to, subject, text, headers } = await PostalMime.parse(message);
  return {
    to: to?.[0]?.address ?? '',
    subject: subject ?? '',
    language: headers.find(({ key }) => key === 'content-language')?.value ?? '',
    text: text ?? '',
  };
}
