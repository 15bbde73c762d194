import { setImmediate } from 'node:timers/promises';
import type { Operation, SummaryDocument } from '@linnet/contract';
import type { ParagraphEdit } from '@linnet/contract/operations';
import { registerOf } from '@linnet/contract/operations';
import { taskStatus } from '@linnet/contract/statuses';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { Queries, Row, Transaction } from '../../db/database.ts';
import { nextRevision } from '../../db/database.ts';
import type {
  Carried,
  SourceParagraph,
  TargetParagraph,
  Unplaced,
} from '../../transcript/carry-over.ts';
import {
  carriedLabels,
  carryHighlights,
  carrySpeakers,
  carryTexts,
  paragraphsOf,
  unusedLabel,
} from '../../transcript/carry-over.ts';
import type { TranscriptParagraph } from '../../transcript/paragraphs.ts';
import { Timeline } from '../../transcript/timeline.ts';
import { latestTranscript } from '../task/latest-transcript.ts';
import { itemsOf } from '../task/reuse-item-ids.ts';
import type { LateChange } from './batch.ts';
import type { Operations, TimedEdit } from './operations.ts';

/**
 * Carries the owner's changes to a transcript over to the latest transcript of the recording. They become operations on
 * its paragraphs, with the times of the original edits, so that the usual rules decide conflicts. Changes that have no
 * place are added to the recording's list `unplaced`. Markers need no change, because they belong to the recording.
 */

type Perform = Operations['perform'];
type Paragraph = Row<'paragraphs'>;
type Recording = Pick<
  Row<'recordings'>,
  'id' | 'account_id' | 'client_flag' | 'speakers' | 'ticks'
>;

type EndedTask = Pick<Row<'tasks'>, 'id' | 'recording_id'>;

/**
 * Carries all changes of the previous transcript over to one that was just stored. The transaction must have locked the
 * account. If that fails, all of the changes are listed as unplaced, so that the new transcript is stored in any case.
 * @param task the task of the new transcript
 * @param onFailure called with the error, before the transaction ends
 */
export async function carryToTranscript(
  trx: Transaction,
  perform: Perform,
  task: EndedTask,
  onFailure: (error: unknown) => void,
): Promise<void> {
  await sql`savepoint carry_over`.execute(trx);
  try {
    await carryAll(trx, perform, task);
  } catch (error) {
    onFailure(error);
    await sql`rollback to savepoint carry_over`.execute(trx);
    await listAll(trx, perform, task);
  }
  await sql`release savepoint carry_over`.execute(trx);
}

/** Lists all changes of the previous transcript as unplaced, and removes the names of its speakers. */
async function listAll(trx: Transaction, perform: Perform, task: EndedTask): Promise<void> {
  const [latest, previous] = await latestTranscripts(trx, task.recording_id);
  if (latest?.id !== task.id || !previous) return;
  const recording = await readRecording(trx, task.recording_id);
  const { speakers } = recording;
  const rows = await readParagraphs(trx, previous.id);
  const times = await readWriteTimes(trx, recording, rows);
  const changes = rows.flatMap((row): Unplaced[] => {
    const { id, content, original, speaker, start_time: time } = row;
    const isEdited = original !== null && content !== original;
    const edit: Pick<Unplaced, 'kind' | 'text'> =
      content.trim() === ''
        ? { kind: 'removal', text: original ?? '' }
        : { kind: 'edit', text: content };
    const isAssigned = speaker !== null && times.of('speaker', [id]) !== undefined;
    return [
      ...(isEdited ? [{ ...edit, time }] : []),
      ...(row.is_tag === 1 ? [{ kind: 'highlight', text: content, time } as const] : []),
      ...(isAssigned
        ? [{ kind: 'speaker', text: speakers[speaker] ?? speaker, time } as const]
        : []),
    ];
  });
  const names = Object.entries(speakers).map(([label, text]): Unplaced => {
    const time = rows.find(({ speaker }) => speaker === label)?.start_time ?? 0;
    return { kind: 'speaker', text, time };
  });
  const ticks = unplacedTicks(recording.ticks, previous.summary_json, latest.summary_json);
  await addUnplaced(trx, recording, [...changes, ...names, ...ticks]);
  const removals = renames(recording, {}, await lastNaming(trx, recording));
  await perform(trx, recording.account_id, removals);
}

