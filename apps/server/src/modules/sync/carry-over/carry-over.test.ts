import type { Word } from '@linnet/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { registerWithRecording } from '../../../../test/owner-with-recording.ts';
import type { Account, TestServer } from '../../../../test/server.ts';
import { startTestServer } from '../../../../test/server.ts';
import type { Phone } from '../../../../test/sync.ts';
import { operation } from '../../../../test/sync.ts';
import { transcribe } from '../../../../test/transcripts.ts';

let server: TestServer;
let owner: Account;
let phone: Phone;
let recording: string;
let id: string;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  ({ owner, phone, recording, id } = await registerWithRecording(server, 3, 8000));
});

const first = ['The harbor opens at night.', 'We met mister mayer there.', 'He paid in gold.'];
const secondTexts = ['The harbor opens at night', 'we met mister mire there', 'he paid in gold'];
const transcribeAs = (texts: readonly string[], speakers: readonly string[]) =>
  transcribe(server, owner, id, texts, speakers);
const loadShown = async () => {
  const { data } = await server.call('task/detail', { id }, { token: owner.access });
  return (data?.paragraphs ?? []).map(({ content, is_tag, speaker }) => [content, is_tag, speaker]);
};
/** Returns the account's revision. */
const revision = async () => {
  const accounts = server.db.selectFrom('accounts').select('rev').where('id', '=', owner.id);
  return (await accounts.executeTakeFirstOrThrow()).rev;
};
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

