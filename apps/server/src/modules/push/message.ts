/** Writes notifications in the format of Declarative Web Push, which the app's service worker also reads. */

import { getDirection, type InterfaceLanguage } from '@linnet/contract/interface-languages';
import type { NotificationKind } from '@linnet/contract/notifications';
import type { Queries, Row } from '../../db/database.ts';
import type { Jobs } from '../../jobs/jobs.ts';
import { fillCount, words } from '../../words/index.ts';
import { displayName } from '../recording/view.ts';
import { findDueTodos } from './due-todos.ts';
import { createTopic } from './subscriptions.ts';

/** The decrypted content of a push message. */
export interface PushMessage {
  /** Identifies the message format, as specified by Declarative Web Push. */
  readonly web_push: 8030;
  readonly notification: {
    readonly title: string;
    readonly body?: string;
    readonly lang: InterfaceLanguage;
    readonly dir: 'ltr' | 'rtl';
    /** A notification replaces the previous one with the same tag. */
    readonly tag: string;
    /** URL of the page in the app. */
    readonly navigate: string;
    readonly data: {
      readonly kind: NotificationKind;
      /** The recording's client flag, or null if there is no recording. */
      readonly recording: string | null;
    };
  };
}

/** Maximum number of characters per line, and maximum number of lines. A message must fit into 4096 bytes. */
const maxLineLength = 120;
const maxLines = 3;

export interface MessageOptions {
  readonly subscription: Pick<Row<'push_subscriptions'>, 'account_id' | 'shows_titles'>;
  readonly language: InterfaceLanguage;
  /** The server's URL as opened by users. */
  readonly origin: string;
}

/** Writes a job's message from the current state. Returns null if there is nothing left to notify the user of. */
export async function writePushMessage(
  queries: Queries,
  job: Jobs['send-push'],
  { subscription, language, origin }: MessageOptions,
): Promise<PushMessage | null> {
  const { account_id: accountId, shows_titles: showsTitles } = subscription;
  const texts = words[language].push;
  const message = (
    subject: string,
    content: {
      readonly title: string;
      readonly lines: readonly string[];
      readonly url: string;
      readonly recording: string | null;
    },
  ): PushMessage => {
    const body = content.lines.filter(Boolean).slice(0, maxLines).map(shorten).join('\n');
    return {
      web_push: 8030,
      notification: {
        title: content.title,
        ...(body !== '' && { body }),
        lang: language,
        dir: getDirection(language),
        tag: createTopic(accountId, subject),
        navigate: content.url,
        data: { kind: job.kind, recording: content.recording },
      },
    };
  };

  switch (job.kind) {
    case 'test': {
      const { testTitle: title, testBody } = texts;
      return message('test', { title, lines: [testBody], url: `${origin}/`, recording: null });
    }
    case 'transcript': {
      const recording = await queries
        .selectFrom('recordings')
        .select(['client_flag', displayName.as('name')])
        .where('id', '=', job.recordingId)
        .where('account_id', '=', accountId)
        .where('is_del', '=', 0)
        .executeTakeFirst();
      if (!recording) return null;
      const { client_flag: flag, name } = recording;
      return message(`transcript ${job.recordingId}`, {
        title: texts.transcriptReady,
        lines: showsTitles ? [name] : [],
        url: `${origin}/pages/fileDetail?${new URLSearchParams({ id: flag })}`,
        recording: flag,
      });
    }
    case 'todos': {
      const todos = await findDueTodos(queries, { accountId, day: job.day, origin });
      const [first] = todos;
      if (!first) return null;
      return message('todos', {
        title: fillCount(texts.todosDue, todos.length, language),
        lines: showsTitles ? todos.map(({ text }) => text) : [],
        url: first.url,
        recording: first.recording.client_flag,
      });
    }
  }
}

function shorten(line: string): string {
  const characters = [...line];
  return characters.length <= maxLineLength
    ? line
    : `${characters.slice(0, maxLineLength - 1).join('')}…`;
}