/** Carries all changes of the previous transcript over to one that was just stored. */
async function carryAll(trx: Transaction, perform: Perform, task: EndedTask): Promise<void> {
  const [latest, previous] = await latestTranscripts(trx, task.recording_id);
  if (latest?.id !== task.id || !previous) return;
  const recording = await readRecording(trx, task.recording_id);
  const rows = await readParagraphs(trx, previous.id);
  const times = await readWriteTimes(trx, recording, rows);
  const source = rows.map((row) => ({
    ...toSource(row),
    before: row.original ?? row.content,
    isAssigned: times.of('speaker', [row.id]) !== undefined,
  }));
  const target = (await readParagraphs(trx, task.id)).map(toTarget);
  // Words in another language aren't misheard ones.
  const isSameLanguage = latest.language === previous.language;
  const texts = await carryTexts(source, target, () => isSameLanguage);
  const highlights = carryHighlights(source, target);
  const speakers = carrySpeakers(source, target, recording.speakers);
  const ticks = unplacedTicks(recording.ticks, previous.summary_json, latest.summary_json);
  await addUnplaced(trx, recording, [
    ...texts.unplaced,
    ...highlights.unplaced,
    ...speakers.unplaced,
    ...ticks,
  ]);
  await perform(trx, recording.account_id, [
    ...texts.texts.map((one) => times.edit(one, { type: 'paragraph.edit', content: one.value })),
    ...highlights.highlights.map((one) =>
      times.edit(one, { type: 'paragraph.mark', is_tag: one.value }),
    ),
    ...speakers.assigned.map((one) =>
      times.edit(one, { type: 'paragraph.speaker', speaker: one.value }),
    ),
    ...renames(recording, speakers.names, await lastNaming(trx, recording)),
  ]);
  if (!isSameLanguage) await carryEarlierTexts(trx, perform, recording, latest);
}

/**
 * Carries over the texts of the latest earlier transcript in the new one's language. They were listed when a transcript
 * in another language replaced it, so those that have a place now are removed from the list.
 */
async function carryEarlierTexts(
  trx: Transaction,
  perform: Perform,
  recording: Recording,
  latest: Pick<Row<'tasks'>, 'id' | 'language'>,
): Promise<void> {
  const earlier = await transcriptsOf(trx, recording.id)
    .where('language', '=', latest.language)
    .where('id', '!=', latest.id)
    .limit(1)
    .executeTakeFirst();
  if (!earlier) return;
  const rows = await readParagraphs(trx, earlier.id);
  const targetRows = await readParagraphs(trx, latest.id);
  const times = await readWriteTimes(trx, recording, [...rows, ...targetRows]);
  const source = rows.map((row) => ({ ...toSource(row), before: row.original ?? row.content }));
  const target = targetRows.map(toTarget);
  const { texts, unplaced } = await carryTexts(source, target, mayReplaceEarlier(times));
  await perform(
    trx,
    recording.account_id,
    texts.map((one) => times.edit(one, { type: 'paragraph.edit', content: one.value })),
  );
  const missing = new Set(unplaced.map(({ time }) => time));
  const placed = source.filter(
    ({ before, content, start }) => content !== before && !missing.has(start),
  );
  const { unplaced: listed } = await trx
    .selectFrom('recordings')
    .select('unplaced')
    .where('id', '=', recording.id)
    .executeTakeFirstOrThrow();
  const remaining = listed.filter(
    ({ kind, text, time }) =>
      kind !== 'edit' ||
      !placed.some(({ start, content }) => start === time && contains(content, text)),
  );
  if (remaining.length === listed.length) return;
  await trx
    .updateTable('recordings')
    .set({
      unplaced: JSON.stringify(remaining),
      rev: await nextRevision(trx, recording.account_id),
    })
    .where('id', '=', recording.id)
    .execute();
}

/** True if a listed change is an excerpt of a text. */
const contains = (content: string, listed: string) =>
  content.includes(listed.replaceAll(/^…|…$/gu, ''));

