import { limits } from '@linnet/contract/limits';
import type { Mail } from '../../providers/mail/port.ts';

/** The mail with a verification code; it alone says whether the address has an account. */
export function codeMail({ to, code, known }: { to: string; code: string; known: boolean }): Mail {
  const minutes = limits.code.ttlSeconds / 60;
  const purpose = known
    ? 'This address already has a Linnet account. With the code you can choose a new password for it.'
    : 'This address has no Linnet account yet. With the code you can register one.';
  const text = [
    `Your verification code is ${code}`,
    '',
    `It is valid for ${minutes} minutes. ${purpose}`,
    '',
    'If you did not ask for it, somebody mistyped an address: nothing happens unless the code is used.',
    '',
  ].join('\n');
  return { to, subject: `${code} is your Linnet verification code`, text };
}
