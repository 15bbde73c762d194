import type { CallInput, SummaryTemplate } from '@linnet/contract';
import { codes } from '@linnet/contract/codes';
import { taskStatus } from '@linnet/contract/statuses';
import { structureIds } from '@linnet/contract/structures';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buy } from '../../../test/orders.ts';
import type { Account, TestServer } from '../../../test/server.ts';
import { startTestServer } from '../../../test/server.ts';
import type { TranscribedRecording } from '../../../test/transcripts.ts';
import { transcribedRecording } from '../../../test/transcripts.ts';
import { createBuiltinAnalyzer } from '../../providers/analysis/builtin/index.ts';
import { createSummaries } from './summary.ts';
import { createSummaryRequests } from './summary-requests.ts';

type SummaryOptions = Omit<CallInput<'task/summarize'>, 'id'>;
const template: SummaryTemplate = {
  name: 'Mine',
  sections: [{ heading: 'Birds', wants: 'Every bird that is named' }],
};

let server: TestServer;
let owner: Account;
let recording: TranscribedRecording;
beforeAll(async () => {
  server = await startTestServer({ TRIAL_DAYS: '0' });
});
afterAll(() => server.close());
beforeEach(async () => {
  owner = await server.register();
  recording = await transcribedRecording(server, owner);
});

const call = (options: SummaryOptions) =>
  server.call('task/summarize', { id: recording.id, ...options }, { token: owner.access });
/** Requests a summary from an analyzer with these capabilities. */
const request = (
  options: SummaryOptions,
  capabilities: { structures?: typeof structureIds; translates?: boolean } = {},
) => {
  const { db, queue, now } = server;
  const analyzer = { structures: structureIds, translates: true, ...capabilities };
  const requests = createSummaryRequests({ db, queue, analyzer, isFree: false, now });
  return requests.request(owner.id, { id: recording.id, ...options });
};
const task = () =>
  server.db
    .selectFrom('tasks')
    .selectAll()
    .where('id', '=', recording.taskId)
    .executeTakeFirstOrThrow();
const jobs = async () =>
  (await server.queue.list(['waiting'])).filter(
    ({ name, payload }) =>
      name === 'summarize' && (payload as { taskId: string }).taskId === recording.taskId,
  ).length;
/** Marks the summary as complete, as the job does. */
const completeSummary = () =>
  server.db
    .updateTable('tasks')
    .set({ summary_status: taskStatus.transcribed })
    .where('id', '=', recording.taskId)
    .execute();

describe('a structure', () => {
  it('other than the general one requires a membership', async () => {
    expect(await call({ structure: 'general' })).toMatchObject({ code: codes.ok });
    await completeSummary();
    expect(await call({ structure: 'meeting' })).toMatchObject({
      code: codes.membersOnly,
      data: null,
    });
    expect(await jobs()).toBe(1);
    await buy(server, owner, 'vip_monthly');
    expect(await call({ structure: 'meeting' })).toMatchObject({
      code: codes.ok,
      data: { summarizing: { status: taskStatus.queued } },
    });
    expect((await task()).summary_request).toEqual({ structure: 'meeting' });
  });

  it('requires no membership with BILLING=off', async () => {
    const freeServer = await startTestServer({ BILLING: 'off', TRIAL_DAYS: '0' });
    const account = await freeServer.register();
    const { id } = await transcribedRecording(freeServer, account);
    const body = { id, structure: 'lecture' };
    const response = await freeServer.call('task/summarize', body, { token: account.access });
    expect(response.code).toBe(codes.ok);
    await freeServer.close();
  });

  it.each([
    ['meeting', { structure: 'meeting' } as const, 'the structure meeting'],
    ['custom', { structure: 'custom', template } as const, 'custom templates'],
  ])(
    'that the engine does not support is rejected with a message that names LLM (%s)',
    async (_, options, expectedText) => {
      await buy(server, owner, 'vip_monthly');
      const refused = request(options, { structures: ['general'] as never });
      await expect(refused).rejects.toMatchObject({
        reason: 'summaryUnavailable',
        message: expect.stringMatching(new RegExp(`${expectedText}.*LLM`)),
      });
      expect(await jobs()).toBe(0);
    },
  );

  it('is kept by default, together with its template', async () => {
    await buy(server, owner, 'vip_monthly');
    await request({ structure: 'custom', template });
    expect((await task()).summary_request).toEqual({ structure: 'custom', template });
    await completeSummary();
    await request({});
    expect((await task()).summary_request).toEqual({ structure: 'custom', template });
    await completeSummary();
    await request({ structure: 'call' });
    expect((await task()).summary_request).toEqual({ structure: 'call' });
  });
});

describe('a language', () => {
  it('other than the transcript’s requires an engine that translates', async () => {
    await expect(request({ language: 'fr' }, { translates: false })).rejects.toMatchObject({
      reason: 'summaryUnavailable',
      message: expect.stringContaining('LLM'),
    });
    await request({ language: 'fr' });
    expect((await task()).summary_request).toEqual({ structure: 'general', language: 'fr' });
  });

  it('equal to the transcript’s requires no translation', async () => {
    await request({ language: 'en' }, { translates: false });
    expect((await task()).summary_request).toEqual({ structure: 'general' });
  });
});

describe('while a summary is in progress', () => {
  it('an identical request returns it, and a different request replaces it', async () => {
    await buy(server, owner, 'vip_monthly');
    const summaries = createSummaries(server);
    await request({ structure: 'meeting' });
    await request({ structure: 'meeting' });
    expect(await jobs()).toBe(1);
    const first = await summaries.begin(recording.taskId);
    if (!first) throw new Error('the first summary did not begin');

    await request({ structure: 'lecture' });
    expect(await jobs()).toBe(2);
    const analysis = await createBuiltinAnalyzer().analyze({
      paragraphs: [],
      language: 'en',
      structures: [],
      recordedAt: new Date(),
    });
    // The result of the replaced request is ignored.
    await summaries.succeed(first, { ...analysis, title: 'Old' });
    expect(await task()).toMatchObject({ title: 'A heron', summary_status: taskStatus.queued });
    const secondSummary = await summaries.begin(recording.taskId);
    if (!secondSummary) throw new Error('the second summary did not begin');
    await summaries.succeed(secondSummary, { ...analysis, title: 'New' });
    expect(await task()).toMatchObject({ title: 'New', summary_status: taskStatus.transcribed });
  });
});