/** Returns a function that lets texts replace others only if they were written later. */
function mayReplaceEarlier(times: Awaited<ReturnType<typeof readWriteTimes>>) {
  return (from: SourceParagraph, to: TargetParagraph) => {
    const last = times.of('content', [to.id]);
    return last === undefined || last <= (times.of('content', [from.id]) ?? last);
  };
}

/**
 * Returns the names of a recording's speakers by their labels in a new transcript, which isn't stored yet.
 * @param paragraphs the paragraphs of the new transcript
 */
export async function carriedNames(
  queries: Queries,
  { id, speakers }: Pick<Recording, 'id' | 'speakers'>,
  paragraphs: readonly (TranscriptParagraph & { readonly id: string })[],
): Promise<Readonly<Record<string, string>>> {
  if (Object.keys(speakers).length === 0) return speakers;
  const previous = await latestTranscript(queries, id);
  if (!previous) return speakers;
  const source = (await readParagraphs(queries, previous.id)).map(toSource);
  const target = paragraphs.map((one) => ({ ...one, speaker: one.speaker ?? null }));
  return carrySpeakers(source, target, speakers).names;
}

/**
 * Carries over changes to paragraphs of earlier transcripts, by phones that hadn't received the latest one. The
 * transaction must have locked the account. Returns false if there were none.
 */
export async function carryLateChanges(
  trx: Transaction,
  perform: Perform,
  changes: readonly LateChange[],
): Promise<boolean> {
  const changesByTask = Map.groupBy(changes, ({ after }) => after.task_id);
  for (const [taskId, [first, ...others]] of changesByTask) {
    // Let other requests run.
    await setImmediate();
    if (first) await carryLate(trx, perform, taskId, [first, ...others]);
  }
  return changes.length > 0;
}

/** Carries over changes to the paragraphs of one transcript. */
async function carryLate(
  trx: Transaction,
  perform: Perform,
  taskId: string,
  changes: readonly [LateChange, ...LateChange[]],
): Promise<void> {
  const [{ recordingId, latest }] = changes;
  const recording = await readRecording(trx, recordingId);
  const rows = await readParagraphs(trx, taskId);
  const targetRows = await readParagraphs(trx, latest);
  const times = await readWriteTimes(trx, recording, [...rows, ...targetRows]);
  const beforeOf = new Map(changes.map(({ before }) => [before.id, before]));
  const source = rows.map((row) => {
    const before = beforeOf.get(row.id) ?? row;
    return {
      ...toSource(row),
      before: before.content,
      isHighlighted: row.is_tag === 1 && before.is_tag === 0,
      isAssigned: row.speaker !== before.speaker,
    };
  });
  const target = targetRows.map(toTarget);
  const texts = await carryTexts(source, target, mayReplaceEarlier(times));
  const highlights = carryHighlights(source, target);
  // Names are carried over by `adaptLateOperations`.
  const speakers = carrySpeakers(source, target, {});
  const timeline = new Timeline(target);
  const unmarked = changes.flatMap(({ before, after }): Carried<0>[] => {
    if (before.is_tag === 0 || after.is_tag === 1) return [];
    const goals = paragraphsOf({ start: after.start_time, end: after.end_time }, timeline);
    return goals.map(({ id }) => ({ paragraph: id, value: 0, sources: [after.id] }));
  });
  await addUnplaced(trx, recording, [
    ...texts.unplaced,
    ...highlights.unplaced,
    ...speakers.unplaced,
  ]);
  // Revision 0 makes them concurrent with every edit of the latest transcript, so that the later edit wins.
  const concurrent = { base_rev: 0 };
  await perform(trx, recording.account_id, [
    // The texts include the current texts of their paragraphs, so they replace them.
    ...texts.texts.map((one) => times.edit(one, { type: 'paragraph.edit', content: one.value })),
    ...[...highlights.highlights, ...unmarked].map((one) => ({
      ...times.edit(one, { type: 'paragraph.mark', is_tag: one.value }),
      ...concurrent,
    })),
    ...speakers.assigned.map((one) => ({
      ...times.edit(one, { type: 'paragraph.speaker', speaker: one.value }),
      ...concurrent,
    })),
  ]);
}

