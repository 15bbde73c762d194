import type { Change, Operation, Paragraph, RecordingState, Task } from '@linnet/contract';
import { codes } from '@linnet/contract/codes';
import { limits } from '@linnet/contract/limits';
import type { Edit } from '@linnet/contract/operations';
import { taskStatus } from '@linnet/contract/statuses';
import { type ChangeStore, type ChangesPage, EditExceeds } from '../changes/ports.ts';
import type { RecordStore } from '../ports/records.ts';
import { isDel, isNew, isTrans } from '../record.ts';
import { check, equal } from './check.ts';

export type Stores = { readonly records: RecordStore; readonly changes: ChangeStore };

/** The interface to the test runner. The suite runs in Node and in a browser page. */
export type ChangeStoreHarness = {
  test(name: string, run: () => Promise<void>): void;
  /**
   * Opens the stores, which are empty on the first call. Later calls open the same stores, as if after a restart.
   * @param now returns the time (ISO 8601, UTC)
   */
  open(now?: () => string): Promise<Stores>;
};

const timeAt = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();

/** Returns the server row of an unedited recording. */
function createRecordingChange(
  id: string,
  rev: number,
  changed: Partial<RecordingState> = {},
): Change {
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
    recorded_at: timeAt(0),
    created_at: timeAt(0),
    updated_at: timeAt(rev),
    rev,
    task: null,
    place: null,
    speakers: {},
    proposals: {},
    markers: [],
    notes: [],
    ticks: {},
    unplaced: [],
    mind_map: null,
    ...changed,
  };
  return { kind: 'recording', rev, recording };
}

/** A summary without items. */
const emptySummary: NonNullable<Task['summary_json']> = {
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

/** Returns the results of a task created at second `createdAt`. */
function createTaskChange(id: string, task: string, rev: number, createdAt = rev): Change {
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
      summary_json: emptySummary,
      keywords: [],
      xmind_url: null,
      xmind_json: null,
      summarizing: null,
      engine: 'test',
      minutes: 1,
      created_at: timeAt(createdAt),
      updated_at: timeAt(rev),
    },
  };
}

