import { codes } from '@linnet/contract/codes';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Account, TestServer } from '../../../test/server.ts';
import { startTestServer } from '../../../test/server.ts';
import type { Phone } from '../../../test/sync.ts';
import { createPhone } from '../../../test/sync.ts';
import type { TranscribedRecording } from '../../../test/transcripts.ts';
import { transcribedRecording } from '../../../test/transcripts.ts';

let server: TestServer;
let owner: Account;
let phone: Phone;
let recording: TranscribedRecording;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  owner = await server.register();
  phone = createPhone(server, owner);
  recording = await transcribedRecording(server, owner);
});

describe('paragraphs', () => {
  const call: TestServer['call'] = (name, body) => server.call(name, body, { token: owner.access });
  const location = () => ({ id: recording.paragraphs[0] ?? '', radio_file_id: recording.id });
  const history = async () => (await call('task/paragraph-history', location())).data.list;

  it('can be edited, and keep the recognized text in their history', async () => {
    const { changes: before } = await phone.changes();
    expect(before.find(({ kind }) => kind === 'paragraph')).not.toHaveProperty('paragraph.edited');
    for (const content of ['One.', 'Two.', 'The heron waits.']) {
      const { data } = await call('task/modify-paragraph', { ...location(), content });
      expect(data).toMatchObject({ id: location().id, content, start_time: 0 });
    }
    expect(await history()).toMatchObject([
      { content: 'The heron waits.', state: 'original' },
      { content: 'One.', state: 'applied' },
      { content: 'Two.', state: 'applied' },
      { content: 'The heron waits.', state: 'applied' },
    ]);
  });

  it('have word timestamps unless they are edited', async () => {
    const restored = 'The heron waits.';
    const words = [{ text: 'The', start: 0, end: 0.4, confidence: 0.9 }];
    await server.db
      .updateTable('paragraphs')
      .set({ words: JSON.stringify(words) })
      .where('id', '=', location().id)
      .execute();
    for (const [content, expected] of [
      ['One.', { edited: true, words: undefined }],
      [restored, { edited: undefined, words }],
    ] as const) {
      const { data } = await call('task/modify-paragraph', { ...location(), content });
      const [paragraph] = (await call('task/detail', { id: recording.id })).data.paragraphs;
      for (const returned of [data, paragraph]) {
        expect({ edited: returned?.edited, words: returned?.words }).toEqual(expected);
      }
      const synced = (await phone.everything()).find(
        (change) => change.kind === 'paragraph' && change.paragraph.id === location().id,
      );
      // Phones find the words that an edit didn't change, and offer the earlier versions.
      expect(synced).toMatchObject({ paragraph: { edited: true, words } });
    }
  });

  it('keep superseded edits in their history', async () => {
    const edit = (content: string, minutes: number) =>
      phone.applyOne({
        type: 'paragraph.edit',
        recording: recording.clientFlag,
        paragraph: location().id.toUpperCase(),
        content,
        at: new Date(Date.now() - minutes * 60_000).toISOString(),
      });
    expect((await edit('Later.', 1)).outcome).toBe('applied');
    expect((await edit('Earlier.', 2)).outcome).toBe('superseded');
    const { data } = await call('task/detail', { id: recording.id });
    expect(data.paragraphs[0]?.content).toBe('Later.');
    expect(await history()).toMatchObject([
      { content: 'The heron waits.', state: 'original' },
      { content: 'Earlier.', state: 'superseded' },
      { content: 'Later.', state: 'applied' },
    ]);
    // Restoring an earlier version is also an edit.
    await call('task/modify-paragraph', { ...location(), content: 'Earlier.' });
    expect((await history()).at(-1)).toMatchObject({ content: 'Earlier.', state: 'applied' });
  });

  it('have a history before the first edit', async () => {
    expect(await history()).toEqual([
      { content: 'The heron waits.', state: 'original', at: expect.any(String) },
    ]);
  });

  it('can be highlighted by both calls', async () => {
    const marked = await call('task/modify-paragraph', { ...location(), is_tag: 1 });
    expect(marked.data).toMatchObject({ is_tag: 1 });
    expect(marked.data).not.toHaveProperty('edited');
    expect((await call('task/tag', { ...location(), is_tag: 0 })).data).toMatchObject({
      is_tag: 0,
    });
    expect((await call('task/tag', { ...location(), is_tag: 1 })).data).toMatchObject({
      is_tag: 1,
    });
    const paragraphChanges = (await phone.everything()).filter(({ kind }) => kind === 'paragraph');
    expect(paragraphChanges.at(-1)).toMatchObject({ paragraph: { id: location().id, is_tag: 1 } });
  });

  it('cannot be found from a different account, through a different recording or by an invalid ID', async () => {
    const otherUser = await transcribedRecording(server, await server.register());
    const other = await transcribedRecording(server, owner);
    for (const wrong of [
      { id: otherUser.paragraphs[0], radio_file_id: otherUser.id },
      { id: otherUser.paragraphs[0], radio_file_id: recording.id },
      { id: other.paragraphs[0], radio_file_id: recording.id },
      { id: location().id, radio_file_id: other.id },
      { id: 'x', radio_file_id: recording.id },
      { id: location().id, radio_file_id: 'x' },
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
    'reject %j',
    async (rest) => {
      expect(await call('task/modify-paragraph', { ...location(), ...rest })).toMatchObject({
        code: codes.badRequest,
        data: null,
      });
    },
  );
});
