import type { CallData, Change } from '@linnet/contract';
import { codes } from '@linnet/contract/codes';
import { limits } from '@linnet/contract/limits';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Account, TestServer } from '../../../test/server.ts';
import { startTestServer } from '../../../test/server.ts';
import type { Phone } from '../../../test/sync.ts';
import { createPhone, operation } from '../../../test/sync.ts';
import type { TranscribedRecording } from '../../../test/transcripts.ts';
import { transcribedRecording } from '../../../test/transcripts.ts';
import { toneWave, uploadRecording } from '../../../test/uploads.ts';
import { createChanges } from './changes.ts';

let server: TestServer;
let owner: Account;
let phone: Phone;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  owner = await server.register();
  phone = createPhone(server, owner);
});

const token = (account = owner) => ({ token: account.access });
const upload = (account = owner) =>
  uploadRecording(server, account, toneWave(2.5, 8000), { ext: 'wav' });
const detectKinds = (changes: readonly Change[]) => changes.map(({ kind, rev }) => ({ kind, rev }));
const timeAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString();

describe('every operation on a recording', () => {
  it.each([
    [{ type: 'recording.rename', name: 'Rounds' }, { name: 'Rounds' }],
    [{ type: 'recording.tag', tag: 'work', on: true }, { tags: ['work'] }],
    [
      { type: 'recording.date', recorded_at: '2024-02-29T08:30:00Z' },
      { recorded_at: '2024-02-29T08:30:00.000Z' },
    ],
    [
      { type: 'recording.place', place: { latitude: 52.5, longitude: 13.4, name: 'Berlin' } },
      { place: { latitude: 52.5, longitude: 13.4, name: 'Berlin' } },
    ],
    [{ type: 'recording.speaker', speaker: 'S1', name: 'Ada' }, { speakers: { S1: 'Ada' } }],
    [
      { type: 'recording.marker', marker: 'm', value: { id: 'm', time: 1.5, label: 'here' } },
      { markers: [{ id: 'm', time: 1.5, label: 'here' }] },
    ],
    [
      { type: 'recording.note', note: 'n', value: { id: 'n', time: 0, text: 'Ask Ada' } },
      { notes: [{ id: 'n', time: 0, text: 'Ask Ada' }] },
    ],
    [{ type: 'recording.tick', item: 'todos-1', done: true }, { ticks: { 'todos-1': true } }],
    [
      { type: 'recording.mindMap', mind_map: [{ id: 'a', parentid: '', topic: 'Heron' }] },
      { mind_map: [{ id: 'a', parentid: '', topic: 'Heron' }] },
    ],
    [{ type: 'recording.archive', on: true }, { is_archived: 1 }],
    [{ type: 'recording.protect', on: true }, { is_protected: 1 }],
    [{ type: 'recording.bin' }, { is_del: 1 }],
  ] as const)('is listed in the changes, with its own revision: %j', async (edit, shown) => {
    const { client_flag: recording, rev: before } = await upload();
    const result = await phone.applyOne({ ...edit, recording });
    expect(result).toMatchObject({ outcome: 'applied', code: codes.ok, rev: before + 1 });
    expect(await phone.recording(recording)).toMatchObject({ ...shown, rev: result.rev });
  });

  it.each([
    [
      { type: 'recording.tag', tag: 'a', on: true },
      { type: 'recording.tag', tag: 'a', on: false },
    ],
    [
      { type: 'recording.place', place: { latitude: 0, longitude: 0, name: '' } },
      { type: 'recording.place', place: null },
    ],
    [
      { type: 'recording.language', language: 'fr' },
      { type: 'recording.language', language: null },
    ],
    [
      { type: 'recording.speaker', speaker: 'S1', name: 'Ada' },
      { type: 'recording.speaker', speaker: 'S1', name: '' },
    ],
    [
      { type: 'recording.marker', marker: 'm', value: { id: 'm', time: 1, label: '' } },
      { type: 'recording.marker', marker: 'm', value: null },
    ],
    [
      { type: 'recording.note', note: 'n', value: { id: 'n', time: 1, text: 'Ask' } },
      { type: 'recording.note', note: 'n', value: null },
    ],
    [
      { type: 'recording.tick', item: 'todos-1', done: true },
      { type: 'recording.tick', item: 'todos-1', done: false },
    ],
    [
      { type: 'recording.mindMap', mind_map: [] },
      { type: 'recording.mindMap', mind_map: null },
    ],
    [
      { type: 'recording.archive', on: true },
      { type: 'recording.archive', on: false },
    ],
    [
      { type: 'recording.protect', on: true },
      { type: 'recording.protect', on: false },
    ],
    [{ type: 'recording.bin' }, { type: 'recording.recover' }],
  ] as const)('can be undone: %j by %j', async (edit, undo) => {
    const { client_flag: recording } = await upload();
    const before = await phone.recording(recording);
    const results = await phone.apply([
      operation({ ...edit, recording }),
      operation({ ...undo, recording }),
    ]);
    expect(results.map(({ outcome }) => outcome)).toEqual(['applied', 'applied']);
    const { rev, updated_at, ...rest } = await phone.recording(recording);
    expect({ ...before, rev, updated_at }).toEqual({ ...rest, rev, updated_at });
  });

  it('keeps the order of tags and sorts markers by time', async () => {
    const { client_flag: recording } = await upload();
    const tag = (name: string) =>
      operation({ type: 'recording.tag', recording, tag: name, on: true });
    const mark = (marker: string, time: number) => {
      const value = { id: marker, time, label: '' };
      return operation({ type: 'recording.marker', recording, marker, value });
    };
    await phone.apply([tag('z'), tag('a'), tag('z'), mark('late', 9), mark('early', 1)]);
    const { tags, markers } = await phone.recording(recording);
    expect(tags).toEqual(['z', 'a']);
    expect(markers.map(({ id }) => id)).toEqual(['early', 'late']);
  });

  it('stores the tag of a language, and rejects an unknown language', async () => {
    const { client_flag: recording } = await upload();
    const results = await phone.apply([
      operation({ type: 'recording.language', recording, language: 'Japanese' }),
      operation({ type: 'recording.language', recording, language: 'tlh' }),
      operation({ type: 'recording.rename', recording, name: 'After' }),
    ]);
    expect(results.map(({ code }) => code)).toEqual([
      codes.ok,
      codes.languageUnavailable,
      codes.ok,
    ]);
    expect(await phone.recording(recording)).toMatchObject({ language: 'ja', name: 'After' });
  });

  it('rejects a tag beyond the limit and applies the other operations', async () => {
    const { client_flag: recording } = await upload();
    const results = await phone.apply(
      Array.from({ length: limits.recording.tags + 1 }, (_, n) =>
        operation({ type: 'recording.tag', recording, tag: `t${n}`, on: true }),
      ).concat(operation({ type: 'recording.rename', recording, name: 'After' })),
    );
    expect(results.at(-2)).toMatchObject({ outcome: 'refused', code: codes.recordingFull });
    expect(results.at(-1)).toMatchObject({ outcome: 'applied' });
    expect((await phone.recording(recording)).tags).toHaveLength(limits.recording.tags);
  });
});

