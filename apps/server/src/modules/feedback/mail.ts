import type { Row } from '../../db/database.ts';
import type { Mail } from '../../providers/mail/port.ts';

/** Returns the English mail that forwards feedback to the operator. `email` is null for a signed-out user. */
export function feedbackMail(
  to: string,
  feedback: Omit<Row<'feedback'>, 'account_id' | 'created_at'> & { email: string | null },
): Mail {
  const text = [
    feedback.content,
    '',
    `Kind: ${feedback.kind}`,
    `From: ${feedback.email ?? "someone who wasn't signed in"}`,
    ...(feedback.contact === '' ? [] : [`Answer to: ${feedback.contact}`]),
    ...(feedback.log_key === null ? [] : [`Log: ${feedback.log_key}`]),
    ...(feedback.log === '' ? [] : [`With a log: npm run cli -- feedback log ${feedback.id}`]),
    `Feedback: ${feedback.id}`,
    '',
  ].join('\n');
  return { to, language: 'en', subject: 'Feedback on Linnet', text };
}