/** An operation that refers to a label of a transcript or to an item of its summary. */
type DependentOperation = Extract<Operation, { type: 'recording.speaker' | 'recording.tick' }>;

/** A change of a late operation that has no place in the latest transcript. */
interface LateUnplaced {
  readonly recordingId: string;
  readonly change: Unplaced;
  /** The to-do that it completes, if any. */
  readonly item?: string;
}

/**
 * Adapts operations of phones that hadn't received the latest transcript. A speaker that they name gets its label in
 * the latest transcript. The name of a speaker that isn't distinguished there has no place, so its operation has no
 * effect. A to-do that they complete has no place if the latest summary lacks it.
 * @param rev the account's revision, read after the account was locked; the operations are based on it or earlier ones
 * @returns the operations, and the changes that `listLateChanges` lists after they were applied
 */
export async function adaptLateOperations(
  trx: Transaction,
  accountId: string,
  ops: readonly Operation[],
  rev: number,
): Promise<{ readonly ops: readonly Operation[]; readonly unplaced: readonly LateUnplaced[] }> {
  const dependent = ops.filter(
    (op): op is DependentOperation =>
      (op.type === 'recording.speaker' || (op.type === 'recording.tick' && op.done)) &&
      op.base_rev < rev,
  );
  if (dependent.length === 0) return { ops, unplaced: [] };
  const recordings = await trx
    .selectFrom('recordings')
    .innerJoin('tasks', 'tasks.recording_id', 'recordings.id')
    .innerJoin('tasks as earlier', 'earlier.recording_id', 'recordings.id')
    .select(['recordings.id', 'recordings.client_flag', 'recordings.ticks', 'recordings.speakers'])
    .distinct()
    .where('recordings.account_id', '=', accountId)
    .where('client_flag', '=', sql<string>`any(${dependent.map((op) => op.recording)}::text[])`)
    .where('tasks.transcript_rev', '>', Math.min(...dependent.map((op) => op.base_rev)))
    .where('earlier.status', '=', taskStatus.transcribed)
    .whereRef('earlier.id', '!=', 'tasks.id')
    .execute();
  const adapted = new Map<Operation, Operation>();
  const unplaced: LateUnplaced[] = [];
  for (const { id: recordingId, client_flag: flag, ticks, speakers } of recordings) {
    const [latest, ...earlier] = await transcriptsOf(trx, recordingId).execute();
    const [previous] = earlier;
    if (!latest || !previous) continue;
    const late = dependent.filter(
      (op) => op.recording === flag && op.base_rev < (latest.transcript_rev ?? 0),
    );
    const opsByTranscript = Map.groupBy(late, ({ base_rev: seen }) =>
      earlier.find(({ transcript_rev: rev }) => (rev ?? 0) <= seen),
    );
    for (const [transcript, group] of opsByTranscript) {
      const { summary_json: summary } = transcript ?? previous;
      const items = group.flatMap((op) =>
        op.type === 'recording.tick' && ticks[op.item] !== true ? [op.item] : [],
      );
      for (const item of new Set(items)) {
        const lost = unplacedTicks({ [item]: true }, summary, latest.summary_json);
        unplaced.push(...lost.map((change) => ({ recordingId, change, item })));
      }
      const naming = group.filter((op) => op.type === 'recording.speaker');
      // If the phone's transcript is unknown, the speakers keep their labels.
      if (naming.length === 0 || !transcript) continue;
      const source = withAssigned(await readParagraphs(trx, transcript.id), ops);
      const target = (await readParagraphs(trx, latest.id)).map(toTarget);
      const labels = carriedLabels(source, target);
      const used = [...target.flatMap(({ speaker }) => speaker ?? []), ...Object.keys(speakers)];
      const names = new Map<string, string>();
      for (const op of naming) {
        const label = labels.get(op.speaker);
        const unused = { speaker: unusedLabel(op.speaker, new Set(used)), name: '' };
        adapted.set(op, { ...op, ...(label === undefined ? unused : { speaker: label }) });
        if (label === undefined) names.set(op.speaker, op.name.trim());
      }
      for (const [speaker, text] of names) {
        const time = source.find((one) => one.speaker === speaker)?.start ?? 0;
        if (text !== '') unplaced.push({ recordingId, change: { kind: 'speaker', text, time } });
      }
    }
  }
  return { ops: ops.map((op) => adapted.get(op) ?? op), unplaced };
}

