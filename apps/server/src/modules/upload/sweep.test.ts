import { setImmediate as nextMacrotask } from 'node:timers/promises';
import type { CallName, UploadGrant } from '@linnet/contract';
import { codes } from '@linnet/contract/codes';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { startDeleting } from '../../../test/jobs.ts';
import type { Account, TestServer } from '../../../test/server.ts';
import { startTestServer } from '../../../test/server.ts';
import { grantFor, postObject, toneWave } from '../../../test/uploads.ts';
import type { Queue } from '../../jobs/queue.ts';
import { sweepUploads } from './sweep.ts';

let server: TestServer;
let worker: Queue;
let account: Account;
beforeAll(async () => {
  server = await startTestServer();
  worker = await startDeleting(server);
});
afterAll(async () => {
  await worker.stop();
  await server.close();
});
beforeEach(async () => {
  account = await server.register();
});

const wave = toneWave(2.1, 8000);
const call = <Name extends CallName>(name: Name, body: object) =>
  server.call(name, body, { token: account.access });
/** The shortest file accepted as a PNG. */
const picture = new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10, ...new Array(32).fill(0)]);

async function storeObject(grant: UploadGrant, bytes: Uint8Array<ArrayBuffer> = wave) {
  expect((await postObject(server, grant, bytes)).statusCode).toBe(204);
  return grant;
}
const register = ({ url }: UploadGrant) =>
  call('upload/ossFile', { url, file_size: wave.length, client_flag: crypto.randomUUID() });
const grantOfType = async (type: string, ext: string) =>
  (await call('oss/config', { type, ext })).data;
const logGrant = async () => (await call('upload/ossConfig', {})).data;

/** Backdates a grant by the given hours. */
async function age({ key }: UploadGrant, hours: number): Promise<void> {
  const created = new Date(Date.now() - hours * 3_600_000);
  await server.db
    .updateTable('upload_leaves')
    .set({ created_at: created, expires_at: new Date(created.getTime() + 3_600_000) })
    .where('key', '=', key)
    .execute();
}
const sweep = (queue = server.queue) => sweepUploads({ ...server, queue, now: () => new Date() });
/** Sweeps and waits until the deletions are complete. */
async function sweepAndWait() {
  const counts = await sweep();
  await vi.waitUntil(
    async () => {
      // Don't wait for the jobs that repeat a deletion a day later.
      const { rows } = await sql`select 1 from pgboss.job where name = 'delete-objects'
        and state != 'completed' and start_after <= now()`.execute(server.db);
      return rows.length === 0;
    },
    { timeout: 60_000 },
  );
  return counts;
}
const isStored = async ({ key }: UploadGrant) => (await server.store.stat(key)) !== null;
const isIssued = async ({ key }: UploadGrant) =>
  (await server.db
    .selectFrom('upload_leaves')
    .select('key')
    .where('key', '=', key)
    .executeTakeFirst()) !== undefined;

describe('sweeping uploads', () => {
  const kinds: [string, () => Promise<UploadGrant>, number, Uint8Array<ArrayBuffer>][] = [
    ['a voice file', () => grantFor(server, account, 'wav'), 1 + 48, wave],
    ['a picture', () => grantOfType('avatar', 'png'), 1 + 48, picture],
    ['an mp3', () => grantOfType('voice_file', 'mp3'), 24, wave],
    ['a log', logGrant, 30 * 24, wave],
  ];
  it.each(kinds)('deletes %s that expired unused', async (_kind, newGrant, hours, bytes) => {
    const [young, old, neverUploaded] = [
      await storeObject(await newGrant(), bytes),
      await newGrant(),
      await newGrant(),
    ];
    await storeObject(old, bytes);
    await age(young, hours - 0.1);
    await age(old, hours + 0.1);
    await age(neverUploaded, hours + 0.1);
    expect(await sweepAndWait()).toMatchObject({ objects: 2 });
    expect([await isStored(young), await isIssued(young)]).toEqual([true, true]);
    expect([await isStored(old), await isIssued(old)]).toEqual([false, false]);
    expect(await isIssued(neverUploaded)).toBe(false);
    expect(await sweepAndWait()).toMatchObject({ objects: 0 });
  });

  it('keeps objects in use regardless of their age', async () => {
    const recording = await storeObject(await grantFor(server, account, 'wav'));
    const { data } = await register(recording);
    const avatar = await storeObject(await grantOfType('avatar', 'png'), picture);
    expect((await call('user/updateAvatar', { avatar: avatar.url })).code).toBe(codes.ok);
    const log = await storeObject(await logGrant());
    const feedback = await call('user/feedback', { content: 'It hums.', log_url: log.url });
    expect(feedback.code).toBe(codes.ok);
    for (const grant of [recording, avatar, log]) await age(grant, 9000);
    expect(await sweepAndWait()).toMatchObject({ objects: 0, grants: 1 });
    for (const grant of [recording, avatar, log]) expect(await isStored(grant)).toBe(true);
    // Registering the object again returns the same recording even though its grant was deleted.
    const reregistered = await call('upload/ossFile', {
      url: recording.url,
      file_size: wave.length,
      client_flag: data.client_flag,
    });
    expect(reregistered).toMatchObject({ code: codes.ok, data: { id: data.id } });
  });

  it('keeps objects whose keys the server did not issue', async () => {
    const key = `voice/${account.id}/found.wav`;
    await server.store.put(key, new Blob([wave]).stream(), { maxBytes: 1e6 });
    await sweepAndWait();
    expect(await server.store.stat(key)).not.toBeNull();
  });

  it('never deletes an object that is concurrently registered as a recording', async () => {
    const [registered, refused, discardedKeys] = [
      new Set<string>(),
      new Set<string>(),
      new Set<string>(),
    ];
    const queue: Queue = {
      ...server.queue,
      async enqueue(trx, name, payload, at) {
        await server.queue.enqueue(trx, name, payload, at);
        if ('keys' in payload) for (const key of payload.keys) discardedKeys.add(key);
      },
    };
    for (let round = 0; round < 60; round += 1) {
      const grant = await storeObject(await grantFor(server, account, 'wav'));
      await age(grant, 50);
      // Delay either the sweep or the registration, by more in each round.
      const runDelayed = async <Result>(macrotasks: number, run: () => Promise<Result>) => {
        for (let n = 0; n < macrotasks; n += 1) await nextMacrotask();
        return run();
      };
      const startRegister = () =>
        runDelayed(round % 2 === 0 ? 0 : round * 10, () => register(grant));
      const startSweep = () => runDelayed(round % 2 === 0 ? round * 10 : 0, () => sweep(queue));
      let registering: ReturnType<typeof register>;
      // Over 12 rounds, each of the two operations completes before the other at least once.
      if (round % 12 === 5) {
        await startSweep();
        registering = startRegister();
      } else {
        registering = startRegister();
        if (round % 12 === 0) await registering;
        await startSweep();
      }
      const { code } = await registering;
      const recordings = await server.db
        .selectFrom('recordings')
        .select('id')
        .where('object_key', '=', grant.key)
        .execute();
      if (code === codes.ok) {
        registered.add(grant.key);
        expect(recordings).toHaveLength(1);
      } else {
        refused.add(grant.key);
        expect([codes.keyNotIssued, codes.objectMissing]).toContain(code);
        expect(recordings).toHaveLength(0);
      }
    }
    expect(discardedKeys).toEqual(refused);
    for (const key of registered) expect(await server.store.stat(key)).not.toBeNull();
    expect(registered.size).toBeGreaterThan(0);
    expect(refused.size).toBeGreaterThan(0);
  });
});
