import type { Change, Operation, Paragraph, RecordingState, Task } from '@linnet/contract';
import { codes } from '@linnet/contract/codes';
import { limits } from '@linnet/contract/limits';
import type { Edit } from '@linnet/contract/operations';
import { recSource, taskStatus } from '@linnet/contract/statuses';
import { type ChangeStore, type ChangesPage, EditExceeds } from '../changes/ports.ts';
import type { RecordStore } from '../ports.ts';
import { isDel, isNew, isTrans } from '../record.ts';
import { check, equal } from './check.ts';

export type Stores = { readonly records: RecordStore; readonly changes: ChangeStore };

/** What a runner of tests has to offer, so that the suite runs in Node and in a page alike. */
export type ChangeStoreHarness = {
  test(name: string, run: () => Promise<void>): void;
  /** Opens the same, initially empty stores at each call, as after a restart. @param now ISO-8601, UTC */
  open(now?: () => string): Promise<Stores>;
};

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();

/** A row of the server, of a recording that its owner has not touched. */
function rowOf(id: string, rev: number, changed: Partial<RecordingState> = {}): Change {
  const recording: RecordingState = {
    id: `server-${id}`,
    name: '',
    ai_title: '',
    source: 0,
    url: null,
    file_size: 0,
    sha256: null,
    audio_sha256: null,
    mime_type: 'audio/ogg',
    ext: 'ogg',
    total_time: 3,
    peaks: '',
    sn: '',
    client_flag: id,
    status: null,
    progress: 0,
    keywords: [],
    tags: [],
    brief: '',
    is_del: 0,
    recorded_at: at(0),
    created_at: at(0),
    updated_at: at(rev),
    rev,
    task: null,
    place: null,
    speakers: {},
    markers: [],
    ticks: {},
    mind_map: null,
    ...changed,
  };
  return { kind: 'recording', rev, recording };
}

/** A summary in which nothing was found. */
const nothingFound: NonNullable<Task['summary_json']> = {
  version: 1,
  engine: 'test',
  kind: 'extractive',
  language: 'en',
  structure: 'general',
  structures: {},
  todos: [],
  knowledge_points: [],
  needs: [],
  questions: [],
  finance: [],
  timeline: [],
  topics: [],
  looked_for: [],
};

/** Results of a task that was made at that second. */
function resultsOf(id: string, task: string, rev: number, made = rev): Change {
  return {
    kind: 'task',
    rev,
    client_flag: id,
    task: {
      id: task,
      radio_file_id: `server-${id}`,
      language: 'en',
      status: taskStatus.transcribed,
      progress: 100,
      step: null,
      error: null,
      title: `Title of ${task}`,
      brief: '',
      summary: `Summary of ${task}`,
      summary_json: nothingFound,
      keywords: [],
      xmind_url: null,
      xmind_json: null,
      summarizing: null,
      engine: 'test',
      minutes: 1,
      created_at: at(made),
      updated_at: at(rev),
    },
  };
}

function paragraphOf(
  id: string,
  task: string,
  ordinal: number,
  rev: number,
  changed: Partial<Paragraph> = {},
): Change {
  const paragraph: Paragraph = {
    id: `${task}-${ordinal}`,
    start_time: ordinal,
    end_time: ordinal + 1,
    content: `${task} says ${ordinal}`,
    is_tag: 0,
    ...changed,
  };
  return { kind: 'paragraph', rev, client_flag: id, task_id: task, ordinal, paragraph };
}

const headOf = (task: string, status: Task['status']) =>
  ({ id: task, language: 'en', status, progress: 0, step: null, error: null }) as const;

const page = (cursor: string, changes: readonly Change[], more = false): ChangesPage => ({
  changes: [...changes],
  cursor,
  more,
});

let accounts = 0;

/** An account of its own with a recording that the server knows, at revision 1. */
async function begin(open: ChangeStoreHarness['open'], now?: () => string) {
  const stores = await open(now);
  const uid = `owner ${++accounts}`;
  const id = `recording ${accounts}`;
  await stores.changes.applyPage(uid, undefined, page('1', [rowOf(id, 1)]));
  return { ...stores, uid, id };
}