/** Returns the paragraphs with the speakers that operations assign. */
function withAssigned(rows: readonly Paragraph[], ops: readonly Operation[]): SourceParagraph[] {
  const assigned = new Map(
    ops.flatMap((op) =>
      op.type === 'paragraph.speaker' ? [[op.paragraph.toLowerCase(), op.speaker] as const] : [],
    ),
  );
  return rows.map((row) => {
    const speaker = assigned.get(row.id);
    return speaker === undefined
      ? toSource(row)
      : { ...toSource(row), speaker, isAssigned: speaker !== row.speaker };
  });
}

/**
 * Lists changes without a place after their operations were applied. A to-do is listed only if it is completed now, so
 * not if a later operation replaced its completion. Returns false if there are no changes.
 */
export async function listLateChanges(
  trx: Transaction,
  accountId: string,
  unplaced: readonly LateUnplaced[],
): Promise<boolean> {
  if (unplaced.length === 0) return false;
  const byRecording = Map.groupBy(unplaced, ({ recordingId }) => recordingId);
  const recordings = await trx
    .selectFrom('recordings')
    .select(['id', 'ticks'])
    .where('id', '=', sql<string>`any(${[...byRecording.keys()]}::uuid[])`)
    .execute();
  for (const { id, ticks } of recordings) {
    const changes = (byRecording.get(id) ?? []).filter(
      ({ item }) => item === undefined || ticks[item] === true,
    );
    const listed = changes.map(({ change }) => change);
    await addUnplaced(trx, { id, account_id: accountId }, listed);
  }
  return true;
}

/** Returns a recording's latest two transcripts. */
const latestTranscripts = (queries: Queries, recordingId: string) =>
  transcriptsOf(queries, recordingId).limit(2).execute();

/** Returns a query for a recording's transcripts, latest first. */
function transcriptsOf(queries: Queries, recordingId: string) {
  return queries
    .selectFrom('tasks')
    .select(['id', 'language', 'summary_json', 'transcript_rev'])
    .where('recording_id', '=', recordingId)
    .where('status', '=', taskStatus.transcribed)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc');
}

