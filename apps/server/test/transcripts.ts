import { createMinutes } from '../src/modules/minutes/service.ts';
import { createOutcomes } from '../src/modules/task/outcome.ts';
import type { Account, TestServer } from './server.ts';
import { toneWave, uploadRecording } from './uploads.ts';

export interface TranscribedRecording {
  readonly id: string;
  readonly clientFlag: string;
  readonly taskId: string;
  /** Ids, in order. */
  readonly paragraphs: readonly string[];
  /** A word that every such transcript holds, and one that only this one does. */
  readonly word: string;
  readonly secret: string;
}

/** A recording whose task ended well, as a worker would have ended it, without an engine. */
export async function transcribedRecording(
  server: TestServer,
  account: Account,
): Promise<TranscribedRecording> {
  const token = { token: account.access };
  const recording = await uploadRecording(server, account, toneWave(3, 8000), { ext: 'wav' });
  const { data: task } = await server.call(
    'task/create',
    { id: recording.id, language: 'en' },
    token,
  );
  const secret = `s${crypto.randomUUID().replaceAll('-', '')}`;
  const texts = ['The heron waits.', `Nobody heard of ${secret}.`];
  const ids = texts.map(() => crypto.randomUUID() as string);
  const now = () => new Date();
  const outcomes = createOutcomes(server.db, createMinutes({ unlimited: false, now }), now);
  await outcomes.succeed(task.id, ids, {
    seconds: 3,
    engine: 'pocketsphinx/test',
    paragraphs: texts.map((content, n) => ({ start: n, end: n + 1, content, words: [] })),
    title: 'A heron',
    brief: 'It waits.',
    summary: 'A heron waits.',
    document: {},
    keywords: ['heron'],
  });
  return {
    id: recording.id,
    clientFlag: recording.client_flag,
    taskId: task.id,
    paragraphs: ids,
    word: 'heron',
    secret,
  };
}
