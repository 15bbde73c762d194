import { limits } from '@linnet/contract/limits';
import type { Mail } from '../../providers/mail/port.ts';

/** Returns the mail with a verification code. Only the mail reveals whether the address has an account. */
export function codeMail({
  to,
  code,
  hasAccount,
}: {
  to: string;
  code: string;
  hasAccount: boolean;
}): Mail {
  const minutes = limits.code.ttlSeconds / 60;
  const purpose = hasAccount
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

/** Returns the mail that confirms a closed account's erasure. */
export function farewellMail(to: string): Mail {
  const text = [
    'Your Linnet account is closed, as you asked.',
    '',
    'Your recordings, transcripts and settings are deleted, and your recorder is free to be bound again. A membership no longer renews itself. Only what invoices need is kept.',
    '',
    'This address can register again at any time.',
    '',
  ].join('\n');
  return { to, subject: 'Your Linnet account is closed', text };
}