describe('every operation on a paragraph', () => {
  let recordingOfOwner: TranscribedRecording;
  beforeEach(async () => {
    recordingOfOwner = await transcribedRecording(server, owner);
  });
  const paragraphChange = async (id: string) =>
    (await phone.everything()).flatMap((change) =>
      change.kind === 'paragraph' && change.paragraph.id === id ? [change] : [],
    );

  it.each([
    [
      { type: 'paragraph.edit', content: 'The crane waits.' },
      { content: 'The crane waits.', edited: true },
    ],
    [{ type: 'paragraph.mark', is_tag: 1 }, { is_tag: 1 }],
    [{ type: 'paragraph.speaker', speaker: 'S2' }, { speaker: 'S2' }],
  ] as const)(
    'is listed in the changes, and gives its recording a new revision: %j',
    async (edit, shown) => {
      const [paragraph = ''] = recordingOfOwner.paragraphs;
      const result = await phone.applyOne({
        ...edit,
        recording: recordingOfOwner.clientFlag,
        paragraph,
      });
      expect(result).toMatchObject({ outcome: 'applied' });
      const [change, ...more] = await paragraphChange(paragraph);
      expect(more).toEqual([]);
      expect(change).toMatchObject({
        rev: result.rev,
        client_flag: recordingOfOwner.clientFlag,
        task_id: recordingOfOwner.taskId,
        ordinal: 0,
        paragraph: shown,
      });
      expect((await phone.recording(recordingOfOwner.clientFlag)).rev).toBe(result.rev);
    },
  );

  it('is rejected if the paragraph belongs to another recording or does not exist', async () => {
    const other = await upload();
    const editText = (recording: string, paragraph: string) =>
      phone.applyOne({ type: 'paragraph.edit', recording, paragraph, content: 'x' });
    const [paragraph = ''] = recordingOfOwner.paragraphs;
    for (const refused of [
      await editText(other.client_flag, paragraph),
      await editText(recordingOfOwner.clientFlag, crypto.randomUUID()),
      await editText(recordingOfOwner.clientFlag, 'p1'),
      await editText('nothing', paragraph),
    ]) {
      expect(refused).toMatchObject({ outcome: 'refused', code: codes.notFound });
    }
  });
});

