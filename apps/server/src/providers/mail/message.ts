import type { SendMailOptions } from 'nodemailer';
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
export function decodeMail(message: string): DecodedMail {
  const [head = '', ...body] = message.split('\r\n\r\n');
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n');
  const header = (name: string) => {
    const line = lines.find((entry) => entry.toLowerCase().startsWith(`${name}:`)) ?? '';
    return decodeWords(line.slice(name.length + 1).trim());
  };
  const text = body.join('\r\n\r\n');
  return {
    to: header('to'),
    subject: header('subject'),
    language: header('content-language'),
    text: header('content-transfer-encoding') === 'quoted-printable' ? decodeQuoted(text) : text,
  };
}

/** Decodes the encoded words of a header (RFC 2047). */
function decodeWords(value: string): string {
  return value
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_word, encoding: string, encoded: string) =>
      encoding.toLowerCase() === 'b'
        ? Buffer.from(encoded, 'base64').toString('utf8')
        : decodeQuoted(encoded.replaceAll('_', ' ')),
    );
}

/** Decodes quoted-printable text in UTF-8 (RFC 2045, 6.7). */
function decodeQuoted(text: string): string {
  const bytes = text
    .replace(/=\r\n/g, '')
    .replace(/=([0-9a-f]{2})/gi, (_escape, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