describe('a new transcript', () => {
  it('has the edits, highlights and names of the previous transcript', async () => {
    const { paragraphs } = await transcribeAs(first, ['1', '2', '1']);
    const [a, b, c] = paragraphs;
    const edit = { type: 'paragraph.edit', recording };
    await phone.applyOne({ ...edit, paragraph: a, content: 'The harbor opens at nine.' });
    await phone.applyOne({ ...edit, paragraph: b, content: 'We met mister Meier there.' });
    await phone.applyOne({ type: 'paragraph.mark', recording, paragraph: c, is_tag: 1 });
    await phone.applyOne({ type: 'recording.speaker', recording, speaker: '1', name: 'Ann' });
    await phone.applyOne({ type: 'recording.speaker', recording, speaker: '2', name: 'Ben' });
    const value = { id: 'n', time: 1.5, text: 'Which Meier?' };
    await phone.applyOne({ type: 'recording.note', recording, note: 'n', value });
    const made = await transcribeAs(secondTexts, ['2', '1', '2']);
    expect(await loadShown()).toEqual([
      ['The harbor opens at nine', 0, '2'],
      ['we met mister Meier there', 0, '1'],
      ['he paid in gold', 1, '2'],
    ]);
    const state = await phone.recording(recording);
    expect([state.speakers, state.unplaced]).toEqual([{ 1: 'Ben', 2: 'Ann' }, []]);
    // Notes belong to the recording, at a position.
    expect(state.notes).toEqual([value]);
    const { data } = await server.call(
      'task/paragraph-history',
      { id: made.paragraphs[0] ?? '', radio_file_id: id },
      { token: owner.access },
    );
    expect(data.list.map(({ content }) => content)).toEqual([
      'The harbor opens at night',
      'The harbor opens at nine',
    ]);
  });

  it('lists unplaced changes until they are dismissed', async () => {
    const { paragraphs } = await transcribeAs(first, ['1', '2', '1']);
    const content = 'We met mister Meier there.';
    await phone.applyOne({ type: 'paragraph.edit', recording, paragraph: paragraphs[1], content });
    await phone.applyOne({ type: 'recording.speaker', recording, speaker: '2', name: 'Ben' });
    await transcribeAs(['Nothing of the kind', 'was said today', 'by them'], []);
    const { unplaced = [], speakers } = await phone.recording(recording);
    expect(speakers).toEqual({});
    expect(unplaced).toEqual([
      { id: expect.any(String), kind: 'edit', text: content, time: 1 },
      { id: expect.any(String), kind: 'speaker', text: 'Ben', time: 1 },
    ]);
    await phone.applyOne({ type: 'recording.dismiss', recording, item: unplaced[0]?.id });
    expect((await phone.recording(recording)).unplaced).toEqual([unplaced[1]]);
  });

  it('is delivered with a list of all changes if they can’t be carried over', async () => {
    const { paragraphs } = await transcribeAs(first, ['1', '2', '1']);
    const [a, b, c] = paragraphs;
    const edit = { type: 'paragraph.edit', recording };
    await phone.applyOne({ ...edit, paragraph: a, content: 'The harbor opens at nine.' });
    await phone.applyOne({ type: 'paragraph.mark', recording, paragraph: b, is_tag: 1 });
    await phone.applyOne({ type: 'paragraph.speaker', recording, paragraph: c, speaker: '2' });
    await phone.applyOne({ type: 'recording.speaker', recording, speaker: '2', name: 'Ben' });
    const errors: unknown[] = [];
    // Empty words can't be aligned.
    const words = [{ start: 0, end: 1, confidence: 1 }] as unknown as Word[];
    const { taskId } = await transcribe(server, owner, id, secondTexts, ['2', '1', '2'], [], {
      words,
      onCarryFailure: (task, error) => errors.push([task, error]),
    });
    expect(errors).toEqual([[taskId, expect.any(TypeError)]]);
    const rows = server.db.updateTable('paragraphs').where('task_id', '=', taskId);
    await rows.set({ words: '[]' }).execute();
    expect(await loadShown()).toEqual([
      ['The harbor opens at night', 0, '2'],
      ['we met mister mire there', 0, '1'],
      ['he paid in gold', 0, '2'],
    ]);
    const { speakers, unplaced } = await phone.recording(recording);
    expect(speakers).toEqual({});
    expect(unplaced?.map(({ kind, text, time }) => [kind, text, time])).toEqual([
      ['edit', 'The harbor opens at nine.', 0],
      ['highlight', 'We met mister mayer there.', 1],
      ['speaker', 'Ben', 2],
      ['speaker', 'Ben', 1],
    ]);
  });

  it('has the edits of an earlier transcript if the one in between is in a different language', async () => {
    const { paragraphs } = await transcribeAs(first, []);
    const edit = { type: 'paragraph.edit', recording };
    await phone.applyOne({
      ...edit,
      paragraph: paragraphs[1],
      content: 'We met mister Meier there.',
    });
    await phone.applyOne({ ...edit, paragraph: paragraphs[2], content: 'He paid in silver.' });
    const french = ['Le port ouvre la nuit', 'on y a vu quelqu’un', 'il a tout réglé'];
    await transcribe(server, owner, id, french, [], [], { language: 'fr' });
    expect((await phone.recording(recording)).unplaced).toHaveLength(2);
    await transcribeAs(secondTexts, []);
    expect((await loadShown()).map(([content]) => content)).toEqual([
      'The harbor opens at night',
      'we met mister Meier there',
      'he paid in silver',
    ]);
    const { unplaced } = await phone.recording(recording);
    expect(unplaced).toEqual([]);
  });

  it('sends its list to phones even if nothing else in the recording has changed', async () => {
    const { paragraphs } = await transcribeAs(first, []);
    const edit = { type: 'paragraph.edit', recording, paragraph: paragraphs[1] };
    await phone.applyOne({ ...edit, content: 'We met mister Meier there.' });
    const loadListed = async (cursor: string) =>
      (await phone.changes({ cursor })).changes.flatMap((change) =>
        change.kind === 'recording' ? (change.recording.unplaced ?? []) : [],
      );
    const before = await phone.changes();
    await transcribeAs(['Nothing of the kind', 'was said today', 'by them'], []);
    expect(await loadListed(before.cursor)).toHaveLength(1);
    const after = await phone.changes();
    await phone.applyOne({ ...edit, content: 'We met mister Miller there.' });
    expect(await loadListed(after.cursor)).toMatchObject([
      { text: 'We met mister Meier there.' },
      { text: 'We met mister Miller there.' },
    ]);
  });
});

describe('a completed to-do', () => {
  const todo = (n: number) => {
    const otherFields = { paragraph_id: 'p', start_time: n, who: null, when: null, due: null };
    return { id: `todos-${n}`, text: `Call ${n}.`, ...otherFields };
  };
  const complete = (n: number, rest: object = {}) =>
    phone.applyOne({ type: 'recording.tick', recording, item: `todos-${n}`, done: true, ...rest });

  it('is listed if the new summary lacks it, even if the completion arrives late', async () => {
    await transcribe(server, owner, id, first, [], [todo(1), todo(2), todo(3), todo(4)]);
    await complete(1);
    await complete(3);
    await transcribe(server, owner, id, secondTexts, [], [todo(3)]);
    await complete(2);
    // A backup was restored after the phone saw this revision.
    await complete(4, { base_rev: 1_000_000 });
    expect((await phone.recording(recording)).unplaced).toEqual([
      { id: expect.any(String), kind: 'todo', text: 'Call 1.', time: 1 },
      { id: expect.any(String), kind: 'todo', text: 'Call 2.', time: 2 },
      { id: expect.any(String), kind: 'todo', text: 'Call 4.', time: 4 },
    ]);
  });

  it('isn’t listed if a later change overrode it', async () => {
    await transcribe(server, owner, id, first, [], [todo(1)]);
    await complete(1, { done: false });
    await transcribe(server, owner, id, secondTexts, [], []);
    await complete(1, { at: minutesAgo(5) });
    expect((await phone.recording(recording)).unplaced).toEqual([]);
  });
});