describe('a first call that requests the recordings first', () => {
  it('lists all settings and the latest recordings first, then all changes from the start', async () => {
    await transcribedRecording(server, owner);
    for (let n = 0; n < 4; n++) await upload();
    const setting = { group_name: 'user', config_key: 'theme', config_value: 'dark' };
    await phone.applyOne({ type: 'setting.set', ...setting });
    const pages: CallData<'sync/changes'>[] = [];
    let cursor: string | undefined;
    do {
      const page = await phone.changes({
        recordings_first: true,
        limit: 2,
        ...(cursor && { cursor }),
      });
      pages.push(page);
      cursor = page.cursor;
    } while (pages.at(-1)?.more);
    const everything = detectKinds(await phone.everything());
    const recordings = everything.filter(({ kind }) => kind === 'recording');
    const listed = detectKinds(pages.flatMap(({ changes }) => changes));
    const settings = everything.filter(({ kind }) => kind === 'setting');
    expect(settings.length).toBeGreaterThan(0);
    expect(listed).toEqual([...settings, ...recordings.toReversed(), ...everything]);
  });

  it('lists a recording that changes in between again, with its latest revision', async () => {
    const recordings = [];
    for (let n = 0; n < 4; n++) recordings.push((await upload()).client_flag);
    const first = await phone.changes({ recordings_first: true, limit: 2 });
    const [recording = ''] = recordings;
    const { rev } = await phone.applyOne({
      type: 'recording.rename',
      recording,
      name: 'Meanwhile',
    });
    const changes = [];
    for (let page = first; page.more; changes.push(...page.changes)) {
      page = await phone.changes({ cursor: page.cursor, limit: 3 });
    }
    const renamed = changes.filter((change) => JSON.stringify(change).includes(recording));
    expect(renamed.at(-1)).toMatchObject({ rev, recording: { name: 'Meanwhile' } });
  });

  it('gets the tombstone of a recording that is deleted in between', async () => {
    for (let n = 0; n < 4; n++) await upload();
    const { client_flag: deleted } = await upload();
    const first = await phone.changes({ recordings_first: true, limit: 2 });
    expect(JSON.stringify(first.changes)).toContain(deleted);
    await phone.applyOne({ type: 'recording.delete', recording: deleted });
    const changes = [];
    for (let page = first; page.more; changes.push(...page.changes)) {
      page = await phone.changes({ cursor: page.cursor, limit: 3 });
    }
    const ofDeleted = changes.filter((change) => JSON.stringify(change).includes(deleted));
    expect(ofDeleted.at(-1)?.kind).toBe('tombstone');
  });

  it('gets all changes at once if they fit on one page', async () => {
    await transcribedRecording(server, owner);
    const { changes, more } = await phone.changes({ recordings_first: true });
    expect(more).toBe(false);
    expect(detectKinds(changes)).toEqual(detectKinds(await phone.everything()));
  });
});

