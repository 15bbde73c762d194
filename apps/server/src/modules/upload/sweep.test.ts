import { setImmediate as turn } from 'node:timers/promises';
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
/** Minimal bytes that are accepted as a PNG. */
const picture = new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10, ...new Array(32).fill(0)]);

async function stored(grant: UploadGrant, bytes: Uint8Array<ArrayBuffer> = wave) {
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
async function swept() {
  const counts = await sweep();
  await vi.waitUntil(
    async () => {
      // Some are deleted a second time, a day later.
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
  it.each(kinds)('deletes %s when it expires unused', async (_what, give, hours, bytes) => {
    const [young, old, never] = [await stored(await give(), bytes), await give(), await give()];
    await stored(old, bytes);
    await age(young, hours - 0.1);
    await age(old, hours + 0.1);
    await age(never, hours + 0.1);
    expect(await swept()).toMatchObject({ objects: 2 });
    expect([await isStored(young), await isIssued(young)]).toEqual([true, true]);
    expect([await isStored(old), await isIssued(old)]).toEqual([false, false]);
    expect(await isIssued(never)).toBe(false);
    expect(await swept()).toMatchObject({ objects: 0 });
  });

  it('retains objects in use regardless of age', async () => {
    const recording = await stored(await grantFor(server, account, 'wav'));
    const { data } = await register(recording);
    const avatar = await stored(await grantOfType('avatar', 'png'), picture);
    expect((await call('user/updateAvatar', { avatar: avatar.url })).code).toBe(codes.ok);
    const log = await stored(await logGrant());
    const said = await call('user/feedback', { content: 'It hums.', log_url: log.url });
    expect(said.code).toBe(codes.ok);
    for (const grant of [recording, avatar, log]) await age(grant, 9000);
    expect(await swept()).toMatchObject({ objects: 0, grants: 1 });
    for (const grant of [recording, avatar, log]) expect(await isStored(grant)).toBe(true);
    // Registering it again returns the same recording, although its grant is gone.
    const again = await call('upload/ossFile', {
      url: recording.url,
      file_size: wave.length,
      client_flag: data.client_flag,
    });
    expect(again).toMatchObject({ code: codes.ok, data: { id: data.id } });
  });

  it('retains objects whose keys it did not issue', async () => {
    const key = `voice/${account.id}/found.wav`;
    await server.store.put(key, new Blob([wave]).stream(), { maxBytes: 1e6 });
    await swept();
    expect(await server.store.stat(key)).not.toBeNull();
  });

  it('never deletes an object that concurrently becomes a recording', async () => {
    const [registered, refused, doomed] = [new Set<string>(), new Set<string>(), new Set<string>()];
    const queue: Queue = {
      ...server.queue,
      async enqueue(trx, name, payload, at) {
        await server.queue.enqueue(trx, name, payload, at);
        if ('keys' in payload) for (const key of payload.keys) doomed.add(key);
      },
    };
    for (let round = 0; round < 60; round += 1) {
      const grant = await stored(await grantFor(server, account, 'wav'));
      await age(grant, 50);
      // Delays the sweep or the registration, by more each round.
      const delayed = async <Result>(turns: number, act: () => Promise<Result>) => {
        for (let n = 0; n < turns; n += 1) await turn();
        return act();
      };
      const startRegister = () => delayed(round % 2 === 0 ? 0 : round * 10, () => register(grant));
      const startSweep = () => delayed(round % 2 === 0 ? round * 10 : 0, () => sweep(queue));
      let registering: ReturnType<typeof register>;
      // In every 12 rounds, each operation completes first once.
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
    expect(doomed).toEqual(refused);
    for (const key of registered) expect(await server.store.stat(key)).not.toBeNull();
    expect(registered.size).toBeGreaterThan(0);
    expect(refused.size).toBeGreaterThan(0);
  });
});
