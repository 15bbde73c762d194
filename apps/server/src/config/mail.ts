import { z } from 'zod';
import { variable } from './variable.ts';

/** Variables for outgoing mail, feedback and customer service. */
export const mailVariables = {
  SMTP_URL: variable(
    'smtp://… or smtps://…',
    'none',
    'Mail server. Without it, emails are written to `DATA_DIR/outbox` and shown on `/outbox`, which requires the token printed at startup, and users receive no notification emails.',
    z
      .url({ protocol: /^smtps?$/, error: 'an address such as smtp://user:password@host:587' })
      .optional(),
  ),
  MAIL_FROM: variable(
    'address',
    'Linnet <linnet@localhost>',
    'Sender of all emails.',
    z.string().min(3).default('Linnet <linnet@localhost>'),
  ),
  FEEDBACK_TO: variable(
    'address',
    'none',
    'Address that is notified of new feedback. Feedback is always stored in the database.',
    z.email({ error: 'an email address' }).optional(),
  ),
  SUPPORT_URL: variable(
    'https://… or mailto:…',
    'none',
    'Customer service page or email address. Without it, the app offers only the feedback form.',
    z
      .url({
        protocol: /^(https|mailto)$/,
        error: 'an address such as https://help.example or mailto:help@example.org',
      })
      .optional(),
  ),
} as const;