describe('a repeated operation', () => {
  it('is applied once and returns its first outcome, even after other operations', async () => {
    const { client_flag: recording } = await upload();
    const first = operation({ type: 'recording.rename', recording, name: 'One' });
    const [applied] = await phone.apply([first]);
    const [superseded] = await phone.apply([
      operation({ type: 'recording.rename', recording, name: 'Old', at: timeAgo(5) }),
    ]);
    const refusedOp = operation({ type: 'recording.bin', recording: 'unknown' });
    const [refused] = await phone.apply([refusedOp]);
    await phone.applyOne({ type: 'recording.rename', recording, name: 'Two' });
    expect(superseded).toMatchObject({ outcome: 'superseded', code: codes.ok });
    expect(await phone.apply([first, refusedOp, first])).toEqual([applied, refused, applied]);
    const upperCased = { ...first, op_id: first.op_id.toUpperCase() };
    expect(await phone.apply([upperCased])).toEqual([{ ...applied, op_id: upperCased.op_id }]);
    expect((await phone.recording(recording)).name).toBe('Two');
  });

  it('is applied once in concurrent requests', async () => {
    const { client_flag: recording } = await upload();
    const ops = ['a', 'b', 'c'].map((tag) =>
      operation({ type: 'recording.tag', recording, tag, on: true }),
    );
    const responses = await Promise.all(Array.from({ length: 10 }, () => phone.apply(ops)));
    for (const response of responses) expect(response).toEqual(responses[0]);
    const rows = await server.db
      .selectFrom('operations')
      .select('op_id')
      .where('account_id', '=', owner.id)
      .execute();
    expect(rows).toHaveLength(3);
    expect((await phone.recording(recording)).tags).toEqual(['a', 'b', 'c']);
  });
});

