import path from 'node:path';
import { codes } from '@linnet/contract/codes';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeFolder } from '../../../test/folder.ts';
import type { Account, TestServer } from '../../../test/server.ts';
import { startTestServer } from '../../../test/server.ts';
import { toneModel, writeModel } from '../../../test/tiny-models.ts';
import { endTask, transcribe, transcribedRecording } from '../../../test/transcripts.ts';
import { toneWave, uploadRecording } from '../../../test/uploads.ts';
import { CallError } from '../../http/failure.ts';
import { installModel, openModels } from '../../models/index.ts';
import { selectSpeechEngines } from '../../providers/speech/index.ts';
import { createMinutes } from '../minutes/service.ts';
import { createDrafts } from './drafts.ts';
import { createOutcomes } from './outcome.ts';
import { createTranscriptionSupport } from './transcription-support.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const modelsDir = () => path.join(server.config.DATA_DIR, 'models');
/** Installs a better engine for English. */
async function installEngine(): Promise<void> {
  const model = { ...toneModel(), languages: [{ tag: 'en', quality: 'good' as const }] };
  const from = await writeModel(await makeFolder(), model);
  await installModel({ folder: modelsDir(), name: model.name, from, now: server.now });
}
const removeEngine = () => openModels(modelsDir()).remove('tones');

const token = ({ access }: Account) => ({ token: access });
const balance = async (owner: Account) =>
  (await server.call('user/leftMinute', {}, token(owner))).data;
const count = async (owner: Account) => (await server.call('task/drafts', {}, token(owner))).data;
const replace = async (owner: Account) =>
  (await server.call('task/replace-drafts', {}, token(owner))).data;
const price = async (owner: Account, id: string, language = 'en') =>
  (await server.call('task/price', { id, language }, token(owner))).data;
const loadLatest = async (owner: Account, id: string) =>
  (await server.call('task/detail', { id }, token(owner))).data;

