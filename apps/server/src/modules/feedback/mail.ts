import type { Row } from '../../db/database.ts';
import type { Mail } from '../../providers/mail/port.ts';

/** Returns the email, in English, that forwards feedback to the operator. `email` is null for a signed-out user. */
export function feedbackMail(
  to: string,
  feedback: Omit<Row<'feedback'>, 'account_id' | 'created_at'> & { email: string | null },
): Mail {
  const text = [
    feedback.content,
    '',
    `Kind: ${feedback.kind}`,
    `From: ${feedback.email ?? 'a signed-out user'}`,
    ...(feedback.contact === '' ? [] : [`Reply to: ${feedback.contact}`]),
    ...(feedback.log_key === null ? [] : [`Log: ${feedback.log_key}`]),
    ...(feedback.log === ''
      ? []
      : [`To read the attached log: npm run cli -- feedback log ${feedback.id}`]),
    `Feedback: ${feedback.id}`,
    '',
  ].join('\n');
  return { to, language: 'en', subject: 'Feedback on Linnet', text };
}