describe('edits from two phones', () => {
  it('are both applied if they change different fields', async () => {
    const { client_flag: recording } = await upload();
    await phone.applyOne({ type: 'recording.rename', recording, name: 'Name' });
    await phone.applyOne({
      type: 'recording.tag',
      recording,
      tag: 'tag',
      on: true,
      at: timeAgo(9),
    });
    expect(await phone.recording(recording)).toMatchObject({ name: 'Name', tags: ['tag'] });
  });

  it.each([
    ['the later one first', [1, 9], ['applied', 'superseded']],
    ['the earlier one first', [9, 1], ['applied', 'applied']],
  ])(
    'that are concurrent are resolved to the later edit, sending %s',
    async (_, minutes, outcomes) => {
      const { client_flag: recording } = await upload();
      const actualOutcomes: string[] = [];
      for (const minute of minutes) {
        const edit = {
          type: 'recording.rename',
          recording,
          name: `${minute} min`,
          at: timeAgo(minute),
        };
        actualOutcomes.push((await phone.applyOne(edit)).outcome);
      }
      expect(actualOutcomes).toEqual(outcomes);
      expect((await phone.recording(recording)).name).toBe('1 min');
    },
  );

  it('are resolved to the edit that had seen the other, even if its clock is behind', async () => {
    const { client_flag: recording } = await upload();
    const { rev } = await phone.applyOne({ type: 'recording.rename', recording, name: 'First' });
    const secondEdit = { type: 'recording.rename', recording, name: 'Second', at: timeAgo(60) };
    expect(await phone.applyOne({ ...secondEdit, base_rev: rev })).toMatchObject({
      outcome: 'applied',
    });
    expect((await phone.recording(recording)).name).toBe('Second');
  });

  it.each(['in one request', 'in two'])(
    'from a phone whose clock is behind keep their order, %s',
    async (requests) => {
      const { client_flag: recording } = await upload();
      const rename = (rest: object) => operation({ type: 'recording.rename', recording, ...rest });
      const [first] = await phone.apply([rename({ name: 'By the other' })]);
      const ownOps = [
        rename({ name: 'One', at: timeAgo(60), base_rev: first?.rev }),
        rename({ name: 'Two', at: timeAgo(59), base_rev: first?.rev }),
      ];
      const sent = requests === 'in two' ? ownOps.map((op) => [op]) : [ownOps];
      const results = [];
      for (const ops of sent) results.push(...(await phone.apply(ops)));
      expect(results.map(({ outcome }) => outcome)).toEqual(['applied', 'applied']);
      expect((await phone.recording(recording)).name).toBe('Two');
      // The writer of "Two" had seen the other phone's edit. An earlier edit whose writer hadn't seen that edit loses.
      const [before] = await phone.apply([rename({ name: 'Before all', at: timeAgo(30) })]);
      expect(before?.outcome).toBe('superseded');
    },
  );

  it('based on a revision that a restore has lost are treated as if they had seen nothing', async () => {
    const { client_flag: recording } = await upload();
    const { rev } = await phone.applyOne({ type: 'recording.rename', recording, name: 'Restored' });
    const fromLostRevision = { type: 'recording.rename', recording, base_rev: rev + 1 };
    // The edit hasn't seen the revisions assigned in the same request either.
    const results = await phone.apply([
      operation({ type: 'recording.tag', recording, tag: 'a', on: true, base_rev: rev }),
      operation({ ...fromLostRevision, name: 'Earlier', at: timeAgo(5) }),
    ]);
    expect(results.map(({ outcome }) => outcome)).toEqual(['applied', 'superseded']);
    expect((await phone.recording(recording)).name).toBe('Restored');
    // The base revision is stored as 0, so this still holds once the account reaches that revision again.
    const laterOperation = operation({ ...fromLostRevision, name: 'Later', base_rev: rev + 50 });
    expect(await phone.apply([laterOperation])).toMatchObject([{ outcome: 'applied' }]);
    const storedOp = await server.db
      .selectFrom('operations')
      .select('base_rev')
      .where('op_id', '=', laterOperation.op_id)
      .executeTakeFirstOrThrow();
    expect(storedOp.base_rev).toBe(0);
  });

  it('are resolved to the later edit if they bin and restore a recording', async () => {
    const { client_flag: recording } = await upload();
    await phone.applyOne({ type: 'recording.recover', recording, at: timeAgo(1) });
    const binned = await phone.applyOne({ type: 'recording.bin', recording, at: timeAgo(5) });
    expect(binned.outcome).toBe('superseded');
    expect((await phone.recording(recording)).is_del).toBe(0);
  });

  it('to the recordings of other accounts have no effect', async () => {
    const recordingOfOwner = await transcribedRecording(server, owner);
    const otherUser = createPhone(server, await server.register());
    const [paragraph = ''] = recordingOfOwner.paragraphs;
    const before = await phone.everything();
    for (const edit of [
      { type: 'recording.rename', name: 'x' },
      { type: 'recording.bin' },
      { type: 'paragraph.edit', paragraph, content: 'x' },
    ]) {
      const result = await otherUser.applyOne({ ...edit, recording: recordingOfOwner.clientFlag });
      const absentOutcome = await otherUser.applyOne({ ...edit, recording: crypto.randomUUID() });
      expect({ ...result, op_id: '' }).toEqual({ ...absentOutcome, op_id: '' });
      expect(result).toMatchObject({ outcome: 'refused', code: codes.notFound });
    }
    // Deleting another account's recording only leaves a tombstone in the caller's own account.
    await otherUser.applyOne({ type: 'recording.delete', recording: recordingOfOwner.clientFlag });
    expect(await otherUser.everything()).toMatchObject([
      { kind: 'tombstone', client_flag: recordingOfOwner.clientFlag },
    ]);
    expect(await phone.everything()).toEqual(before);
  });
});