describe('a late change to an earlier transcript', () => {
  it('is carried over, unless a later change overrode it', async () => {
    const earlierTranscript = await transcribeAs(first, ['1', '2', '1']);
    const base_rev = await revision();
    const latest = await transcribeAs(secondTexts, ['2', '1', '2']);
    const edit = { type: 'paragraph.edit', recording };
    const [a, b, c] = earlierTranscript.paragraphs;
    const laterEdit = { paragraph: latest.paragraphs[1], content: 'we met mister Maier there' };
    await phone.applyOne({ ...edit, ...laterEdit, at: minutesAgo(1) });
    const at = minutesAgo(5);
    await phone.applyOne({ ...edit, paragraph: a, content: 'The harbor opens at nine.', at });
    await phone.applyOne({ ...edit, paragraph: b, content: 'We met mister Meier there.', at });
    await phone.applyOne({ type: 'paragraph.mark', recording, paragraph: c, is_tag: 1, at });
    await phone.applyOne({
      type: 'recording.speaker',
      recording,
      speaker: '2',
      name: 'Ben',
      at,
      base_rev,
    });
    expect(await loadShown()).toEqual([
      ['The harbor opens at nine', 0, '2'],
      ['we met mister Maier there', 0, '1'],
      ['he paid in gold', 1, '2'],
    ]);
    const { speakers, unplaced } = await phone.recording(recording);
    expect(speakers).toEqual({ 1: 'Ben' });
    expect(unplaced).toMatchObject([{ kind: 'edit', text: 'We met mister Meier there.', time: 1 }]);
  });

  it('names the speaker of the transcript that the phone had', async () => {
    await transcribeAs(first, ['1', '2', '1']);
    const base_rev = await revision();
    await transcribeAs(secondTexts, ['2', '1', '2']);
    await transcribeAs(first, ['1', '2', '1']);
    await phone.applyOne({
      type: 'recording.speaker',
      recording,
      speaker: '2',
      name: 'Ben',
      base_rev,
    });
    expect((await phone.recording(recording)).speakers).toEqual({ 2: 'Ben' });
  });

  it('dismisses the name proposed for the speaker of the transcript that the phone had', async () => {
    await transcribeAs(first, ['1', '2', '3']);
    const base_rev = await revision();
    await transcribeAs(secondTexts, ['2', '1', '2']);
    const voice = {
      recording_id: id,
      account_id: owner.id,
      model: 'm',
      embedding: Buffer.alloc(4),
    };
    const voices = ['1', '2'].map((speaker) => ({ ...voice, speaker }));
    await server.db.insertInto('speaker_voices').values(voices).execute();
    const dismissal = { type: 'recording.dismissProposal', recording, base_rev };
    await phone.applyOne({ ...dismissal, speaker: '2' });
    await phone.applyOne({ ...dismissal, speaker: '3' });
    const answered = await server.db
      .selectFrom('speaker_voices')
      .select('speaker')
      .where('recording_id', '=', id)
      .where('is_answered', '=', true)
      .execute();
    expect(answered).toEqual([{ speaker: '1' }]);
    expect((await phone.recording(recording)).unplaced).toEqual([]);
  });

  it('is listed if it names a speaker that is no longer distinguished', async () => {
    await transcribeAs(first, ['1', '2', '3']);
    const base_rev = await revision();
    await transcribeAs(secondTexts, ['2', '2', '1']);
    const name = { type: 'recording.speaker', recording, base_rev };
    await phone.applyOne({ ...name, speaker: '2', name: 'Ben' });
    await phone.applyOne({ ...name, speaker: '3', name: 'Cy' });
    const { speakers, unplaced } = await phone.recording(recording);
    expect(speakers).toEqual({ 1: 'Cy' });
    expect(unplaced).toMatchObject([{ kind: 'speaker', text: 'Ben', time: 1 }]);
  });

  it('names a speaker that is still distinguished', async () => {
    const { paragraphs } = await transcribeAs(first, ['1', '1', '1']);
    const base_rev = await revision();
    await transcribeAs(secondTexts, ['2', '2', '2']);
    const target = { recording, base_rev };
    await phone.apply([
      operation({ type: 'paragraph.speaker', ...target, paragraph: paragraphs[1], speaker: '2' }),
      operation({ type: 'recording.speaker', ...target, speaker: '2', name: 'Ben' }),
    ]);
    const [, label] = (await loadShown()).map(([, , speaker]) => speaker);
    const { speakers, unplaced } = await phone.recording(recording);
    expect([speakers, unplaced]).toEqual([{ [label ?? '']: 'Ben' }, []]);
  });
});
