import { codes } from '@linnet/contract/codes';
import { prefixes } from '@linnet/contract/routes';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Account, TestServer } from '../../../test/server.ts';
import { startTestServer } from '../../../test/server.ts';
import type { Phone } from '../../../test/sync.ts';
import { phoneOf } from '../../../test/sync.ts';
import type { TranscribedRecording } from '../../../test/transcripts.ts';
import { transcribedRecording } from '../../../test/transcripts.ts';

let server: TestServer;
let owner: Account;
let phone: Phone;
let mine: TranscribedRecording;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  owner = await server.register();
  phone = phoneOf(server, owner);
  mine = await transcribedRecording(server, owner);
});

describe.each(Object.values(prefixes))('paragraphs under %s', (prefix) => {
  const call: TestServer['call'] = (name, body) =>
    server.call(name, body, { prefix, token: owner.access });
  const place = () => ({ id: mine.paragraphs[0] ?? '', radio_file_id: mine.id });
  const history = async () => (await call('task/paragraph-history', place())).data.list;

  it('are edited, and the recognized text is retained', async () => {
    const { changes: before } = await phone.changes();
    expect(before.find(({ kind }) => kind === 'paragraph')).not.toHaveProperty('paragraph.edited');
    for (const content of ['One.', 'Two.', 'The heron waits.']) {
      const { data } = await call('task/modify-paragraph', { ...place(), content });
      expect(data).toMatchObject({ id: place().id, content, edited: true, start_time: 0 });
    }
    const { data } = await call('task/detail', { id: mine.id });
    expect(data.paragraphs[0]).toMatchObject({ content: 'The heron waits.', edited: true });
    expect(data.paragraphs[1]).not.toHaveProperty('edited');
    expect(await history()).toMatchObject([
      { content: 'The heron waits.', state: 'original' },
      { content: 'One.', state: 'applied' },
      { content: 'Two.', state: 'applied' },
      { content: 'The heron waits.', state: 'applied' },
    ]);
  });

  it('have losing edits in their history', async () => {
    const edit = (content: string, minutes: number) =>
      phone.act({
        type: 'paragraph.edit',
        recording: mine.clientFlag,
        paragraph: place().id.toUpperCase(),
        content,
        at: new Date(Date.now() - minutes * 60_000).toISOString(),
      });
    expect((await edit('Later.', 1)).outcome).toBe('applied');
    expect((await edit('Earlier.', 2)).outcome).toBe('superseded');
    const { data } = await call('task/detail', { id: mine.id });
    expect(data.paragraphs[0]?.content).toBe('Later.');
    expect(await history()).toMatchObject([
      { content: 'The heron waits.', state: 'original' },
      { content: 'Earlier.', state: 'superseded' },
      { content: 'Later.', state: 'applied' },
    ]);
    // A rollback writes an earlier version.
    await call('task/modify-paragraph', { ...place(), content: 'Earlier.' });
    expect((await history()).at(-1)).toMatchObject({ content: 'Earlier.', state: 'applied' });
  });

  it('have a history before the first edit', async () => {
    expect(await history()).toEqual([
      { content: 'The heron waits.', state: 'original', at: expect.any(String) },
    ]);
  });

  it('are highlighted by both calls', async () => {
    const marked = await call('task/modify-paragraph', { ...place(), is_tag: 1 });
    expect(marked.data).toMatchObject({ is_tag: 1 });
    expect(marked.data).not.toHaveProperty('edited');
    expect((await call('task/tag', { ...place(), is_tag: 0 })).data).toMatchObject({ is_tag: 0 });
    expect((await call('task/tag', { ...place(), is_tag: 1 })).data).toMatchObject({ is_tag: 1 });
    const told = (await phone.everything()).filter(({ kind }) => kind === 'paragraph');
    expect(told.at(-1)).toMatchObject({ paragraph: { id: place().id, is_tag: 1 } });
  });

  it('of other accounts, other recordings or no recording are not found', async () => {
    const stranger = await transcribedRecording(server, await server.register());
    const other = await transcribedRecording(server, owner);
    for (const wrong of [
      { id: stranger.paragraphs[0], radio_file_id: stranger.id },
      { id: stranger.paragraphs[0], radio_file_id: mine.id },
      { id: other.paragraphs[0], radio_file_id: mine.id },
      { id: place().id, radio_file_id: other.id },
      { id: 'x', radio_file_id: mine.id },
      { id: place().id, radio_file_id: 'x' },
    ]) {
      for (const [name, rest] of [
        ['task/modify-paragraph', { content: 'x' }],
        ['task/modify-paragraph', { is_tag: 1 }],
        ['task/tag', { is_tag: 1 }],
        ['task/paragraph-history', {}],
      ] as const) {
        expect(await call(name, { ...wrong, ...rest })).toMatchObject({
          code: codes.notFound,
          data: null,
        });
      }
    }
  });

  it.each([{}, { content: 'x', is_tag: 1 }, { content: 1 }, { is_tag: 2 }])(
    'are not changed by %j',
    async (rest) => {
      expect(await call('task/modify-paragraph', { ...place(), ...rest })).toMatchObject({
        code: codes.badRequest,
        data: null,
      });
    },
  );
});
