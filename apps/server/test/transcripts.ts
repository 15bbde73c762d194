import type { SummaryDocument, Word } from '@linnet/contract';
import type { Bcp47 } from '@linnet/contract/languages';
import { createMinutes } from '../src/modules/minutes/service.ts';
import type { OutcomesDependencies } from '../src/modules/task/outcome.ts';
import { createOutcomes } from '../src/modules/task/outcome.ts';
import type { Account, TestServer } from './server.ts';
import { toneWave, uploadRecording } from './uploads.ts';

/** An empty summary document. */
export const emptyDocument: SummaryDocument = {
  version: 1,
  engine: 'builtin',
  kind: 'extractive',
  language: 'en',
  structure: 'general',
  structures: { general: { sections: [] } },
  todos: [],
  knowledge_points: [],
  needs: [],
  questions: [],
  finance: [],
  timeline: [],
  topics: [],
  looked_for: [],
};

export interface TranscribedRecording {
  readonly id: string;
  readonly clientFlag: string;
  readonly taskId: string;
  /** IDs of the paragraphs, in order. */
  readonly paragraphs: readonly string[];
  /** `word` occurs in all of these transcripts, `secret` only in this one. */
  readonly word: string;
  readonly secret: string;
}

/** Creates a recording and completes its task as a worker would, but without an engine. */
export async function transcribedRecording(
  server: TestServer,
  account: Account,
  details: { readonly recordedAt?: string } = {},
): Promise<TranscribedRecording> {
  const tone = toneWave(3, 8000);
  const recording = await uploadRecording(server, account, tone, { ext: 'wav', ...details });
  const secret = `s${crypto.randomUUID().replaceAll('-', '')}`;
  const texts = ['The heron waits.', `Nobody heard of ${secret}.`];
  const transcribed = await transcribe(server, account, recording.id, texts);
  return {
    id: recording.id,
    clientFlag: recording.client_flag,
    ...transcribed,
    word: 'heron',
    secret,
  };
}

/** Thrown by {@link transcribe} if the server rejects the task. */
export class TaskRejectedError extends Error {
  override readonly name = 'TaskRejectedError';
  readonly code: number;
  constructor(code: number, msg: string) {
    super(`task rejected: ${msg} (${code})`);
    this.code = code;
  }
}

/**
 * Completes a recording's next task with one paragraph per string, one second each.
 * @param speakers the speaker labels of the paragraphs, if any
 * @param todos the to-dos in the summary
 * @throws TaskRejectedError
 */
export async function transcribe(
  server: TestServer,
  account: Account,
  recordingId: string,
  texts: readonly string[],
  speakers: readonly string[] = [],
  todos: SummaryDocument['todos'] = [],
  result: Pick<EndedTask, 'language' | 'words' | 'onCarryFailure'> = {},
): Promise<Pick<TranscribedRecording, 'taskId' | 'paragraphs'>> {
  const token = { token: account.access };
  // Null if there is no earlier task.
  const { data: latest } = await server.call('task/detail', { id: recordingId }, token);
  const {
    data: task,
    code,
    msg,
  } = await server.call(
    'task/create',
    { id: recordingId, language: 'en', again: latest?.id },
    token,
  );
  if (!task) throw new TaskRejectedError(code, msg);
  return {
    taskId: task.id,
    paragraphs: await endTask(server, task.id, texts, { ...result, speakers, todos }),
  };
}

interface EndedTask {
  readonly engine?: string;
  /** The speaker labels of the paragraphs, if any. */
  readonly speakers?: readonly string[];
  /** The to-dos in the summary. */
  readonly todos?: SummaryDocument['todos'];
  readonly language?: Bcp47;
  /** The words of every paragraph. */
  readonly words?: readonly Word[];
  /** Called if the user's changes couldn't be carried over from the previous transcript. */
  readonly onCarryFailure?: OutcomesDependencies['onCarryFailure'];
}

/**
 * Completes a task as a worker would, with one paragraph per string.
 * @returns the paragraphs' IDs, in order
 */
export async function endTask(
  server: TestServer,
  taskId: string,
  texts: readonly string[],
  result: EndedTask = {},
): Promise<string[]> {
  const { engine = 'pocketsphinx/test', speakers = [], todos = [], language = 'en' } = result;
  const { words = [], onCarryFailure } = result;
  const ids = texts.map(() => crypto.randomUUID() as string);
  const { now } = server;
  const minutes = createMinutes({ unlimited: false, now });
  const outcomes = createOutcomes({
    db: server.db,
    queue: server.queue,
    minutes,
    now,
    ...(onCarryFailure && { onCarryFailure }),
  });
  await outcomes.succeed(taskId, {
    seconds: 3,
    peaks: '',
    engine,
    language,
    paragraphs: texts.map((content, n) => {
      const speaker = speakers[n];
      const part = { id: ids[n] ?? '', start: n, end: n + 1, content, words };
      return speaker === undefined ? part : { ...part, speaker };
    }),
    analysis: {
      title: 'A heron',
      brief: 'It waits.',
      summary: 'A heron waits.',
      document: { ...emptyDocument, todos },
      keywords: ['heron'],
    },
    mindMap: [{ id: 'root', parentid: '', topic: 'A heron' }],
  });
  return ids;
}
