/** Writes notification emails. They identify recordings only by time, because email isn't encrypted for the user. */
import { createHash } from 'node:crypto';
import { getDirection, type InterfaceLanguage } from '@linnet/contract/interface-languages';
import { html } from '../../http/html.ts';
import type { Mail } from '../../providers/mail/port.ts';
import { fillCount, words } from '../../words/index.ts';
import { formatUserTime, type RecordedTime } from '../recording/user-time.ts';

/** A recording, and the URL of its page in the app. */
export interface MailedRecording {
  readonly recording: RecordedTime;
  readonly url: string;
}

/** The content of an email. `count` is the number of transcripts or to-dos. */
export interface MailContent {
  readonly kind: 'transcript' | 'todos';
  readonly count: number;
  readonly recordings: readonly MailedRecording[];
}

export interface MailOptions {
  readonly to: string;
  readonly language: InterfaceLanguage;
  /** The server's URL as opened by users. */
  readonly origin: string;
  readonly unsubscribeUrl: string;
  /** Identifies the event, so that mail clients recognize an email that is sent twice. */
  readonly event: string;
}

/** Maximum number of recordings listed in an email. */
const maxListed = 20;

export function notificationMail(
  { kind, count, recordings }: MailContent,
  { to, language, origin, unsubscribeUrl, event }: MailOptions,
): Mail {
  const texts = words[language].mail;
  const forms = kind === 'transcript' ? texts.transcriptsReady : words[language].push.todosDue;
  const subject = fillCount(forms, count, language);
  const listedRecordings = recordings.slice(0, maxListed).map(({ recording, url }) => ({
    label: formatUserTime(language, recording),
    url,
  }));
  const others = recordings.length - listedRecordings.length;
  const links =
    others === 0
      ? listedRecordings
      : [
          ...listedRecordings,
          { label: fillCount(texts.more, others, language), url: `${origin}/` },
        ];
  const text = [
    subject,
    ...links.map(({ label, url }) => `${label}\n${url}`),
    texts.reason,
    `${texts.stop}\n${unsubscribeUrl}`,
  ];
  const items = links.map(({ label, url }) => html`<li><a href="${url}">${label}</a></li>\n`);
  const page = html`<html lang="${language}" dir="${getDirection(language)}">
<head><meta charset="utf-8"><title>${subject}</title></head>
<body>
<div lang="${language}" dir="${getDirection(language)}">
<p>${subject}</p>
<ul>
${items}</ul>
<p>${texts.reason}<br><a href="${unsubscribeUrl}">${texts.stop}</a></p>
</div>
</body>
</html>
`;
  const digest = createHash('sha256').update(event).digest('hex').slice(0, 32);
  return {
    ...{ to, language, subject, unsubscribeUrl },
    id: `${digest}@${new URL(origin).hostname}`,
    text: `${text.join('\n\n')}\n`,
    html: `<!doctype html>\n${page}`,
  };
}