const tell = (op: Operation, outcome: 'applied' | 'superseded' | 'refused', rev: number) => [
  { op_id: op.op_id, outcome, rev, code: 0, msg: '' },
];

const only = <T>(list: readonly T[]): T => {
  equal(list.length, 1, 'how many there are');
  return list[0] as T;
};

async function detailOf(records: RecordStore, id: string) {
  const detail = await records.detail(id);
  if (!detail) throw new Error(`${id} is not there`);
  return detail;
}

/** What every {@link ChangeStore} must do, together with the {@link RecordStore} it shares its records with. */
export function changeStoreContract({ test, open }: ChangeStoreHarness): void {
  test('shows at once what the owner does, and keeps it for the server', async () => {
    const { records, changes, uid, id } = await begin(open, () => at(5));
    let told = 0;
    const unsubscribe = records.subscribe(() => {
      told += 1;
    });
    check(
      await changes.edit(uid, { type: 'recording.rename', recording: id, name: 'Mine' }),
      'done',
    );
    unsubscribe();
    equal(told, 1, 'times that readers were told');
    const detail = await detailOf(records, id);
    equal([detail.title, detail.update_date], ['Mine', at(5)], 'what is shown');

    const later = await open();
    equal((await detailOf(later.records, id)).title, 'Mine', 'title after a restart');
    const { op_id, ...op } = only(await later.changes.pending(uid));
    check(/^[0-9a-f-]{36}$/.test(op_id), 'the operation has an id');
    const sent = { type: 'recording.rename', recording: id, name: 'Mine', base_rev: 1, at: at(5) };
    equal(Object.entries(op).sort(), Object.entries(sent).sort(), 'the operation');
  });

  test('a transcript without a summary leaves the name and the words that describe the recording', async () => {
    const { records, changes, uid, id } = await begin(open);
    const described = resultsOf(id, 'first', 2);
    const silent = resultsOf(id, 'second', 3);
    if (described.kind !== 'task' || silent.kind !== 'task') throw new Error('not results');
    Object.assign(described.task, { brief: 'In short', keywords: ['orchid'] });
    Object.assign(silent.task, { title: '', brief: '', summary: '', summary_json: null });
    await changes.applyPage(uid, '1', page('2', [described]));
    await changes.applyPage(uid, '2', page('3', [silent]));
    const { ai_title, brief, keywords, summary, summary_json } = await detailOf(records, id);
    equal(
      { ai_title, brief, keywords, summary, summary_json },
      {
        ai_title: 'Title of first',
        brief: 'In short',
        keywords: ['orchid'],
        summary: '',
        summary_json: null,
      },
      'what is known of it',
    );
  });

  test('does every kind of thing', async () => {
    const { records, changes, uid, id } = await begin(open);
    await changes.applyPage(
      uid,
      '1',
      page('2', [
        rowOf(id, 2, { task: headOf('every', taskStatus.transcribed) }),
        resultsOf(id, 'every', 2),
        paragraphOf(id, 'every', 0, 2),
      ]),
    );
    const recording = id;
    const paragraph = 'every-0';
    const edits: Edit[] = [
      { type: 'recording.tag', recording, tag: 'a', on: true },
      { type: 'recording.place', recording, place: { latitude: 1, longitude: 2, name: 'hall' } },
      { type: 'recording.speaker', recording, speaker: 'S1', name: 'Ann' },
      {
        type: 'recording.marker',
        recording,
        marker: 'm',
        value: { id: 'm', time: 1.5, label: 'here' },
      },
      { type: 'recording.tick', recording, item: 't', done: true },
      {
        type: 'recording.mindMap',
        recording,
        mind_map: [{ id: 'n', parentid: '', topic: 'root' }],
      },
      { type: 'recording.bin', recording },
      { type: 'paragraph.edit', recording, paragraph, content: 'better' },
      { type: 'paragraph.mark', recording, paragraph, is_tag: 1 },
      { type: 'paragraph.speaker', recording, paragraph, speaker: 'S1' },
      { type: 'setting.set', group_name: 'g', config_key: 'k', config_value: 'v' },
    ];
    for (const edit of edits) check(await changes.edit(uid, edit), `${edit.type} is done`);
    const shown = await detailOf(records, id);
    equal(
      [shown.tags, shown.place, shown.speakers, shown.markers, shown.ticks, shown.mind_map],
      [
        ['a'],
        { latitude: 1, longitude: 2, name: 'hall' },
        { S1: 'Ann' },
        [{ id: 'm', time: 1.5, label: 'here' }],
        { t: true },
        [{ id: 'n', parentid: '', topic: 'root' }],
      ],
      'the record',
    );
    const [spoken] = shown.content;
    equal(
      [spoken?.content, spoken?.is_tag, spoken?.speaker, spoken?.edited],
      ['better', 1, 'S1', true],
      'the paragraph',
    );
    equal(shown.is_del, isDel.binned, 'in the bin');
    equal((await records.summaries(uid)).length, 0, 'kept recordings');
    check(await changes.edit(uid, { type: 'recording.recover', recording }), 'recovered');
    equal((await records.summaries(uid)).length, 1, 'kept recordings after recovering');
    const types = (await changes.pending(uid)).map(({ type }) => type);
    equal(types, [...edits.map(({ type }) => type), 'recording.recover'], 'operations, in order');
  });

  test('does several things at once, and leaves out what is not there', async () => {
    const { records, changes, uid, id } = await begin(open);
    const edits: Edit[] = [
      { type: 'recording.bin', recording: 'nowhere' },
      { type: 'recording.bin', recording: id },
    ];
    equal(await changes.editAll(uid, edits), 1, 'done');
    equal((await records.summaries(uid)).length, 0, 'kept recordings');
    const [binned, ...others] = await records.binned(uid);
    equal([binned?.id, binned?.is_del, others], [id, isDel.binned, []], 'in the bin');
    equal(binned?.update_date, (await changes.pending(uid))[0]?.at, 'when it was put there');
    equal(await records.binned('somebody else'), [], 'in the bin of another');
    equal(await changes.editAll(uid, [{ type: 'recording.delete', recording: id }]), 1, 'deleted');
    equal(await records.binned(uid), [], 'in the bin after deleting');
    const types = (await changes.pending(uid)).map(({ type }) => type);
    equal(types, ['recording.delete'], 'operations');
  });

  test('does nothing to what is not there', async () => {
    const { changes, uid, id } = await begin(open);
    const edits: Edit[] = [
      { type: 'recording.rename', recording: 'nowhere', name: 'x' },
      { type: 'recording.delete', recording: 'nowhere' },
      { type: 'paragraph.edit', recording: id, paragraph: 'nowhere', content: 'x' },
    ];
    for (const edit of edits) equal(await changes.edit(uid, edit), false, edit.type);
    const stranger = { type: 'recording.bin', recording: id } as const;
    equal(await changes.edit('somebody else', stranger), false, 'to what belongs to another');
    equal(await changes.pending(uid), [], 'operations');
  });

  test('holds back what is about a recording that the server does not know yet', async () => {
    const { records, changes, uid } = await begin(open);
    const seed = (id: string) => ({
      id,
      uid,
      sn: 'SN',
      deviceFileId: 1,
      createDate: at(0),
      seconds: 3,
      recSource: recSource.note,
      audioBytes: 1,
    });
    const [kept, dropped] = [`${uid} kept`, `${uid} dropped`];
    for (const id of [kept, dropped]) {
      await records.ensure(seed(id));
      await changes.edit(uid, { type: 'recording.rename', recording: id, name: 'Mine' });
    }
    equal(await changes.pending(uid), [], 'operations');
    await changes.edit(uid, { type: 'recording.delete', recording: dropped });
    equal(
      (await changes.pending(uid)).map((op) => op.type),
      ['recording.delete'],
      'of the one that was deleted for good, the deletion alone',
    );
    await records.update(kept, { server_id: 'known' });
    const types = (await changes.pending(uid)).map((op) => op.type);
    equal(types, ['recording.rename', 'recording.delete'], 'once the server knows it');
  });

  test('lets no pull take away what the server has not answered yet', async () => {
    const { records, changes, uid, id } = await begin(open);
    const titles: string[] = [];
    const look = async () => titles.push((await detailOf(records, id)).title);
    await changes.edit(uid, { type: 'recording.rename', recording: id, name: 'Mine' });
    await look();
    await changes.applyPage(uid, '1', page('2', [rowOf(id, 2, { tags: ['theirs'] })]));
    await look();
    const op = only(await changes.pending(uid));
    equal(await changes.waiting(uid), 1, 'operations that wait');
    await changes.acknowledge(uid, tell(op, 'applied', 3));
    equal(await changes.pending(uid), [], 'operations to tell');
    equal(await changes.waiting(uid), 0, 'operations that wait once they were answered');
    await look();
    // A row that was read before the operation was applied, stored after its answer was.
    await changes.applyPage(uid, '2', page('3', [rowOf(id, 2, { tags: ['theirs'] })], true));
    await look();
    await changes.applyPage(
      uid,
      '3',
      page('4', [rowOf(id, 4, { name: 'Mine', tags: ['theirs'] })]),
    );
    await look();
    equal(titles, Array(5).fill('Mine'), 'titles on the way');
    equal((await detailOf(records, id)).tags, ['theirs'], 'tags');
    equal((await detailOf(records, id)).update_date, at(4), 'when it was changed last');
    await changes.edit(uid, { type: 'recording.bin', recording: id });
    equal(only(await changes.pending(uid)).base_rev, 4, 'what was seen before the next');
  });

  test('takes the server’s word over what was refused or came too late', async () => {
    const { records, changes, uid, id } = await begin(open);
    await changes.edit(uid, { type: 'recording.rename', recording: id, name: 'Mine' });
    await changes.edit(uid, { type: 'recording.tag', recording: id, tag: 'mine', on: true });
    await changes.edit(uid, { type: 'recording.tick', recording: id, item: 't', done: true });
    const [rename, tag] = await changes.pending(uid);
    await changes.acknowledge(uid, tell(rename as Operation, 'superseded', 1));
    await changes.acknowledge(uid, tell(tag as Operation, 'refused', 1));
    await changes.applyPage(uid, '1', page('2', []));
    const detail = await detailOf(records, id);
    equal([detail.title, detail.tags, detail.ticks], ['', [], { t: true }], 'what is shown');
    equal((await changes.pending(uid)).length, 1, 'operations that wait');
  });

  test('changes paragraphs one by one, under what the owner wrote', async () => {
    const { records, changes, uid, id } = await begin(open);
    await changes.applyPage(
      uid,
      '1',
      page('2', [
        rowOf(id, 2, { task: headOf('one', taskStatus.transcribed) }),
        resultsOf(id, 'one', 2),
        ...[0, 1, 2].map((ordinal) => paragraphOf(id, 'one', ordinal, 2)),
      ]),
    );
    const edit: Edit = {
      type: 'paragraph.edit',
      recording: id,
      paragraph: 'one-1',
      content: 'Mine',
    };
    await changes.edit(uid, edit);
    await changes.applyPage(
      uid,
      '2',
      page('3', [
        rowOf(id, 3),
        paragraphOf(id, 'one', 1, 3, { content: 'Theirs', is_tag: 1 }),
        paragraphOf(id, 'one', 2, 3, { content: 'Theirs' }),
      ]),
    );
    const texts = async () => (await detailOf(records, id)).content.map(({ content }) => content);
    equal(await texts(), ['one says 0', 'Mine', 'Theirs'], 'texts while it is not answered');
    equal((await detailOf(records, id)).content[1]?.is_tag, 1, 'their mark beside my text');
    const op = only(await changes.pending(uid));
    await changes.acknowledge(uid, tell(op, 'superseded', 3));
    await changes.applyPage(uid, '3', page('4', []));
    equal(await texts(), ['one says 0', 'Theirs', 'Theirs'], 'texts after the answer');
  });

  test('puts results together in whatever order they come, and shows the latest', async () => {
    const { records, changes, uid, id } = await begin(open);
    const other = `${id} other`;
    // A rename moved the recording behind its results; a new summary moved those behind their text.
    await changes.applyPage(uid, '1', page('2', [paragraphOf(other, 'new', 0, 2)], true));
    await changes.applyPage(uid, '2', page('3', [resultsOf(other, 'new', 3, 3)], true));
    await changes.applyPage(uid, '3', page('4', [resultsOf(other, 'old', 4, 1)], true));
    equal(await records.detail(other), null, 'the record before the server told of it');
    const row = rowOf(other, 5, { task: headOf('new', taskStatus.transcribed) });
    await changes.applyPage(uid, '4', page('5', [row]));
    const shown = await detailOf(records, other);
    equal(
      [shown.is_trans, shown.summary, shown.content.map(({ content }) => content)],
      [isTrans.translated, 'Summary of new', ['new says 0']],
      'results',
    );
    equal(shown.is_new, isNew.read, 'read, since another phone made it');

    // It is transcribed again: what is there stays until there is better.
    const again = headOf('newest', taskStatus.working);
    await changes.applyPage(uid, '5', page('6', [rowOf(other, 6, { task: again })]));
    const waiting = await detailOf(records, other);
    equal(
      [waiting.is_trans, waiting.content.length, waiting.task?.id],
      [isTrans.transferring, 1, 'newest'],
      'while it is transcribed again',
    );
    const done = headOf('newest', taskStatus.transcribed);
    await changes.applyPage(
      uid,
      '6',
      page('7', [
        rowOf(other, 7, { task: done }),
        resultsOf(other, 'newest', 7),
        paragraphOf(other, 'newest', 0, 7),
        paragraphOf(other, 'newest', 1, 7),
      ]),
    );
    const now = await detailOf(records, other);
    equal([now.is_trans, now.summary], [isTrans.translated, 'Summary of newest'], 'new results');
    equal(now.content.length, 2, 'paragraphs');
  });

  test('draws a recording as the server tells, unless it was measured here', async () => {
    const { records, changes, uid, id } = await begin(open);
    const other = `${id} other`;
    const told = (flag: string, rev: number, peaks: string) => rowOf(flag, rev, { peaks });
    await changes.applyPage(uid, '1', page('2', [told(other, 2, ''), told(id, 2, '')]));
    equal([...(await detailOf(records, other)).peaks], [], 'before anybody measured it');
    await records.update(id, { peaks: Uint8Array.of(7, 8, 9) });
    await changes.applyPage(uid, '2', page('3', [told(other, 3, 'AID/'), told(id, 3, 'AID/')]));
    equal([...(await detailOf(records, other)).peaks], [0, 128, 255], 'as the server tells');
    equal([...(await detailOf(records, id)).peaks], [7, 8, 9], 'as it was measured here');
    await changes.applyPage(uid, '3', page('4', [told(other, 4, '')]));
    equal([...(await detailOf(records, other)).peaks], [0, 128, 255], 'a server that tells none');
  });

  test('takes over which recordings are transcribed by hand alone', async () => {
    const { records, changes, uid, id } = await begin(open);
    const queued = async () => only(await records.queue(uid)).autoTranscribe;
    equal(await queued(), true, 'where the server says nothing');
    const told = page('2', [rowOf(id, 2, { auto_transcribe: false })]);
    await changes.applyPage(uid, '1', told);
    equal(await queued(), false, 'where the server says so');
  });

  test('says why a task failed', async () => {
    const { records, changes, uid, id } = await begin(open);
    const error = { code: 44013, msg: 'nothing was heard' };
    const task = { ...headOf('silent', taskStatus.failed), error };
    await changes.applyPage(uid, '1', page('2', [rowOf(id, 2, { task })]));
    const { is_trans, trouble } = await detailOf(records, id);
    equal(is_trans, isTrans.failed, 'is_trans');
    equal(
      trouble,
      { step: 'transcribe', code: 'failed', failure: { kind: 'server', ...error } },
      'trouble',
    );
  });

  test('leaves nothing of what was deleted for good elsewhere, and does not let it come back', async () => {
    const { records, changes, uid, id } = await begin(open);
    await changes.edit(uid, { type: 'recording.rename', recording: id, name: 'Mine' });
    const unknown = `${id} never seen`;
    const gone = (flag: string, rev: number): Change => ({
      kind: 'tombstone',
      rev,
      id: `server-${flag}`,
      client_flag: flag,
      deleted_at: at(rev),
    });
    await changes.applyPage(uid, '1', page('2', [gone(id, 2), gone(unknown, 3)]));
    equal(await records.detail(id), null, 'the record');
    equal(await changes.pending(uid), [], 'operations');
    equal([...(await changes.orphanedAudio(uid))].sort(), [id, unknown].sort(), 'audio to drop');
    for (const flag of [id, unknown]) await changes.audioRemoved(flag);
    equal(await changes.orphanedAudio(uid), [], 'audio to drop afterwards');
    for (const flag of [id, unknown]) {
      await changes.applyPage(uid, '2', page('2', [rowOf(flag, 1)]));
      equal(await records.detail(flag), null, 'what was told of it before');
    }
    const outcome = await records.ensure({
      id,
      uid,
      sn: 'SN',
      deviceFileId: 1,
      createDate: at(0),
      seconds: 3,
      recSource: recSource.note,
      audioBytes: 1,
    });
    equal(outcome, 'deleted', 'the session on the recorder');
  });

  test('deletes for good at once, and forgets what else was to be told', async () => {
    const { records, changes, uid, id } = await begin(open);
    await changes.edit(uid, { type: 'recording.rename', recording: id, name: 'Mine' });
    check(await changes.edit(uid, { type: 'recording.delete', recording: id }), 'done');
    equal(await records.detail(id), null, 'the record');
    equal(await changes.orphanedAudio(uid), [id], 'audio to drop');
    const op = only(await changes.pending(uid));
    equal(op.type, 'recording.delete', 'what is told');
    // It was changed elsewhere before the server heard.
    await changes.applyPage(uid, '1', page('2', [rowOf(id, 2), resultsOf(id, 'late', 2)]));
    equal(await records.detail(id), null, 'the record after a change elsewhere');
    equal((await changes.pending(uid)).length, 1, 'what is still told');
    await changes.acknowledge(uid, tell(op, 'applied', 3));
    await changes.applyPage(uid, '2', page('3', []));
    equal(await changes.pending(uid), [], 'operations');
    check((await records.tombstones([id])).has(id), 'a tombstone stays');
  });

  test('leaves alone what another account has on the same phone', async () => {
    const { records, changes, uid, id } = await begin(open);
    await changes.edit(uid, { type: 'recording.rename', recording: id, name: 'Mine' });
    const row = rowOf(id, 2, { name: 'Theirs' });
    const deleted_at = at(3);
    const end: Change = { kind: 'tombstone', rev: 3, id: 'x', client_flag: id, deleted_at };
    const news = [row, resultsOf(id, 'theirs', 2), paragraphOf(id, 'theirs', 0, 2), end];
    await changes.applyPage(`${uid} too`, undefined, page('1', news));
    const detail = await detailOf(records, id);
    equal([detail.uid, detail.title, detail.content], [uid, 'Mine', []], 'what is shown');
    equal((await changes.pending(uid)).length, 1, 'operations');
  });

  test('stores a page with its cursor, and no page that came after another one', async () => {
    const { records, changes, uid, id } = await begin(open);
    equal(await changes.cursor(uid), '1', 'cursor');
    const late = page('2', [rowOf(id, 2, { name: 'Too late' })]);
    await changes.applyPage(uid, undefined, late);
    equal([await changes.cursor(uid), (await detailOf(records, id)).title], ['1', ''], 'too late');
    await changes.applyPage(uid, '1', page('2', [rowOf(id, 9, { name: 'Nine' })], true));
    const seen = async () => {
      await changes.edit(uid, { type: 'recording.tick', recording: id, item: 't', done: true });
      return (await changes.pending(uid)).at(-1)?.base_rev;
    };
    // What moved on while it was read comes in a later page: not everything up to there was seen.
    equal(await seen(), 1, 'revision seen in the middle of the changes');
    await changes.applyPage(uid, '2', page('3', [rowOf(id, 10, { name: 'Ten' })]));
    equal(await seen(), 10, 'revision seen at their end');
    await changes.restart(uid);
    equal(await changes.cursor(uid), undefined, 'cursor after a restart');
    // As from a server that was restored from a backup: it counts from an earlier revision.
    await changes.applyPage(uid, undefined, page('1', [rowOf(id, 1, { name: 'One' })]));
    equal((await detailOf(records, id)).title, 'One', 'title as the restored server has it');
  });

  test('keeps settings, and gives back what the server does not take', async () => {
    const { changes, uid } = await begin(open);
    const set = (config_key: string, config_value: string): Edit => ({
      type: 'setting.set',
      group_name: 'g',
      config_key,
      config_value,
    });
    const told = (rev: number, config_key: string, config_value: string): Change => ({
      kind: 'setting',
      rev,
      setting: { group_name: 'g', config_key, config_value },
    });
    const values = async () =>
      (await changes.settings(uid)).map((each) => `${each.config_key}=${each.config_value}`);
    await changes.applyPage(uid, '1', page('2', [told(2, 'a', '1')]));
    await changes.edit(uid, set('a', '0'));
    await changes.edit(uid, set('b', '0'));
    equal(await values(), ['a=0', 'b=0'], 'at once');
    await changes.applyPage(uid, '2', page('3', [told(3, 'a', '2')]));
    equal(await values(), ['a=0', 'b=0'], 'while they are not answered');
    for (const op of await changes.pending(uid)) {
      await changes.acknowledge(uid, tell(op, 'refused', 3));
    }
    await changes.applyPage(uid, '3', page('4', []));
    equal(await values(), ['a=2'], 'after both were refused');
  });

  test('shows the transcript that is here when another transcription was canceled', async () => {
    const { changes, records, uid, id } = await begin(open);
    const error = { code: codes.transcriptionCanceled, msg: '' };
    const canceled = (rev: number) =>
      rowOf(id, rev, { task: { ...headOf('second', taskStatus.failed), error } });
    // Before its transcript came, and after.
    await changes.applyPage(uid, '1', page('2', [canceled(2)]));
    equal((await detailOf(records, id)).is_trans, isTrans.untranslated, 'without a transcript');
    await changes.applyPage(uid, '2', page('3', [resultsOf(id, 'first', 2, 1)]));
    await changes.applyPage(uid, '3', page('4', [canceled(4)]));
    const { is_trans, task, trouble } = await detailOf(records, id);
    equal([is_trans, task?.id, trouble], [isTrans.translated, 'first', null], 'with one');
  });

  test('keeps what the server refused, with why, until its owner dismisses it', async () => {
    const { changes, uid, id } = await begin(open);
    await changes.edit(uid, { type: 'recording.rename', recording: id, name: 'Choir' });
    await changes.edit(uid, { type: 'recording.bin', recording: id });
    const [rename, bin] = await changes.pending(uid);
    const refusal = { outcome: 'refused', rev: 1, msg: 'Full.' } as const;
    const outcomes = [
      { ...refusal, op_id: rename?.op_id ?? '', code: codes.recordingFull },
      // Of what was done to a recording that is deleted for good elsewhere, nobody is told.
      { ...refusal, op_id: bin?.op_id ?? '', code: codes.recordingDeleted },
    ];
    await changes.acknowledge(uid, outcomes);
    // As when the answer comes twice.
    await changes.acknowledge(uid, outcomes);
    const refused = await changes.refused(uid);
    equal(refused, [{ op: rename, code: codes.recordingFull, msg: 'Full.' }], 'what was refused');
    equal(await changes.refused('another'), [], 'what was refused of another account');
    await changes.dismiss(uid, [rename?.op_id ?? '']);
    equal(await changes.refused(uid), [], 'what is left');
  });

  test('accepts no edit that the server would refuse for its size', async () => {
    const { changes, records, uid, id } = await begin(open);
    const tag = (n: number): Edit => ({
      type: 'recording.tag',
      recording: id,
      tag: `t${n}`,
      on: true,
    });
    const limitOf = (attempt: Promise<unknown>) =>
      attempt.then(
        () => 'none',
        (error: unknown) => (error instanceof EditExceeds ? error.limit : String(error)),
      );
    for (let n = 0; n < limits.recording.tags; n++) await changes.edit(uid, tag(n));
    equal(await limitOf(changes.edit(uid, tag(1))), 'none', 'a tag that is there');
    equal(await limitOf(changes.edit(uid, tag(limits.recording.tags))), 'tags', 'one too many');
    const rename = (length: number): Edit => ({
      type: 'recording.rename',
      recording: id,
      name: 'x'.repeat(length),
    });
    const { nameMaxLength } = limits.recording;
    equal(await limitOf(changes.edit(uid, rename(nameMaxLength))), 'none', 'the longest name');
    equal(await limitOf(changes.edit(uid, rename(nameMaxLength + 1))), 'text', 'a longer one');
    const marker = (length: number): Edit => ({
      ...{ type: 'recording.marker', recording: id, marker: 'm' },
      value: { id: 'm', time: 1, label: 'x'.repeat(length) },
    });
    equal(await limitOf(changes.edit(uid, marker(nameMaxLength + 1))), 'text', 'a long label');
    const map = (topics: readonly string[]): Edit => ({
      ...{ type: 'recording.mindMap', recording: id },
      mind_map: topics.map((topic, n) => ({ id: `n${n}`, parentid: '', topic })),
    });
    const { topicMaxLength, mindNodes } = limits.recording;
    const long = 'x'.repeat(topicMaxLength + 1);
    equal(await limitOf(changes.edit(uid, map([long]))), 'text', 'a long topic');
    const many = Array<string>(mindNodes + 1).fill('A topic');
    equal(await limitOf(changes.edit(uid, map(many))), 'mindMap', 'too many topics');
    equal((await detailOf(records, id)).mind_map, null, 'the mind map');
    equal((await detailOf(records, id)).tags.length, limits.recording.tags, 'tags');
    equal(
      (await changes.pending(uid)).length,
      limits.recording.tags + 2,
      'what is kept for the server',
    );
  });

  test('says when a setting got its value, which the server repeating it does not change', async () => {
    const { changes, uid } = await begin(open);
    const set = (config_value: string) =>
      changes.edit(uid, { type: 'setting.set', group_name: 'g', config_key: 'a', config_value });
    const since = async () => (await changes.settings(uid))[0]?.since ?? null;
    await set('0');
    const first = await since();
    check(first !== null && Date.parse(first) > 0, 'a time');
    // Whatever is written from here on would have another time.
    while (Date.now() <= Date.parse(first as string)) await Promise.resolve();
    await set('0');
    equal(await since(), first, 'time of the same value');
    const ops = await changes.pending(uid);
    await changes.acknowledge(
      uid,
      ops.map(({ op_id }) => ({ op_id, outcome: 'applied', rev: 2, code: 0, msg: '' })),
    );
    const setting = { group_name: 'g', config_key: 'a', config_value: '0' };
    await changes.applyPage(uid, '1', page('2', [{ kind: 'setting', rev: 2, setting }]));
    equal((await changes.pending(uid)).length, 0, 'what is pending');
    equal(await since(), first, 'time of the value that the server took');
  });

  test('never calls an edit earlier than the one before, though the clock be set back', async () => {
    let now = at(10);
    const { changes, uid, id } = await begin(open, () => now);
    await changes.edit(uid, { type: 'recording.rename', recording: id, name: 'First' });
    now = at(3);
    await changes.edit(uid, { type: 'recording.rename', recording: id, name: 'Second' });
    const times = (await changes.pending(uid)).map((op) => Date.parse(op.at));
    equal(times, [Date.parse(at(10)), Date.parse(at(10)) + 1], 'times');
  });
}