function createParagraphChange(
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

const createTaskHead = (task: string, status: Task['status']) =>
  ({ id: task, language: 'en', status, progress: 0, step: null, error: null }) as const;

const page = (cursor: string, changes: readonly Change[], more = false): ChangesPage => ({
  changes: [...changes],
  cursor,
  more,
});

let accountCount = 0;

/** Creates an account with one recording, at revision 1 on the server. */
async function createAccount(open: ChangeStoreHarness['open'], now?: () => string) {
  const stores = await open(now);
  accountCount += 1;
  const uid = `owner ${accountCount}`;
  const id = `recording ${accountCount}`;
  await stores.changes.applyPage(uid, undefined, page('1', [createRecordingChange(id, 1)]));
  return { ...stores, uid, id };
}

const createOutcomes = (
  op: Operation,
  outcome: 'applied' | 'superseded' | 'refused',
  rev: number,
) => [{ op_id: op.op_id, outcome, rev, code: 0, msg: '' }];

const getOnly = <T>(list: readonly T[]): T => {
  equal(list.length, 1, 'number of entries');
  return list[0] as T;
};

async function loadDetail(records: RecordStore, id: string) {
  const detail = await records.detail(id);
  if (!detail) throw new Error(`${id} is missing`);
  return detail;
}

/** Tests that a {@link ChangeStore} fulfills its contract, together with the {@link RecordStore} of the same records. */
export function changeStoreContract({ test, open }: ChangeStoreHarness): void {
  test('shows an edit immediately, and queues it for the server', async () => {
    const { records, changes, uid, id } = await createAccount(open, () => timeAt(5));
    let notifications = 0;
    const unsubscribe = records.subscribe(() => {
      notifications += 1;
    });
    check(
      await changes.edit(uid, { type: 'recording.rename', recording: id, name: 'Mine' }),
      'done',
    );
    unsubscribe();
    equal(notifications, 1, 'notifications');
    const detail = await loadDetail(records, id);
    equal([detail.title, detail.update_date], ['Mine', timeAt(5)], 'shown state');

    const restarted = await open();
    equal((await loadDetail(restarted.records, id)).title, 'Mine', 'title after a restart');
    const { op_id, ...op } = getOnly(await restarted.changes.pending(uid));
    check(/^[0-9a-f-]{36}$/.test(op_id), 'the operation has an id');
    const sent = {
      type: 'recording.rename',
      recording: id,
      name: 'Mine',
      base_rev: 1,
      at: timeAt(5),
    };
    equal(Object.entries(op).sort(), Object.entries(sent).sort(), 'the operation');
  });

  test('shows which rule moved a recording to the recycle bin, until the user restores it', async () => {
    const { records, changes, uid, id } = await createAccount(open, () => timeAt(5));
    const move = { run: 'run', tag: 'old', after: 30, unit: 'day', at: timeAt(4) } as const;
    const movedRecording = createRecordingChange(id, 2, { is_del: 1, binned_by: move });
    await changes.applyPage(uid, '1', page('2', [movedRecording]));
    const loadMovedBy = async () => getOnly(await records.binned(uid)).binned_by;
    equal(await loadMovedBy(), move, 'moved by a rule');
    await changes.edit(uid, { type: 'recording.rename', recording: id, name: 'Mine' });
    equal(await loadMovedBy(), move, 'after another edit');
    await changes.edit(uid, { type: 'recording.recover', recording: id });
    await changes.edit(uid, { type: 'recording.bin', recording: id });
    equal(await loadMovedBy(), null, 'moved by the user');
  });

  test('retains name, brief and keywords when a transcript has no summary', async () => {
    const { records, changes, uid, id } = await createAccount(open);
    const described = createTaskChange(id, 'first', 2);
    const unsummarized = createTaskChange(id, 'second', 3);
    if (described.kind !== 'task' || unsummarized.kind !== 'task') throw new Error('not results');
    Object.assign(described.task, { brief: 'In short', keywords: ['orchid'] });
    Object.assign(unsummarized.task, { title: '', brief: '', summary: '', summary_json: null });
    await changes.applyPage(uid, '1', page('2', [described]));
    await changes.applyPage(uid, '2', page('3', [unsummarized]));
    const { ai_title, brief, keywords, summary, summary_json } = await loadDetail(records, id);
    equal(
      { ai_title, brief, keywords, summary, summary_json },
      {
        ai_title: 'Title of first',
        brief: 'In short',
        keywords: ['orchid'],
        summary: '',
        summary_json: null,
      },
      'description',
    );
  });

  test('accepts or dismisses a proposed name offline, before the server knows of it', async () => {
    const { records, changes, uid, id } = await createAccount(open);
    const proposals = { 1: 'Ann', 2: 'Ben' };
    await changes.applyPage(uid, '1', page('2', [createRecordingChange(id, 2, { proposals })]));
    equal((await loadDetail(records, id)).proposals, proposals, 'as proposed');
    const naming = { type: 'recording.speaker', recording: id } as const;
    await changes.edit(uid, { ...naming, speaker: '1', name: 'Ann' });
    await changes.edit(uid, { ...naming, speaker: '2', name: '' });
    // The server doesn't know the answers yet.
    await changes.applyPage(
      uid,
      '2',
      page('3', [createRecordingChange(id, 3, { proposals, name: 'Renamed' })]),
    );
    const shown = await loadDetail(records, id);
    equal([shown.title, shown.speakers, shown.proposals], ['Renamed', { 1: 'Ann' }, {}], 'shown');
    equal(await records.speakerNames(uid), ['Ann'], 'names of speakers');
    equal(await records.speakerNames('another'), [], 'names of another account');
  });

  test('applies every type of edit', async () => {
    const { records, changes, uid, id } = await createAccount(open);
    await changes.applyPage(
      uid,
      '1',
      page('2', [
        createRecordingChange(id, 2, { task: createTaskHead('every', taskStatus.transcribed) }),
        createTaskChange(id, 'every', 2),
        createParagraphChange(id, 'every', 0, 2),
      ]),
    );
    const recording = id;
    const paragraph = 'every-0';
    const edits: Edit[] = [
      { type: 'recording.tag', recording, tag: 'a', on: true },
      { type: 'recording.date', recording, recorded_at: '2024-02-29T08:30:00Z' },
      { type: 'recording.place', recording, place: { latitude: 1, longitude: 2, name: 'hall' } },
      { type: 'recording.speaker', recording, speaker: 'S1', name: 'Ann' },
      {
        type: 'recording.marker',
        recording,
        marker: 'm',
        value: { id: 'm', time: 1.5, label: 'here' },
      },
      {
        type: 'recording.note',
        recording,
        note: 'n',
        value: { id: 'n', time: 0.5, text: 'Ask about the hall' },
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
    for (const edit of edits) check(await changes.edit(uid, edit), `${edit.type} is applied`);
    const shown = await loadDetail(records, id);
    equal(
      [
        shown.create_date,
        shown.tags,
        shown.place,
        shown.speakers,
        shown.markers,
        shown.notes,
        shown.ticks,
        shown.mind_map,
      ],
      [
        '2024-02-29T08:30:00.000Z',
        ['a'],
        { latitude: 1, longitude: 2, name: 'hall' },
        { S1: 'Ann' },
        [{ id: 'm', time: 1.5, label: 'here' }],
        [{ id: 'n', time: 0.5, text: 'Ask about the hall' }],
        { t: true },
        [{ id: 'n', parentid: '', topic: 'root' }],
      ],
      'the record',
    );
    const [spokenParagraph] = shown.content;
    equal(
      [
        spokenParagraph?.content,
        spokenParagraph?.is_tag,
        spokenParagraph?.speaker,
        spokenParagraph?.edited,
      ],
      ['better', 1, 'S1', true],
      'the paragraph',
    );
    equal(shown.is_del, isDel.binned, 'in the bin');
    equal((await records.summaries(uid)).length, 0, 'recordings outside the bin');
    check(await changes.edit(uid, { type: 'recording.recover', recording }), 'recovered');
    equal((await records.summaries(uid)).length, 1, 'recordings outside the bin after recovering');
    const types = (await changes.pending(uid)).map(({ type }) => type);
    equal(types, [...edits.map(({ type }) => type), 'recording.recover'], 'operations, in order');
  });

  test('applies several edits atomically, and skips missing targets', async () => {
    const { records, changes, uid, id } = await createAccount(open);
    const edits: Edit[] = [
      { type: 'recording.bin', recording: 'nowhere' },
      { type: 'recording.bin', recording: id },
    ];
    equal(await changes.editAll(uid, edits), 1, 'done');
    equal((await records.summaries(uid)).length, 0, 'recordings outside the bin');
    const [binned, ...others] = await records.binned(uid);
    equal([binned?.id, binned?.is_del, others], [id, isDel.binned, []], 'in the bin');
    equal(binned?.update_date, (await changes.pending(uid))[0]?.at, 'time of binning');
    equal(await records.binned('another account'), [], 'in the bin of another account');
    equal(await changes.editAll(uid, [{ type: 'recording.delete', recording: id }]), 1, 'deleted');
    equal(await records.binned(uid), [], 'in the bin after deleting');
    const types = (await changes.pending(uid)).map(({ type }) => type);
    equal(types, ['recording.delete'], 'operations');
  });

  test('rejects edits of missing targets', async () => {
    const { changes, uid, id } = await createAccount(open);
    const edits: Edit[] = [
      { type: 'recording.rename', recording: 'nowhere', name: 'x' },
      { type: 'recording.delete', recording: 'nowhere' },
      { type: 'paragraph.edit', recording: id, paragraph: 'nowhere', content: 'x' },
    ];
    for (const edit of edits) equal(await changes.edit(uid, edit), false, edit.type);
    const binEdit = { type: 'recording.bin', recording: id } as const;
    equal(await changes.edit('another account', binEdit), false, 'target of another account');
    equal(await changes.pending(uid), [], 'operations');
  });

  test('holds back operations on a recording unknown to the server', async () => {
    const { records, changes, uid } = await createAccount(open);
    const seed = (id: string) => ({
      id,
      uid,
      sn: 'SN',
      source: 'recorder' as const,
      deviceFileId: 1,
      createDate: timeAt(0),
      seconds: 3,
      scene: 'note' as const,
      audioBytes: 1,
    });
    const kept = `${uid} kept`;
    const dropped = `${uid} dropped`;
    for (const id of [kept, dropped]) {
      await records.ensure(seed(id));
      await changes.edit(uid, { type: 'recording.rename', recording: id, name: 'Mine' });
    }
    await changes.edit(uid, { type: 'recording.bin', recording: kept });
    equal(await changes.pending(uid), [], 'operations');
    equal(await changes.pendingCount(uid), 0, 'number of operations');
    await changes.edit(uid, { type: 'recording.delete', recording: dropped });
    equal(
      (await changes.pending(uid)).map((op) => op.type),
      ['recording.delete'],
      'only the deletion of the permanently deleted recording',
    );
    equal(await changes.pendingCount(uid), 1, 'number of operations after the deletion');
    await records.update(kept, { server_id: 'known' });
    const types = (await changes.pending(uid)).map((op) => op.type);
    equal(
      types,
      ['recording.rename', 'recording.bin', 'recording.delete'],
      'operations once the server knows the recording',
    );
    equal(await changes.pendingCount(uid), 3, 'number of operations');
  });

  test('keeps a pending edit visible during pulls', async () => {
    const { records, changes, uid, id } = await createAccount(open);
    const titles: string[] = [];
    const observe = async () => titles.push((await loadDetail(records, id)).title);
    await changes.edit(uid, { type: 'recording.rename', recording: id, name: 'Mine' });
    await observe();
    await changes.applyPage(
      uid,
      '1',
      page('2', [createRecordingChange(id, 2, { tags: ['theirs'] })]),
    );
    await observe();
    const op = getOnly(await changes.pending(uid));
    equal(await changes.pendingCount(uid), 1, 'pending operations');
    await changes.acknowledge(uid, createOutcomes(op, 'applied', 3));
    equal(await changes.pending(uid), [], 'operations to send');
    equal(await changes.pendingCount(uid), 0, 'pending operations after the acknowledgment');
    await observe();
    // After the phone has stored the outcome, store a row that the server read before applying the operation.
    await changes.applyPage(
      uid,
      '2',
      page('3', [createRecordingChange(id, 2, { tags: ['theirs'] })], true),
    );
    await observe();
    await changes.applyPage(
      uid,
      '3',
      page('4', [createRecordingChange(id, 4, { name: 'Mine', tags: ['theirs'] })]),
    );
    await observe();
    equal(titles, Array(5).fill('Mine'), 'observed titles');
    equal((await loadDetail(records, id)).tags, ['theirs'], 'tags');
    equal((await loadDetail(records, id)).update_date, timeAt(4), 'time of the last change');
    await changes.edit(uid, { type: 'recording.bin', recording: id });
    equal(getOnly(await changes.pending(uid)).base_rev, 4, 'base revision of the next edit');
  });

  test('reverts rejected and superseded edits to the server’s state', async () => {
    const { records, changes, uid, id } = await createAccount(open);
    await changes.edit(uid, { type: 'recording.rename', recording: id, name: 'Mine' });
    await changes.edit(uid, { type: 'recording.tag', recording: id, tag: 'mine', on: true });
    await changes.edit(uid, { type: 'recording.tick', recording: id, item: 't', done: true });
    const [rename, tag] = await changes.pending(uid);
    await changes.acknowledge(uid, createOutcomes(rename as Operation, 'superseded', 1));
    await changes.acknowledge(uid, createOutcomes(tag as Operation, 'refused', 1));
    await changes.applyPage(uid, '1', page('2', []));
    const detail = await loadDetail(records, id);
    equal([detail.title, detail.tags, detail.ticks], ['', [], { t: true }], 'shown state');
    equal((await changes.pending(uid)).length, 1, 'pending operations');
  });

  test('applies paragraph changes beneath pending edits', async () => {
    const { records, changes, uid, id } = await createAccount(open);
    await changes.applyPage(
      uid,
      '1',
      page('2', [
        createRecordingChange(id, 2, { task: createTaskHead('one', taskStatus.transcribed) }),
        createTaskChange(id, 'one', 2),
        ...[0, 1, 2].map((ordinal) => createParagraphChange(id, 'one', ordinal, 2)),
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
        createRecordingChange(id, 3),
        createParagraphChange(id, 'one', 1, 3, { content: 'Theirs', is_tag: 1 }),
        createParagraphChange(id, 'one', 2, 3, { content: 'Theirs' }),
      ]),
    );
    const texts = async () => (await loadDetail(records, id)).content.map(({ content }) => content);
    equal(await texts(), ['one says 0', 'Mine', 'Theirs'], 'texts while the edit is pending');
    equal((await loadDetail(records, id)).content[1]?.is_tag, 1, 'mark from another device');
    const op = getOnly(await changes.pending(uid));
    await changes.acknowledge(uid, createOutcomes(op, 'superseded', 3));
    await changes.applyPage(uid, '3', page('4', []));
    equal(await texts(), ['one says 0', 'Theirs', 'Theirs'], 'texts after the outcome');
  });

  test('assembles results received in any order, and shows the latest', async () => {
    const { records, changes, uid, id } = await createAccount(open);
    const other = `${id} other`;
    // Changes are ordered by revision: a rename moved the recording behind its results, and a new summary moved the
    // results behind their paragraphs.
    await changes.applyPage(uid, '1', page('2', [createParagraphChange(other, 'new', 0, 2)], true));
    await changes.applyPage(uid, '2', page('3', [createTaskChange(other, 'new', 3, 3)], true));
    await changes.applyPage(uid, '3', page('4', [createTaskChange(other, 'old', 4, 1)], true));
    equal(await records.detail(other), null, 'the record before its row was received');
    const row = createRecordingChange(other, 5, {
      task: createTaskHead('new', taskStatus.transcribed),
    });
    await changes.applyPage(uid, '4', page('5', [row]));
    const shown = await loadDetail(records, other);
    equal(
      [shown.is_trans, shown.summary, shown.content.map(({ content }) => content)],
      [isTrans.translated, 'Summary of new', ['new says 0']],
      'results',
    );
    equal(shown.is_new, isNew.read, 'marked as read, because another phone made the recording');

    // While a new transcription runs, the old transcript is kept until the new results are available.
    const runningTask = createTaskHead('newest', taskStatus.working);
    await changes.applyPage(
      uid,
      '5',
      page('6', [createRecordingChange(other, 6, { task: runningTask })]),
    );
    const waitingDetail = await loadDetail(records, other);
    equal(
      [waitingDetail.is_trans, waitingDetail.content.length, waitingDetail.task?.id],
      [isTrans.transferring, 1, 'newest'],
      'during the new transcription',
    );
    const done = createTaskHead('newest', taskStatus.transcribed);
    await changes.applyPage(
      uid,
      '6',
      page('7', [
        createRecordingChange(other, 7, { task: done }),
        createTaskChange(other, 'newest', 7),
        createParagraphChange(other, 'newest', 0, 7),
        createParagraphChange(other, 'newest', 1, 7),
      ]),
    );
    const now = await loadDetail(records, other);
    equal([now.is_trans, now.summary], [isTrans.translated, 'Summary of newest'], 'new results');
    equal(now.content.length, 2, 'paragraphs');
  });

  test('lists a recording as transcribed before its results arrive, without polling for them', async () => {
    const { records, changes, uid, id } = await createAccount(open);
    const [other, range] = [`${id} other`, `${id} range`];
    const [done, failed] = [taskStatus.transcribed, taskStatus.failed];
    const failedRange = { transcript: 'before', start: 0, end: 1 };
    const rows = [
      createRecordingChange(other, 2, { task: createTaskHead('new', done) }),
      createRecordingChange(range, 3, {
        task: { ...createTaskHead('range', failed), range: failedRange },
      }),
    ];
    await changes.applyPage(uid, '1', page('2', rows, true));
    const states = async () =>
      Promise.all(
        [other, range].map(async (recordingId) => {
          const { is_trans, transcript, task } = await loadDetail(records, recordingId);
          return [is_trans, transcript, task?.id];
        }),
      );
    equal(
      await states(),
      [
        [isTrans.translated, 'arriving', 'new'],
        [isTrans.translated, 'arriving', 'before'],
      ],
      'states before the results',
    );
    const isQueued = async () => (await records.queue(uid, false)).map((each) => each.id);
    check(!(await isQueued()).includes(other), 'no work for a transcript that arrives');
    check(!(await isQueued()).includes(range), 'no work after a failed range');
    await changes.applyPage(
      uid,
      '2',
      page('3', [
        ...rows,
        ...[
          { of: other, task: 'new' },
          { of: range, task: 'before' },
        ].flatMap(({ of, task }) => [
          createTaskChange(of, task, 4),
          createParagraphChange(of, task, 0, 4, { content: 'Here' }),
        ]),
      ]),
    );
    equal(
      await states(),
      [
        [isTrans.translated, 'received', 'new'],
        [isTrans.translated, 'received', 'before'],
      ],
      'states with the results',
    );
    equal((await loadDetail(records, other)).content[0]?.content, 'Here', 'text');
  });

  test('doesn’t wait for results that a restored server has lost', async () => {
    const { records, changes, uid, id } = await createAccount(open);
    const other = `${id} other`;
    const task = createTaskHead('lost', taskStatus.transcribed);
    await changes.applyPage(uid, '1', page('2', [createRecordingChange(other, 2, { task })], true));
    await changes.restart(uid);
    await changes.applyPage(
      uid,
      undefined,
      page('1', [createRecordingChange(other, 1, { task: null })]),
    );
    const { is_trans, transcript, task: known } = await loadDetail(records, other);
    equal([is_trans, transcript, known], [isTrans.untranslated, 'none', null], 'state');
  });

  test('keeps edits and deletions made before the results of a recording arrive', async () => {
    const { records, changes, uid, id } = await createAccount(open);
    const [edited, deleted] = [`${id} edited`, `${id} deleted`];
    const rowsAt = (rev: number) =>
      [edited, deleted].map((recordingId) =>
        createRecordingChange(recordingId, rev, {
          task: createTaskHead(`of ${recordingId}`, taskStatus.transcribed),
        }),
      );
    await changes.applyPage(uid, '1', page('2', rowsAt(2), true));
    await changes.edit(uid, { type: 'recording.rename', recording: edited, name: 'Mine' });
    await changes.edit(uid, { type: 'recording.delete', recording: deleted });
    await changes.applyPage(
      uid,
      '2',
      page('3', [
        ...rowsAt(2),
        ...[edited, deleted].flatMap((each) => [
          createTaskChange(each, `of ${each}`, 2),
          createParagraphChange(each, `of ${each}`, 0, 2),
        ]),
      ]),
    );
    const { title, transcript, content } = await loadDetail(records, edited);
    equal([title, transcript, content.length], ['Mine', 'received', 1], 'edited recording');
    equal(await records.detail(deleted), null, 'deleted recording');
    equal((await changes.pending(uid)).length, 2, 'operations');
  });

  test('uses the server’s peaks unless the phone measured its own', async () => {
    const { records, changes, uid, id } = await createAccount(open);
    const other = `${id} other`;
    const createPeaksChange = (flag: string, rev: number, peaks: string) =>
      createRecordingChange(flag, rev, { peaks });
    await changes.applyPage(
      uid,
      '1',
      page('2', [createPeaksChange(other, 2, ''), createPeaksChange(id, 2, '')]),
    );
    equal([...(await loadDetail(records, other)).peaks], [], 'before any measurement');
    await records.update(id, { peaks: Uint8Array.of(7, 8, 9) });
    await changes.applyPage(
      uid,
      '2',
      page('3', [createPeaksChange(other, 3, 'AID/'), createPeaksChange(id, 3, 'AID/')]),
    );
    equal([...(await loadDetail(records, other)).peaks], [0, 128, 255], 'peaks of the server');
    equal([...(await loadDetail(records, id)).peaks], [7, 8, 9], 'peaks measured on this phone');
    await changes.applyPage(uid, '3', page('4', [createPeaksChange(other, 4, '')]));
    equal(
      [...(await loadDetail(records, other)).peaks],
      [0, 128, 255],
      'after a row without peaks',
    );
  });

  test('applies the server’s choice of automatic transcription', async () => {
    const { records, changes, uid, id } = await createAccount(open);
    const isQueued = async () => getOnly(await records.queue(uid, false)).autoTranscribe;
    equal(await isQueued(), true, 'without a value from the server');
    await changes.applyPage(
      uid,
      '1',
      page('2', [createRecordingChange(id, 2, { auto_transcribe: false })]),
    );
    equal(await isQueued(), false, 'with the server’s value');
  });

  test('reports why a task failed', async () => {
    const { records, changes, uid, id } = await createAccount(open);
    const error = { code: 44013, msg: 'no speech was recognized' };
    const task = { ...createTaskHead('silent', taskStatus.failed), error };
    await changes.applyPage(uid, '1', page('2', [createRecordingChange(id, 2, { task })]));
    const { is_trans, problem } = await loadDetail(records, id);
    equal(is_trans, isTrans.failed, 'is_trans');
    equal(
      problem,
      { step: 'transcribe', code: 'failed', failure: { kind: 'server', ...error } },
      'problem',
    );
  });

  test('removes a recording that was permanently deleted elsewhere, and prevents its return', async () => {
    const { records, changes, uid, id } = await createAccount(open);
    await changes.edit(uid, { type: 'recording.rename', recording: id, name: 'Mine' });
    const unknown = `${id} never seen`;
    const createTombstone = (flag: string, rev: number): Change => ({
      kind: 'tombstone',
      rev,
      id: `server-${flag}`,
      client_flag: flag,
      deleted_at: timeAt(rev),
    });
    await changes.applyPage(
      uid,
      '1',
      page('2', [createTombstone(id, 2), createTombstone(unknown, 3)]),
    );
    equal(await records.detail(id), null, 'the record');
    equal(await changes.pending(uid), [], 'operations');
    equal([...(await changes.orphanedAudio(uid))].sort(), [id, unknown].sort(), 'orphaned audio');
    for (const flag of [id, unknown]) await changes.markAudioRemoved(flag);
    equal(await changes.orphanedAudio(uid), [], 'orphaned audio after its removal');
    for (const flag of [id, unknown]) {
      await changes.applyPage(uid, '2', page('2', [createRecordingChange(flag, 1)]));
      equal(await records.detail(flag), null, 'the record after an earlier row');
    }
    const outcome = await records.ensure({
      id,
      uid,
      sn: 'SN',
      source: 'recorder',
      deviceFileId: 1,
      createDate: timeAt(0),
      seconds: 3,
      scene: 'note',
      audioBytes: 1,
    });
    equal(outcome, 'deleted', 'the session on the recorder');
  });

  test('stores the type of a recording from another phone', async () => {
    const { changes, records, uid, id } = await createAccount(open);
    const types = [
      [{ scene: 'meeting', source: 0 }, 'meeting', 1],
      [{ scene: 'call', source: 1 }, 'call', 2],
      // Older servers don't return a type.
      [{ source: 1 }, 'call', 2],
      [{ source: 0, sn: 'SN' }, 'note', 1],
      [{ source: 0 }, 'audio', 1],
    ] as const;
    const rows = types.map(([fields], index) => createRecordingChange(`${id} ${index}`, 2, fields));
    await changes.applyPage(uid, '1', page('2', rows));
    for (const [index, [, scene, recSource]] of types.entries()) {
      const shown = await loadDetail(records, `${id} ${index}`);
      equal([shown.scene, shown.rec_source], [scene, recSource], `type ${index}`);
    }
  });

  test('deletes permanently, and discards other pending operations', async () => {
    const { records, changes, uid, id } = await createAccount(open);
    await changes.edit(uid, { type: 'recording.rename', recording: id, name: 'Mine' });
    check(await changes.edit(uid, { type: 'recording.delete', recording: id }), 'done');
    equal(await records.detail(id), null, 'the record');
    equal(await changes.orphanedAudio(uid), [id], 'orphaned audio');
    const op = getOnly(await changes.pending(uid));
    equal(op.type, 'recording.delete', 'pending operation');
    // Another device changed the recording before the server received the deletion.
    await changes.applyPage(
      uid,
      '1',
      page('2', [createRecordingChange(id, 2), createTaskChange(id, 'late', 2)]),
    );
    equal(await records.detail(id), null, 'the record after a change elsewhere');
    equal((await changes.pending(uid)).length, 1, 'pending operations after the change');
    await changes.acknowledge(uid, createOutcomes(op, 'applied', 3));
    await changes.applyPage(uid, '2', page('3', []));
    equal(await changes.pending(uid), [], 'operations');
    check((await records.tombstones([id])).has(id), 'a tombstone stays');
  });

  test('does not change the data of another account on the same phone', async () => {
    const { records, changes, uid, id } = await createAccount(open);
    await changes.edit(uid, { type: 'recording.rename', recording: id, name: 'Mine' });
    const row = createRecordingChange(id, 2, { name: 'Theirs' });
    const tombstone: Change = {
      kind: 'tombstone',
      rev: 3,
      id: 'x',
      client_flag: id,
      deleted_at: timeAt(3),
    };
    await changes.applyPage(
      `${uid} too`,
      undefined,
      page('1', [
        row,
        createTaskChange(id, 'theirs', 2),
        createParagraphChange(id, 'theirs', 0, 2),
        tombstone,
      ]),
    );
    const detail = await loadDetail(records, id);
    equal([detail.uid, detail.title, detail.content], [uid, 'Mine', []], 'shown state');
    equal((await changes.pending(uid)).length, 1, 'operations');
  });

  test('stores a page with its cursor, and ignores an outdated page', async () => {
    const { records, changes, uid, id } = await createAccount(open);
    equal(await changes.cursor(uid), '1', 'cursor');
    const outdated = page('2', [createRecordingChange(id, 2, { name: 'Outdated' })]);
    await changes.applyPage(uid, undefined, outdated);
    equal(
      [await changes.cursor(uid), (await loadDetail(records, id)).title],
      ['1', ''],
      'cursor and title after an outdated page',
    );
    await changes.applyPage(
      uid,
      '1',
      page('2', [createRecordingChange(id, 9, { name: 'Nine' })], true),
    );
    const seenRevision = async () => {
      await changes.edit(uid, { type: 'recording.tick', recording: id, item: 't', done: true });
      return (await changes.pending(uid)).at(-1)?.base_rev;
    };
    // A row that changes during the pull moves to a later page, so the phone hasn't seen all changes up to this
    // revision.
    equal(await seenRevision(), 1, 'revision seen during the pull');
    await changes.applyPage(uid, '2', page('3', [createRecordingChange(id, 10, { name: 'Ten' })]));
    equal(await seenRevision(), 10, 'revision seen after the pull');
    await changes.restart(uid);
    equal(await changes.cursor(uid), undefined, 'cursor after a restart');
    // The server was restored from a backup, so it continues from an earlier revision.
    await changes.applyPage(
      uid,
      undefined,
      page('1', [createRecordingChange(id, 1, { name: 'One' })]),
    );
    equal((await loadDetail(records, id)).title, 'One', 'title on the restored server');
  });

  test('stores settings, and reverts rejected ones', async () => {
    const { changes, uid } = await createAccount(open);
    const set = (config_key: string, config_value: string): Edit => ({
      type: 'setting.set',
      group_name: 'g',
      config_key,
      config_value,
    });
    const createSettingChange = (
      rev: number,
      config_key: string,
      config_value: string,
    ): Change => ({
      kind: 'setting',
      rev,
      setting: { group_name: 'g', config_key, config_value },
    });
    const values = async () =>
      (await changes.settings(uid)).map((each) => `${each.config_key}=${each.config_value}`);
    await changes.applyPage(uid, '1', page('2', [createSettingChange(2, 'a', '1')]));
    await changes.edit(uid, set('a', '0'));
    await changes.edit(uid, set('b', '0'));
    equal(await values(), ['a=0', 'b=0'], 'immediately');
    await changes.applyPage(uid, '2', page('3', [createSettingChange(3, 'a', '2')]));
    equal(await values(), ['a=0', 'b=0'], 'while they are pending');
    for (const op of await changes.pending(uid)) {
      await changes.acknowledge(uid, createOutcomes(op, 'refused', 3));
    }
    await changes.applyPage(uid, '3', page('4', []));
    equal(await values(), ['a=2'], 'after both were refused');
  });

  test('shows the existing transcript after a later transcription is canceled', async () => {
    const { changes, records, uid, id } = await createAccount(open);
    const error = { code: codes.transcriptionCanceled, msg: '' };
    const createCanceledChange = (rev: number) =>
      createRecordingChange(id, rev, {
        task: { ...createTaskHead('second', taskStatus.failed), error },
      });
    // The task is canceled first without an existing transcript, then with one.
    await changes.applyPage(uid, '1', page('2', [createCanceledChange(2)]));
    equal((await loadDetail(records, id)).is_trans, isTrans.untranslated, 'without a transcript');
    await changes.applyPage(uid, '2', page('3', [createTaskChange(id, 'first', 2, 1)]));
    await changes.applyPage(uid, '3', page('4', [createCanceledChange(4)]));
    const { is_trans, task, problem } = await loadDetail(records, id);
    equal([is_trans, task?.id, problem], [isTrans.translated, 'first', null], 'with a transcript');
  });

  test('reports once why a range could not be transcribed, and keeps the transcript', async () => {
    const { changes, records, uid, id } = await createAccount(open);
    const range = { transcript: 'first', start: 1, end: 4 };
    const error = { code: codes.noSpeech, msg: 'no speech was recognized' };
    const head = (rev: number, status: Task['status']) =>
      createRecordingChange(id, rev, {
        task: {
          ...createTaskHead('second', status),
          range,
          error: status === taskStatus.failed ? error : null,
        },
      });
    const state = async () => {
      const { is_trans, task, problem } = await loadDetail(records, id);
      const [listed] = await records.summaries(uid);
      equal(listed?.taskId, task?.id, 'task in the list');
      return [is_trans, task?.id, problem?.code ?? null];
    };
    await changes.applyPage(uid, '1', page('2', [createTaskChange(id, 'first', 2, 1)]));
    await changes.applyPage(uid, '2', page('3', [head(3, taskStatus.working)]));
    equal(await state(), [isTrans.transferring, 'second', null], 'while it is transcribed');
    await changes.applyPage(uid, '3', page('4', [head(4, taskStatus.failed)]));
    equal(await state(), [isTrans.translated, 'first', 'range_failed'], 'after the failure');
    await records.update(id, { problem: null });
    await changes.applyPage(uid, '4', page('5', [head(5, taskStatus.failed)]));
    equal(await state(), [isTrans.translated, 'first', null], 'after it was dismissed');
  });

  test('lists rejected edits with their reasons until the user dismisses them', async () => {
    const { changes, uid, id } = await createAccount(open);
    await changes.edit(uid, { type: 'recording.rename', recording: id, name: 'Choir' });
    await changes.edit(uid, { type: 'recording.bin', recording: id });
    const [rename, bin] = await changes.pending(uid);
    const refusal = { outcome: 'refused', rev: 1, msg: 'Full.' } as const;
    const outcomes = [
      { ...refusal, op_id: rename?.op_id ?? '', code: codes.recordingFull },
      // Rejected edits to a recording that was permanently deleted elsewhere aren't listed.
      { ...refusal, op_id: bin?.op_id ?? '', code: codes.recordingDeleted },
    ];
    await changes.acknowledge(uid, outcomes);
    // Acknowledge again, as after a retried call.
    await changes.acknowledge(uid, outcomes);
    const rejectedEdits = await changes.rejectedEdits(uid);
    equal(
      rejectedEdits,
      [{ op: rename, code: codes.recordingFull, msg: 'Full.' }],
      'rejected edits',
    );
    equal(await changes.rejectedEdits('another'), [], 'rejected edits of another account');
    await changes.dismiss(uid, [rename?.op_id ?? '']);
    equal(await changes.rejectedEdits(uid), [], 'rejected edits after dismissal');
  });

  test('rejects edits that exceed the server’s limits', async () => {
    const { changes, records, uid, id } = await createAccount(open);
    const tag = (n: number): Edit => ({
      type: 'recording.tag',
      recording: id,
      tag: `t${n}`,
      on: true,
    });
    const catchLimit = (attempt: Promise<unknown>) =>
      attempt.then(
        () => 'none',
        (error: unknown) => (error instanceof EditExceeds ? error.limit : String(error)),
      );
    for (let n = 0; n < limits.recording.tags; n++) await changes.edit(uid, tag(n));
    equal(await catchLimit(changes.edit(uid, tag(1))), 'none', 'an existing tag');
    equal(await catchLimit(changes.edit(uid, tag(limits.recording.tags))), 'tags', 'one too many');
    const rename = (length: number): Edit => ({
      type: 'recording.rename',
      recording: id,
      name: 'x'.repeat(length),
    });
    const { nameMaxLength } = limits.recording;
    equal(await catchLimit(changes.edit(uid, rename(nameMaxLength))), 'none', 'the longest name');
    equal(
      await catchLimit(changes.edit(uid, rename(nameMaxLength + 1))),
      'text',
      'a name that is too long',
    );
    const marker = (length: number): Edit => ({
      type: 'recording.marker',
      recording: id,
      marker: 'm',
      value: { id: 'm', time: 1, label: 'x'.repeat(length) },
    });
    equal(await catchLimit(changes.edit(uid, marker(nameMaxLength + 1))), 'text', 'a long label');
    const mindMap = (topics: readonly string[]): Edit => ({
      type: 'recording.mindMap',
      recording: id,
      mind_map: topics.map((topic, n) => ({ id: `n${n}`, parentid: '', topic })),
    });
    const { topicMaxLength, mindNodes } = limits.recording;
    const longTopic = 'x'.repeat(topicMaxLength + 1);
    equal(await catchLimit(changes.edit(uid, mindMap([longTopic]))), 'text', 'a long topic');
    const many = Array<string>(mindNodes + 1).fill('A topic');
    equal(await catchLimit(changes.edit(uid, mindMap(many))), 'mindMap', 'too many topics');
    equal((await loadDetail(records, id)).mind_map, null, 'the mind map');
    equal((await loadDetail(records, id)).tags.length, limits.recording.tags, 'tags');
    equal((await changes.pending(uid)).length, limits.recording.tags + 2, 'pending operations');
  });

  test("retains a setting's time when its value is confirmed", async () => {
    const { changes, uid } = await createAccount(open);
    const set = (config_value: string) =>
      changes.edit(uid, { type: 'setting.set', group_name: 'g', config_key: 'a', config_value });
    const readSince = async () => (await changes.settings(uid))[0]?.since ?? null;
    await set('0');
    const first = await readSince();
    check(first !== null && Date.parse(first) > 0, 'a time');
    // Wait for the clock to advance, so that another write would have a different timestamp.
    while (Date.now() <= Date.parse(first as string)) await Promise.resolve();
    await set('0');
    equal(await readSince(), first, 'time of the same value');
    const ops = await changes.pending(uid);
    await changes.acknowledge(
      uid,
      ops.map(({ op_id }) => ({ op_id, outcome: 'applied', rev: 2, code: 0, msg: '' })),
    );
    const setting = { group_name: 'g', config_key: 'a', config_value: '0' };
    await changes.applyPage(uid, '1', page('2', [{ kind: 'setting', rev: 2, setting }]));
    equal((await changes.pending(uid)).length, 0, 'pending operations');
    equal(await readSince(), first, 'time of the confirmed value');
  });

  test('dates edits in their order even if the clock is set back', async () => {
    let now = timeAt(10);
    const { changes, uid, id } = await createAccount(open, () => now);
    await changes.edit(uid, { type: 'recording.rename', recording: id, name: 'First' });
    now = timeAt(3);
    await changes.edit(uid, { type: 'recording.rename', recording: id, name: 'Second' });
    const times = (await changes.pending(uid)).map((op) => Date.parse(op.at));
    equal(times, [Date.parse(timeAt(10)), Date.parse(timeAt(10)) + 1], 'times');
  });
}