describe('drafts', () => {
  it('are replaced by a better engine, at no cost and once', async () => {
    const owner = await server.register();
    const other = await server.register();
    const first = await transcribedRecording(server, owner);
    const recordings = [first, await transcribedRecording(server, owner)];
    await transcribedRecording(server, other);
    // There is no better engine yet.
    expect([await count(owner), await replace(owner)]).toEqual([
      { count: 0 },
      { queued: 0, left: 0 },
    ]);
    expect(await price(owner, first.id)).toEqual({ minutes: 1 });
    const before = await balance(owner);
    expect(before).toMatchObject({ left_minutes: 28, reserved_minutes: 0 });

    await installEngine();
    try {
      expect(await count(owner)).toEqual({ count: 2 });
      expect(await price(owner, first.id)).toEqual({ minutes: 0 });
      expect(await price(owner, first.id, 'fr')).toEqual({ minutes: 1 });
      expect(await replace(owner)).toEqual({ queued: 2, left: 0 });
      // A retry after a lost response queues nothing.
      expect(await replace(owner)).toEqual({ queued: 0, left: 0 });
      expect(await count(owner)).toEqual({ count: 0 });
      expect(await balance(owner)).toEqual(before);
      for (const { id, taskId } of recordings) {
        const task = await loadLatest(owner, id);
        expect(task).toMatchObject({ status: 0, language: 'en' });
        expect(task.id).not.toBe(taskId);
        await endTask(server, task.id, ['The heron wades.'], { engine: 'sherpa/tones' });
        expect(await loadLatest(owner, id)).toMatchObject({ status: 2, minutes: 0 });
      }
      expect(await balance(owner)).toEqual(before);
      expect(await count(owner)).toEqual({ count: 0 });
      expect(await count(other)).toEqual({ count: 1 });

      // The draft was replaced, so another transcription is charged.
      const { id } = first;
      expect(await price(owner, id)).toEqual({ minutes: 1 });
      const latestTaskId = (await loadLatest(owner, id)).id;
      await server.call('task/create', { id, language: 'en', again: latestTaskId }, token(owner));
      expect(await balance(owner)).toMatchObject({ left_minutes: 27, reserved_minutes: 1 });
    } finally {
      await removeEngine();
    }
  });

  it('remain paid drafts after a range was transcribed again', async () => {
    const owner = await server.register();
    const { id, taskId, paragraphs } = await transcribedRecording(server, owner);
    // A recording of more than two minutes that the user has paid for.
    const recording = server.db.updateTable('recordings').set({ total_time: 130 });
    await recording.where('id', '=', id).execute();
    await server.db.updateTable('tasks').set({ minutes: 3 }).where('id', '=', taskId).execute();
    await installEngine();
    try {
      expect(await count(owner)).toEqual({ count: 1 });
      const [from = '', to = ''] = paragraphs;
      const request = { id, language: 'en', again: taskId, range: { from, to } };
      const { data: range } = await server.call('task/create', request, token(owner));
      await endTask(server, range.id, ['The heron wades.']);
      expect(await loadLatest(owner, id)).toMatchObject({ id: range.id, minutes: 1 });
      expect(await count(owner)).toEqual({ count: 1 });
      expect(await replace(owner)).toEqual({ queued: 1, left: 0 });
    } finally {
      await removeEngine();
    }
  });

  it('are kept if they were edited or highlighted, or are in the recycle bin', async () => {
    const owner = await server.register();
    const [edited, tagged, binned] = [
      await transcribedRecording(server, owner),
      await transcribedRecording(server, owner),
      await transcribedRecording(server, owner),
    ];
    const change = { id: edited.paragraphs[0], radio_file_id: edited.id, content: 'It waded.' };
    expect((await server.call('task/modify-paragraph', change, token(owner))).code).toBe(codes.ok);
    const highlight = { id: tagged.paragraphs[0], radio_file_id: tagged.id, is_tag: 1 };
    expect((await server.call('task/tag', highlight, token(owner))).code).toBe(codes.ok);
    await server.call('radio/delete', { id: binned.id }, token(owner));
    await installEngine();
    try {
      expect(await count(owner)).toEqual({ count: 0 });
      expect(await replace(owner)).toEqual({ queued: 0, left: 0 });
    } finally {
      await removeEngine();
    }
  });

  it('are replaced individually for free, even without minutes, and after a failure', async () => {
    const owner = await server.register();
    const { id, taskId } = await transcribedRecording(server, owner);
    await server.db
      .updateTable('minute_grants')
      .set({ expires_at: server.now() })
      .where('account_id', '=', owner.id)
      .execute();
    await installEngine();
    try {
      const create = { id, language: 'en', again: taskId } as const;
      const { data } = await server.call('task/create', create, token(owner));
      expect(await balance(owner)).toMatchObject({ left_minutes: 0, reserved_minutes: 0 });
      const { db, queue, now } = server;
      const minutes = createMinutes({ unlimited: false, now });
      const outcomes = createOutcomes({ db, queue, minutes, now });
      expect(await outcomes.affordableMinutes(data.id)).toBe(Number.POSITIVE_INFINITY);
      await outcomes.reserve(data.id, 3600);
      await outcomes.fail(data.id, 'engineFailed');

      // A failed retry keeps the draft, which can be replaced once more.
      expect(await count(owner)).toEqual({ count: 1 });
      expect(await replace(owner)).toEqual({ queued: 1, left: 0 });
      expect(await count(owner)).toEqual({ count: 0 });
      await outcomes.fail((await loadLatest(owner, id)).id, 'engineFailed');
      expect(await replace(owner)).toEqual({ queued: 0, left: 0 });
      const thirdResponse = await server.call('task/create', { id, language: 'en' }, token(owner));
      expect(thirdResponse.code).toBe(codes.notEnoughMinutes);

      // Another recording is charged.
      const newRecording = await uploadRecording(server, owner, toneWave(3, 8000), { ext: 'wav' });
      await expect(transcribe(server, owner, newRecording.id, ['No.'])).rejects.toThrow('rejected');
    } finally {
      await removeEngine();
    }
  });

  it('are charged after a free transcription was canceled', async () => {
    const owner = await server.register();
    const { id, taskId } = await transcribedRecording(server, owner);
    await installEngine();
    try {
      const create = { id, language: 'en', again: taskId } as const;
      await server.call('task/create', create, token(owner));
      expect((await server.call('task/cancel', { id }, token(owner))).data.minutes).toBe(0);
      expect([await count(owner), await replace(owner)]).toEqual([
        { count: 0 },
        { queued: 0, left: 0 },
      ]);
      await server.call('task/create', { id, language: 'en' }, token(owner));
      expect(await balance(owner)).toMatchObject({ reserved_minutes: 1 });
    } finally {
      await removeEngine();
    }
  });

  it('are never charged when all are replaced, and a missing recording is skipped', async () => {
    const owner = await server.register();
    const [first, second] = [
      await transcribedRecording(server, owner),
      await transcribedRecording(server, owner),
    ];
    await installEngine();
    try {
      const { db } = server;
      const transcription = createTranscriptionSupport(
        selectSpeechEngines(server.config),
        () => undefined,
      );
      const created: string[] = [];
      const replaceWith = (
        createIfFree: Parameters<typeof createDrafts>[0]['tasks']['createIfFree'],
      ) => createDrafts({ db, transcription, tasks: { createIfFree } }).replace(owner.id);
      const queued = { id: first.taskId, language: 'en', status: 0, progress: 0 } as const;
      const response = await replaceWith(async (_, recordingId) => {
        created.push(recordingId);
        if (recordingId === first.id) throw new CallError('notFound');
        return queued;
      });
      expect(response).toEqual({ queued: 1, left: 0 });
      expect(created).toEqual([first.id, second.id]);
      // The better engine has since been removed.
      expect(await replaceWith(async () => null)).toEqual({ queued: 0, left: 0 });
      const refusal = replaceWith(() => Promise.reject(new CallError('notEnoughMinutes')));
      await expect(refusal).rejects.toThrow(CallError);
    } finally {
      await removeEngine();
    }
  });

  it('run after all ordinary transcriptions', async () => {
    const [owner, other] = [await server.register(), await server.register()];
    const { id } = await transcribedRecording(server, owner);
    const loadTurn = async (recordingId: string) =>
      (
        await server.db
          .selectFrom('tasks')
          .select('turn')
          .where('recording_id', '=', recordingId)
          .where('status', '=', 0)
          .executeTakeFirstOrThrow()
      ).turn;
    await installEngine();
    try {
      expect(await replace(owner)).toMatchObject({ queued: 1 });
      const turns = [await loadTurn(id)];
      for (const account of [owner, other]) {
        const ordinary = await uploadRecording(server, account, toneWave(3, 8000), { ext: 'wav' });
        await server.call('task/create', { id: ordinary.id, language: 'en' }, token(account));
        turns.push(await loadTurn(ordinary.id));
      }
      const [bulk, own, others] = turns as [number, number, number];
      expect(Math.max(own, others)).toBeLessThan(1000);
      expect(bulk).toBeGreaterThan(1_000_000);
    } finally {
      await removeEngine();
    }
  });
});
