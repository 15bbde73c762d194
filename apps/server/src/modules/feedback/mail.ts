import type { Row } from '../../db/database.ts';
import type { Mail } from '../../providers/mail/port.ts';

/** Feedback for whoever runs this server. */
export function feedbackMail(
  to: string,
  feedback: Pick<Row<'feedback'>, 'id' | 'content' | 'contact' | 'log_key'> & { email: string },
): Mail {
  const text = [
    feedback.content,
    '',
    `From: ${feedback.email}`,
    ...(feedback.contact === '' ? [] : [`Answer to: ${feedback.contact}`]),
    ...(feedback.log_key === null ? [] : [`Log: ${feedback.log_key}`]),
    `Feedback: ${feedback.id}`,
    '',
  ].join('\n');
  return { to, subject: 'Feedback on Linnet', text };
}
