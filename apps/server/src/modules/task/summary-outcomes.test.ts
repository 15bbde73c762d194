import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestServer } from '../../../test/server.ts';
import { startTestServer } from '../../../test/server.ts';
import { emptyDocument, transcribedRecording } from '../../../test/transcripts.ts';
import { toneWave, uploadRecording } from '../../../test/uploads.ts';
import { createMinutes } from '../minutes/service.ts';
import { createOutcomes } from './outcome.ts';
import { createSummaries } from './summary.ts';
import type { SummaryFailure, SummaryOutcome } from './summary-failure.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const analysis = {
  engine: 'test',
  title: 'A heron',
  brief: '',
  summary: '',
  keywords: [],
  document: emptyDocument,
};

it('a regenerated summary reports its outcome once', async () => {
  const owner = await server.register();
  const { id, taskId } = await transcribedRecording(server, owner);
  const reported: SummaryOutcome[] = [];
  const summaries = createSummaries({ ...server, onFinish: (outcome) => reported.push(outcome) });
  const request = async () => {
    await server.call('task/summarize', { id }, { token: owner.access });
    return summaries.begin(taskId);
  };
  await request();
  await summaries.fail(taskId, 'summaryQuota');
  await summaries.fail(taskId, 'summaryFailed');
  const task = await request();
  if (!task) throw new Error('The summary was not requested.');
  await summaries.succeed(task, analysis);
  await summaries.succeed(task, analysis);
  expect(reported).toEqual(['summaryQuota', 'summarized']);
});

it.each<[string, SummaryFailure | 'postponed' | undefined, SummaryOutcome[]]>([
  ['succeeded', undefined, ['summarized']],
  ['failed', 'summaryMisconfigured', ['summaryMisconfigured']],
  ['was postponed', 'postponed', []],
])('a transcription reports its summary that %s', async (_, summaryFailure, expected) => {
  const owner = await server.register();
  const { id } = await uploadRecording(server, owner, toneWave(3, 8000), { ext: 'wav' });
  const body = { id, language: 'en' };
  const { data: task } = await server.call('task/create', body, { token: owner.access });
  const { db, queue, now } = server;
  const minutes = createMinutes({ unlimited: false, now });
  const reported: SummaryOutcome[] = [];
  const onSummary = (outcome: SummaryOutcome) => void reported.push(outcome);
  const outcomes = createOutcomes({ db, queue, minutes, now, onSummary });
  for (let run = 0; run < 2; run += 1) {
    await outcomes.succeed(task.id, {
      seconds: 3,
      peaks: '',
      engine: 'test',
      language: 'en',
      paragraphs: [],
      analysis,
      mindMap: null,
      summaryFailure,
    });
  }
  expect(reported).toEqual(expected);
});
