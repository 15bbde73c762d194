import { mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import { codes } from '@linnet/contract/codes';
import { limits } from '@linnet/contract/limits';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startDeleting } from '../../test/jobs.ts';
import type { TestServer } from '../../test/server.ts';
import { startTestServer } from '../../test/server.ts';
import { recordingToShare, share } from '../../test/share.ts';
import { createPhone } from '../../test/sync.ts';
import { createTranscriptionDependencies } from '../../test/transcription.ts';
import { transcribedRecording } from '../../test/transcripts.ts';
import { grantFor, postObject, toneWave, uploadRecording } from '../../test/uploads.ts';
import { createMinutes } from '../modules/minutes/service.ts';
import { housekeepingJob } from './housekeeping.ts';

const day = 86_400;
let server: TestServer;
beforeEach(async () => {
  server = await startTestServer();
});
afterEach(() => server.close());

function runHousekeeping(): Promise<void> {
  const { db, store, queue, config, now } = server;
  const log = pino({ level: 'silent' });
  const minutes = createMinutes({ unlimited: false, now });
  return housekeepingJob({ db, store, queue, minutes, config, log, now })(
    {},
    new AbortController().signal,
  );
}

async function rows(table: 'refresh_tokens' | 'sessions' | 'verification_codes' | 'rate_windows') {
  const { count } = await server.db
    .selectFrom(table)
    .select((select) => select.fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}
const refresh = async (token: string) =>
  (await server.call('user/refreshToken', {}, { token })).data;

describe('housekeeping', () => {
  it('deletes only sessions that cannot be refreshed', async () => {
    const [idle, active] = [await server.register(), await server.register()];
    server.advanceClock(89 * day);
    let { refresh_token: token } = await refresh(active.refresh);
    await runHousekeeping();
    expect(await rows('sessions')).toBe(2);
    expect(await rows('refresh_tokens')).toBe(3);

    // The only token of the idle session has expired.
    server.advanceClock(2 * day);
    await runHousekeeping();
    expect(await rows('sessions')).toBe(1);
    expect((await server.call('user/refreshToken', {}, { token: idle.refresh })).data).toBeNull();

    ({ refresh_token: token } = await refresh(token));
    server.advanceClock(limits.refreshGraceSeconds - 1);
    await runHousekeeping();
    // A token within the grace period still yields its successor.
    expect((await refresh(token)).refresh_token).not.toBe('');
  });

  it('keeps links to recordings for a month after they expire', async () => {
    const owner = await server.register();
    const { id } = await recordingToShare(server, owner);
    const expiring = await share(server, owner, id, ['todos'], { expires_days: 1 });
    const lastingLink = await share(server, owner, id, ['todos']);
    const loadLinkIds = async () => {
      const links = await server.db.selectFrom('share_links').select('id').execute();
      return links.map((link) => link.id).sort();
    };
    server.advanceClock(30 * day);
    await runHousekeeping();
    expect(await loadLinkIds()).toEqual([expiring.id, lastingLink.id].sort());
    server.advanceClock(2 * day);
    await runHousekeeping();
    expect(await loadLinkIds()).toEqual([lastingLink.id]);
  });

  it('keeps API keys until they expire, and calendars', async () => {
    const { access: token } = await server.register();
    const create = async (days?: number) => {
      const body = {
        name: 'Notes',
        scopes: ['read' as const],
        ...(days && { expires_days: days }),
      };
      return (await server.call('user/createKey', body, { token })).data.key;
    };
    const [expiringKey, lastingKey] = [await create(1), await create()];
    const { url } = (await server.call('calendar/create', {}, { token })).data;
    server.advanceClock(100 * day);
    await runHousekeeping();
    const fetchCode = async (key: string) =>
      (await server.call('task/index', {}, { token: key })).code;
    expect(await fetchCode(lastingKey)).toBe(codes.ok);
    expect(await fetchCode(expiringKey)).toBe(codes.tokenInvalid);
    const { pathname } = new URL(url);
    const calendar = await server.app.inject({
      url: pathname,
      headers: { host: 'localhost:8080' },
    });
    expect(calendar.statusCode).toBe(200);
    expect(await rows('sessions')).toBe(2);
  });

  it('detects reuse of a token for a month', async () => {
    const { refresh: stolen } = await server.register();
    const { refresh_token: secondToken } = await refresh(stolen);
    const { refresh_token: successor } = await refresh(secondToken);
    server.advanceClock(29 * day);
    await runHousekeeping();
    expect(await refresh(stolen)).toBeNull();
    expect(await refresh(successor)).toBeNull();
    await runHousekeeping();
    expect(await rows('sessions')).toBe(0);
  });

  it('deletes used tokens after a month without ending the session', async () => {
    const { refresh: first } = await server.register();
    const { refresh_token: second } = await refresh(first);
    server.advanceClock(31 * day);
    await runHousekeeping();
    expect(await rows('refresh_tokens')).toBe(1);
    expect(await refresh(first)).toBeNull();
    expect(await refresh(second)).not.toBeNull();
  });

  it('deletes verification codes a day after they expire', async () => {
    await server.call('site/code', { email: 'new@example.com' });
    await runHousekeeping();
    const password = 'a passable phrase';
    const code = await server.emailedCode('new@example.com');
    const fields = { email: 'new@example.com', code, password, repassword: password };
    expect((await server.call('user/register', fields)).code).toBe(0);
    server.advanceClock(2 * day);
    await runHousekeeping();
    expect(await rows('verification_codes')).toBe(0);
  });

  it('deletes only expired rate limit counters', async () => {
    await server.call('user/login', { email: 'a@example.com', password: 'wrong-password' });
    const currentWindows = await rows('rate_windows');
    expect(currentWindows).toBeGreaterThan(0);
    await runHousekeeping();
    expect(await rows('rate_windows')).toBe(currentWindows);
    await sql`update rate_windows set started_at = now() - interval '25 hours'`.execute(server.db);
    await runHousekeeping();
    expect(await rows('rate_windows')).toBe(0);
  });

  it('deletes payment events that are no longer resent', async () => {
    const now = Date.now();
    const event = (id: string, days: number) => ({
      provider: 'stripe',
      event_id: id,
      created_at: new Date(now - days * day * 1000),
    });
    await server.db
      .insertInto('payment_events')
      .values([event('young', 89), event('old', 91)])
      .execute();
    await runHousekeeping();
    const remaining = await server.db.selectFrom('payment_events').select('event_id').execute();
    expect(remaining).toEqual([{ event_id: 'young' }]);
  });

  it('deletes feedback of signed-out users after a month and keeps feedback of accounts', async () => {
    const { access } = await server.register();
    const { data: oldFeedback } = await server.call('site/feedback', { content: 'Then.' });
    const { data: accountFeedback } = await server.call(
      'user/feedback',
      { content: 'I.' },
      { token: access },
    );
    server.advanceClock(29 * day);
    const { data: recentFeedback } = await server.call('site/feedback', { content: 'Now.' });
    const listRemaining = async () =>
      (await server.db.selectFrom('feedback').select('id').orderBy('id').execute()).map(
        ({ id }) => id,
      );
    await runHousekeeping();
    expect(await listRemaining()).toEqual(
      [oldFeedback.id, accountFeedback.id, recentFeedback.id].toSorted(),
    );
    server.advanceClock(2 * day);
    await runHousekeeping();
    expect(await listRemaining()).toEqual([accountFeedback.id, recentFeedback.id].toSorted());
  });

  it('keeps the history of deleted recordings for three years', async () => {
    const owner = await server.register();
    const keptRecording = await transcribedRecording(server, owner);
    const deleted = await transcribedRecording(server, owner);
    await createPhone(server, owner).applyOne({
      type: 'recording.delete',
      recording: deleted.clientFlag,
    });
    const listTasks = async () =>
      (await server.db.selectFrom('transcription_history').select('task_id').execute())
        .map((row) => row.task_id)
        .sort();
    server.advanceClock(1094 * day);
    await runHousekeeping();
    expect(await listTasks()).toEqual([keptRecording.taskId, deleted.taskId].sort());
    server.advanceClock(2 * day);
    await runHousekeeping();
    expect(await listTasks()).toEqual([keptRecording.taskId]);
  });

  it('deletes emails in the outbox after a month', async () => {
    await server.register();
    const outbox = path.join(server.config.DATA_DIR, 'outbox');
    server.advanceClock(29 * day);
    await runHousekeeping();
    expect(await readdir(outbox)).not.toEqual([]);
    server.advanceClock(2 * day);
    await runHousekeeping();
    expect(await readdir(outbox)).toEqual([]);
  });

  it('deletes only scratch folders of ended tasks', async () => {
    const account = await server.register();
    const createTask = async () => {
      const { id } = await uploadRecording(server, account, toneWave(3), { ext: 'wav' });
      const body = { id, language: 'en' };
      return (await server.call('task/create', body, { token: account.access })).data.id;
    };
    const [runningTask, endedTask] = [await createTask(), await createTask()];
    await createTranscriptionDependencies(server).outcomes.fail(endedTask, 'noSpeech');
    const scratch = path.join(server.config.DATA_DIR, 'scratch');
    const folders = [runningTask, endedTask, crypto.randomUUID(), 'convert'];
    for (const name of folders) await mkdir(path.join(scratch, name), { recursive: true });
    await runHousekeeping();
    expect((await readdir(scratch)).toSorted()).toEqual([runningTask, 'convert'].toSorted());
  });

  it('deletes only uploads that never became recordings', async () => {
    const account = await server.register();
    const grant = await grantFor(server, account);
    await postObject(server, grant, toneWave(2));
    const retained = await uploadRecording(server, account, toneWave(3), { ext: 'wav' });
    const count = async () => {
      let objects = 0;
      for await (const _ of server.store.list('')) objects += 1;
      return objects;
    };
    expect(await count()).toBe(2);
    await runHousekeeping();
    expect(await server.queue.list(['waiting'])).toEqual([]);
    const worker = await startDeleting(server);
    server.advanceClock(7 * day);
    await runHousekeeping();
    await vi.waitUntil(async () => (await count()) === 1, { timeout: 60_000 });
    await worker.stop();
    const { data } = await server.call('user/login', account);
    const { list } = (await server.call('task/index', {}, { token: data.access_token })).data;
    expect(list).toMatchObject([{ id: retained.id }]);
    const { pathname, search } = new URL(list[0]?.url ?? '');
    const audio = await server.app.inject({ method: 'GET', url: `${pathname}${search}` });
    expect(audio.statusCode).toBe(200);
  });
});