const readRecording = (trx: Transaction, id: string): Promise<Recording> =>
  trx
    .selectFrom('recordings')
    .select(['id', 'account_id', 'client_flag', 'speakers', 'ticks'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();

const readParagraphs = (queries: Queries, taskId: string): Promise<Paragraph[]> =>
  queries
    .selectFrom('paragraphs')
    .selectAll()
    .where('task_id', '=', taskId)
    .orderBy('ordinal')
    .execute();

function toSource(row: Paragraph): SourceParagraph {
  return {
    id: row.id,
    start: row.start_time,
    end: row.end_time,
    before: row.content,
    content: row.content,
    isHighlighted: row.is_tag === 1,
    speaker: row.speaker,
    isAssigned: false,
  };
}

function toTarget({
  id,
  start_time,
  end_time,
  content,
  words,
  speaker,
}: Paragraph): TargetParagraph {
  return { id, start: start_time, end: end_time, content, words, speaker };
}

type Field = 'content' | 'mark' | 'speaker';
type Value =
  | Pick<Extract<ParagraphEdit, { type: 'paragraph.edit' }>, 'type' | 'content'>
  | Pick<Extract<ParagraphEdit, { type: 'paragraph.mark' }>, 'type' | 'is_tag'>
  | Pick<Extract<ParagraphEdit, { type: 'paragraph.speaker' }>, 'type' | 'speaker'>;
const fieldOf = {
  'paragraph.edit': 'content',
  'paragraph.mark': 'mark',
  'paragraph.speaker': 'speaker',
} as const satisfies Record<Value['type'], Field>;

/** Reads when the current values of paragraphs were written. */
async function readWriteTimes(
  trx: Transaction,
  { account_id: accountId, client_flag: recording }: Recording,
  rows: readonly Paragraph[],
) {
  const registerOfField = (field: Field, paragraph: string) => {
    const target = { recording, paragraph };
    switch (field) {
      case 'content':
        return registerOf({ type: 'paragraph.edit', ...target, content: '' });
      case 'mark':
        return registerOf({ type: 'paragraph.mark', ...target, is_tag: 0 });
      case 'speaker':
        return registerOf({ type: 'paragraph.speaker', ...target, speaker: null });
    }
  };
  const registers = rows.flatMap(({ id }) =>
    (['content', 'mark', 'speaker'] as const).map((field) => registerOfField(field, id)),
  );
  const writes = await trx
    .selectFrom('operations')
    .distinctOn('register')
    .select(['register', 'at'])
    .where('account_id', '=', accountId)
    .where('register', '=', sql<string>`any(${registers}::text[])`)
    .where('outcome', '=', 'applied')
    .orderBy('register')
    .orderBy('rev', 'desc')
    .execute();
  const times = new Map(writes.map(({ register, at }) => [register, at]));
  /** Returns the latest time at which a field of the paragraphs was written, or undefined if it never was. */
  const of = (field: Field, ids: readonly string[]): Date | undefined =>
    ids
      .flatMap((id) => times.get(registerOfField(field, id)) ?? [])
      .sort((a, b) => b.getTime() - a.getTime())[0];
  /** Returns the edit that sets a carried value, at the time of the edits that it comes from. */
  const edit = ({ paragraph, sources }: Carried<unknown>, value: Value): TimedEdit => {
    const at = of(fieldOf[value.type], sources)?.toISOString();
    return { recording, paragraph, ...value, ...(at !== undefined && { at }) };
  };
  return { of, edit };
}

/** Returns when a speaker was last named, so that later names by other phones replace the carried ones. */
async function lastNaming(
  trx: Transaction,
  { account_id: accountId, client_flag: recording, speakers }: Recording,
): Promise<Date> {
  if (Object.keys(speakers).length === 0) return new Date(0);
  const registers = Object.keys(speakers).map((speaker) =>
    registerOf({ type: 'recording.speaker', recording, speaker, name: '' }),
  );
  const last = await trx
    .selectFrom('operations')
    .select('at')
    .where('account_id', '=', accountId)
    .where('register', '=', sql<string>`any(${registers}::text[])`)
    .where('outcome', '=', 'applied')
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return last?.at ?? new Date(0);
}

/** Returns the edits that replace the names of speakers. Names are removed first, so that their number never grows. */
function renames(
  { client_flag: recording, speakers }: Recording,
  names: Readonly<Record<string, string>>,
  at: Date,
): TimedEdit[] {
  const rename = (speaker: string, name: string): TimedEdit => {
    return { type: 'recording.speaker', recording, speaker, name, at: at.toISOString() };
  };
  return [
    ...Object.keys(speakers)
      .filter((label) => !Object.hasOwn(names, label))
      .map((label) => rename(label, '')),
    ...Object.entries(names)
      .filter(([label, name]) => speakers[label] !== name)
      .map(([label, name]) => rename(label, name)),
  ];
}

/** Returns the completed to-dos of a summary that are absent from the next one. */
function unplacedTicks(
  ticks: Readonly<Record<string, boolean>>,
  previous: SummaryDocument | null,
  latest: SummaryDocument | null,
): Unplaced[] {
  const remaining = new Set(itemsOf(latest).map(({ id }) => id));
  return itemsOf(previous)
    .filter(({ id }) => ticks[id] === true && !remaining.has(id))
    .map(({ text, start_time: time = 0 }) => ({ kind: 'todo', text, time }));
}

/** Adds changes to a recording's list, in a new revision of the account. */
async function addUnplaced(
  trx: Transaction,
  { id, account_id: accountId }: Pick<Recording, 'id' | 'account_id'>,
  unplaced: readonly Unplaced[],
): Promise<void> {
  if (unplaced.length === 0) return;
  const added = JSON.stringify(
    unplaced.map(({ kind, text, time }) => ({ id: uuidv7(), kind, text, time })),
  );
  await trx
    .updateTable('recordings')
    .set({
      unplaced: sql<string>`unplaced || ${added}::jsonb`,
      rev: await nextRevision(trx, accountId),
    })
    .where('id', '=', id)
    .execute();
}
