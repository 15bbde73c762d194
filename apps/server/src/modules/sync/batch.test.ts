import type { Operation } from '@linnet/contract';
import { codes } from '@linnet/contract/codes';
import { limits } from '@linnet/contract/limits';
import type { KyselyPlugin } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Account, TestServer } from '../../../test/server.ts';
import { startTestServer } from '../../../test/server.ts';
import type { Phone } from '../../../test/sync.ts';
import { createPhone, operation } from '../../../test/sync.ts';
import { transcribedRecording } from '../../../test/transcripts.ts';
import { toneWave, uploadRecording } from '../../../test/uploads.ts';
import { createMinutes } from '../minutes/service.ts';
import { createOperations } from './operations.ts';

let server: TestServer;
let owner: Account;
let phone: Phone;
beforeAll(async () => {
  server = await startTestServer();
  owner = await server.register();
  phone = createPhone(server, owner);
});
afterAll(() => server.close());

/** Applies operations like sync/apply, and counts the SQL statements. */
async function countStatements(ops: readonly Operation[]): Promise<number> {
  let count = 0;
  const countingPlugin: KyselyPlugin = {
    transformQuery({ node }) {
      count += 1;
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const { db, queue, now } = server;
  const minutes = createMinutes({ unlimited: false, now });
  const operations = createOperations({ db: db.withPlugin(countingPlugin), queue, minutes, now });
  const checked = ops as Parameters<typeof operations.apply>[1];
  const { results } = await operations.apply(owner.id, checked);
  expect(results.filter(({ outcome }) => outcome !== 'applied')).toEqual([]);
  return count;
}

describe('a batch of the maximum size', () => {
  it('requires only a few statements', async () => {
    const { clientFlag: recording, paragraphs } = await transcribedRecording(server, owner);
    const [paragraph = ''] = paragraphs;
    const operationFactories: ((n: number) => Operation)[] = [
      (n) => operation({ type: 'recording.rename', recording, name: `Name ${n}` }),
      (n) => operation({ type: 'recording.tick', recording, item: `item ${n}`, done: true }),
      (n) => operation({ type: 'paragraph.edit', recording, paragraph, content: `Text ${n}` }),
      (n) =>
        operation({
          type: 'setting.set',
          group_name: 'own',
          config_key: `key ${n % 100}`,
          config_value: String(n),
        }),
    ];
    const ops = Array.from({ length: limits.sync.operations }, (_, n) =>
      operationFactories[n % operationFactories.length]?.(n),
    ) as Operation[];
    expect(await countStatements(ops)).toBeLessThan(20);
    const changes = await phone.everything();
    expect(changes).toContainEqual(
      expect.objectContaining({ recording: expect.objectContaining({ name: 'Name 496' }) }),
    );
    expect(changes).toContainEqual(
      expect.objectContaining({ paragraph: expect.objectContaining({ content: 'Text 498' }) }),
    );
    const { data } = await server.call('user/config', {}, { token: owner.access });
    expect(data.own).toMatchObject({ 'key 99': '499', 'key 3': '403' });
  });

  it('requires no additional statements per deleted recording', async () => {
    const wave = toneWave(2.5, 8000);
    const upload = () => uploadRecording(server, owner, wave, { ext: 'wav' });
    const flags: string[] = [];
    for (let n = 0; n < 12; n += 1) flags.push((await upload()).client_flag);
    const deleteAll = (recordings: readonly string[]) =>
      recordings.map((recording) => operation({ type: 'recording.delete', recording }));
    const fewStatements = await countStatements(deleteAll(flags.slice(0, 2)));
    expect(await countStatements(deleteAll(flags.slice(2)))).toBe(fewStatements);
  });
});

describe('the size of operations', () => {
  const apply = (ops: readonly object[]) =>
    server.call('sync/apply', { ops }, { token: owner.access });
  const recording = crypto.randomUUID();
  const rename = () => operation({ type: 'recording.rename', recording, name: 'A name' });

  it.each<[string, () => object]>([
    [
      'a topic of a mind map',
      () => ({
        type: 'recording.mindMap',
        mind_map: [
          { id: 'a', parentid: '', topic: 'x'.repeat(limits.recording.topicMaxLength + 1) },
        ],
      }),
    ],
    [
      'the text of a marker',
      () => ({
        type: 'recording.marker',
        marker: 'm',
        value: { id: 'm', time: 1, label: 'x'.repeat(limits.recording.nameMaxLength + 1) },
      }),
    ],
  ])('is limited in %s', async (_, createFields) => {
    const { code } = await apply([operation({ recording, ...createFields() })]);
    expect(code).toBe(codes.badRequest);
  });

  it('is limited per request', async () => {
    const ops = Array.from({ length: limits.sync.operations + 1 }, rename);
    expect((await apply(ops)).code).toBe(codes.badRequest);
    const content = 'x'.repeat(limits.paragraph.contentMaxLength);
    const edit = () => operation({ type: 'paragraph.edit', recording, paragraph: 'p', content });
    const tooManyEdits = Math.ceil(limits.jsonBodyBytes / content.length);
    expect((await apply(Array.from({ length: tooManyEdits }, edit))).code).toBe(codes.tooLarge);
  });

  it('is limited per day', async () => {
    expect((await apply([rename()])).code).toBe(codes.ok);
    await server.db
      .updateTable('rate_windows')
      .set({ count: 99_999_999 })
      .where('key', 'like', 'sync-bytes:%')
      .execute();
    expect((await apply([rename()])).code).toBe(codes.tooManyRequests);
  });
});