describe('changes', () => {
  it('list a recording before its task and its paragraphs', async () => {
    const recordingOfOwner = await transcribedRecording(server, owner);
    const changes = await phone.everything();
    expect(changes.map(({ kind }) => kind)).toEqual([
      'recording',
      'task',
      'paragraph',
      'paragraph',
    ]);
    expect(changes[0]).toMatchObject({
      recording: {
        id: recordingOfOwner.id,
        status: 2,
        task: { id: recordingOfOwner.taskId },
        tags: [],
        markers: [],
      },
    });
    expect(changes[1]).toMatchObject({
      client_flag: recordingOfOwner.clientFlag,
      task: { id: recordingOfOwner.taskId },
    });
    expect(changes[1]).not.toHaveProperty('task.paragraphs');
  });

  it('are paged without splitting a revision', async () => {
    await transcribedRecording(server, owner);
    const { client_flag: recording } = await upload();
    await phone.apply(
      ['a', 'b', 'c', 'd'].map((key) =>
        operation({ type: 'setting.set', group_name: 'g', config_key: key, config_value: key }),
      ),
    );
    await phone.applyOne({ type: 'recording.delete', recording });
    const all = await phone.everything();
    const revisions = all.map(({ rev }) => rev);
    expect(revisions).toEqual(revisions.toSorted((a, b) => a - b));
    for (const limit of [1, 2, 3, 5, 8]) expect(await phone.everything(limit)).toEqual(all);
    // A page exceeds the limit only if it consists of a single revision with more changes.
    expect((await phone.changes({ limit: 5 })).changes).toHaveLength(5);
    const { changes } = await phone.changes({ limit: 1 });
    expect(new Set(changes.map(({ rev }) => rev)).size).toBe(1);
    expect(changes).toHaveLength(4);
  });

  it('are empty after the last cursor until something changes', async () => {
    const { client_flag: recording } = await upload();
    const { cursor } = await phone.changes();
    expect(await phone.changes({ cursor })).toEqual({ changes: [], cursor, more: false });
    await phone.applyOne({ type: 'recording.bin', recording });
    expect((await phone.changes({ cursor })).changes).toMatchObject([{ kind: 'recording' }]);
  });

  it.each(['', 'yesterday', '12', 'cmV2IC0x', Buffer.from('rev 99999').toString('base64url')])(
    'reject the cursor "%s"',
    async (cursor) => {
      const { code, data } = await server.call('sync/changes', { cursor }, token());
      expect({ code, data }).toEqual({ code: codes.badRequest, data: null });
    },
  );

  it('reject a cursor of another account or from before a restore', async () => {
    const { cursor } = await phone.changes();
    const refused = { code: codes.badRequest, data: null };
    const otherUser = await server.register();
    expect(await server.call('sync/changes', { cursor }, token(otherUser))).toMatchObject(refused);
    await server.db.updateTable('accounts').set({ epoch: 'restored' }).execute();
    expect(await server.call('sync/changes', { cursor }, token())).toMatchObject(refused);
  });

  it('are a consistent snapshot despite concurrent writes', async () => {
    const { clientFlag: recording, paragraphs } = await transcribedRecording(server, owner);
    const [paragraph = ''] = paragraphs;
    const setting = { type: 'setting.set', group_name: 'g', config_key: 'k' };
    await phone.applyOne({ ...setting, config_value: 'before' });
    const everything = { limit: 500 };
    const sign = (key: string) => key;
    const account = await server.db
      .selectFrom('accounts')
      .selectAll()
      .where('id', '=', owner.id)
      .executeTakeFirstOrThrow();
    const before = await createChanges(server.db).since(account, everything, sign, sign);
    let writes = 0;
    const writingDb = server.db.withPlugin({
      transformQuery: ({ node }) => node,
      async transformResult({ result }) {
        writes += 1;
        await phone.apply([
          operation({ type: 'recording.rename', recording, name: `Name ${writes}` }),
          operation({ type: 'paragraph.edit', recording, paragraph, content: `Text ${writes}` }),
          operation({ ...setting, config_value: `${writes}` }),
        ]);
        return result;
      },
    });
    expect(await createChanges(writingDb).since(account, everything, sign, sign)).toEqual(before);
    expect(writes).toBeGreaterThanOrEqual(6);
    const { changes } = await phone.changes({ cursor: before.cursor });
    expect(changes).toMatchObject([
      { kind: 'recording', recording: { name: `Name ${writes}` } },
      { kind: 'paragraph', paragraph: { content: `Text ${writes}` } },
      { kind: 'setting', setting: { config_value: `${writes}` } },
    ]);
  });

  it('skip no revision during concurrent writes', async () => {
    const flags = await Promise.all(
      Array.from({ length: 3 }, async () => (await upload()).client_flag),
    );
    const rounds = 25;
    const write = async (recording: string, writer: number) => {
      for (let n = 0; n < rounds; n += 1) {
        const tag = `${writer}-${n}`;
        // Each setting is written only once, so a skipped revision would be missing.
        await phone.apply([
          operation({ type: 'recording.rename', recording, name: tag }),
          operation({
            type: 'setting.set',
            group_name: `p${writer}`,
            config_key: tag,
            config_value: tag,
          }),
        ]);
      }
    };
    let writing = true;
    const received = new Map<string, number>();
    const read = async () => {
      let cursor: string | undefined;
      for (;;) {
        const last = !writing;
        const response = await phone.changes({
          limit: 1 + (received.size % 3),
          ...(cursor && { cursor }),
        });
        for (const change of response.changes) {
          if (change.kind !== 'setting') continue;
          const { config_key: key } = change.setting;
          received.set(key, (received.get(key) ?? 0) + 1);
        }
        cursor = response.cursor;
        if (last && !response.more) return;
      }
    };
    const reading = Promise.all([read()]);
    await Promise.all(flags.map(write)).finally(() => {
      writing = false;
    });
    await reading;
    expect(received.size).toBe(flags.length * rounds);
    expect(new Set(received.values())).toEqual(new Set([1]));
  });
});

describe('the sync calls', () => {
  it('require a token', async () => {
    const options = token();
    const applied = await server.call('sync/apply', { ops: [] }, options);
    expect(applied).toMatchObject({ code: codes.ok, data: { results: [], rev: 0 } });
    const changed = await server.call('sync/changes', {}, options);
    expect(changed).toMatchObject({ code: codes.ok, data: { changes: [], more: false } });
    for (const name of ['sync/apply', 'sync/changes'] as const) {
      expect(await server.call(name, { ops: [] })).toMatchObject({
        code: codes.tokenInvalid,
        data: null,
      });
    }
  });

  it.each([
    ['missing operations', {}],
    ['an incomplete operation', { ops: [{ type: 'recording.bin' }] }],
    ['an unknown operation', { ops: [operation({ type: 'recording.eat', recording: 'x' })] }],
    [
      'too many operations',
      {
        ops: Array.from({ length: limits.sync.operations + 1 }, () =>
          operation({ type: 'recording.bin', recording: 'x' }),
        ),
      },
    ],
  ])('reject %s', async (_, body) => {
    const { code } = await server.call('sync/apply', body, token());
    expect(code).toBe(codes.badRequest);
  });
});
