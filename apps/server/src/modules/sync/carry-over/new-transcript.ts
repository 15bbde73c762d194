/**
 * Carries the user's changes to a transcript over to the recording's latest transcript. The changes become operations
 * on its paragraphs, with the times of the original edits, so the usual rules resolve conflicts. Changes that can't be
 * placed are added to the recording's list `unplaced`. Markers don't change, because they belong to the recording.
 */
import { getRegister } from '@linnet/contract/operations';
import { sql } from 'kysely';
import type { Queries, Row, Transaction } from '../../../db/database.ts';
import { nextRevision } from '../../../db/database.ts';
import { carryHighlights } from '../../../transcript/carry-over/highlights.ts';
import { carrySpeakers } from '../../../transcript/carry-over/speakers.ts';
import { carryTexts } from '../../../transcript/carry-over/texts.ts';
import type { UnplacedChangeContent } from '../../../transcript/carry-over/types.ts';
import type { TranscriptParagraph } from '../../../transcript/paragraphs.ts';
import { latestTranscript } from '../../task/latest-transcript.ts';
import type { Operations, TimedEdit } from '../operations.ts';
import type { Recording } from './rows.ts';
import { readParagraphs, readRecording, selectTranscripts, toSource, toTarget } from './rows.ts';
import { addUnplaced, unplacedTicks } from './unplaced.ts';
import { allowReplacingEarlierText, readWriteTimes } from './write-times.ts';

type Perform = Operations['perform'];
type EndedTask = Pick<Row<'tasks'>, 'id' | 'recording_id' | 'range'>;

/**
 * Carries all changes to the previous transcript over to the transcript that was just stored. If that fails, lists all
 * of the changes as unplaced, so the new transcript is stored in any case. If only a range was transcribed, the
 * previous transcript consists of the replaced paragraphs. The transaction must already hold the account's lock.
 * @param task the task of the new transcript
 * @param addedIds IDs of the paragraphs that the task recognized
 * @param onFailure called with the error before the transaction is committed
 * @returns the new labels of the previous transcript's speakers
 */
export async function carryToTranscript(
  trx: Transaction,
  perform: Perform,
  task: EndedTask,
  addedIds: ReadonlySet<string>,
  onFailure: (error: unknown) => void,
): Promise<ReadonlyMap<string, string>> {
  let labels: ReadonlyMap<string, string> = new Map();
  await sql`savepoint carry_over`.execute(trx);
  try {
    labels = await carryAll(trx, perform, task, addedIds);
  } catch (error) {
    onFailure(error);
    await sql`rollback to savepoint carry_over`.execute(trx);
    await listAll(trx, perform, task);
  }
  await sql`release savepoint carry_over`.execute(trx);
  return labels;
}

/**
 * Lists all changes to the previous transcript as unplaced, and removes its speakers' names, unless only a range was
 * transcribed.
 */
async function listAll(trx: Transaction, perform: Perform, task: EndedTask): Promise<void> {
  const [latest, previous] = await latestTranscripts(trx, task.recording_id);
  if (latest?.id !== task.id || !previous) return;
  const recording = await readRecording(trx, task.recording_id);
  const { speakers } = recording;
  const rows = await readParagraphs(trx, previous.id);
  const times = await readWriteTimes(trx, recording, rows);
  const changes = rows.flatMap((row): UnplacedChangeContent[] => {
    const { id, content, original, speaker, start_time: time } = row;
    const isEdited = original !== null && content !== original;
    const edit: Pick<UnplacedChangeContent, 'kind' | 'text'> =
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
  const lostNames = task.range ? [] : Object.entries(speakers);
  const names = lostNames.map(([label, text]): UnplacedChangeContent => {
    const time = rows.find(({ speaker }) => speaker === label)?.start_time ?? 0;
    return { kind: 'speaker', text, time };
  });
  const ticks = unplacedTicks(recording.ticks, previous.summary_json, latest.summary_json);
  await addUnplaced(trx, recording, [...changes, ...names, ...ticks]);
  if (task.range) return;
  const removals = renames(recording, {}, await findLastNaming(trx, recording));
  await perform(trx, recording.account_id, removals);
}

/**
 * Carries all changes to the previous transcript over to the transcript that was just stored.
 * @returns the new labels of the previous transcript's speakers
 */
async function carryAll(
  trx: Transaction,
  perform: Perform,
  task: EndedTask,
  addedIds: ReadonlySet<string>,
): Promise<ReadonlyMap<string, string>> {
  const [latest, previous] = await latestTranscripts(trx, task.recording_id);
  if (latest?.id !== task.id || !previous) return new Map();
  const recording = await readRecording(trx, task.recording_id);
  const rows = await readParagraphs(trx, previous.id);
  const times = await readWriteTimes(trx, recording, rows);
  const source = rows.map((row) => ({
    ...toSource(row),
    before: row.original ?? row.content,
    isAssigned: times.of('speaker', [row.id]) !== undefined,
  }));
  const latestRows = await readParagraphs(trx, task.id);
  const keptRows = latestRows.filter(({ id }) => !addedIds.has(id));
  const targetRows = latestRows.filter(({ id }) => addedIds.has(id));
  const target = targetRows.map(toTarget);
  const languages = new Map([
    ...rows.map((row) => [row.id, row.language ?? previous.language] as const),
    ...targetRows.map((row) => [row.id, row.language ?? latest.language] as const),
  ]);
  // Text in a different language can't be a correction of misrecognized words.
  const texts = await carryTexts(
    source,
    target,
    (from, to) => languages.get(from.id) === languages.get(to.id),
  );
  const highlights = carryHighlights(source, target);
  // Match speakers in the whole transcript, because a range may not contain all of them.
  const speakers = carrySpeakers(
    [...source, ...keptRows.map(toSource)],
    [...target, ...keptRows.map(toTarget)].sort((a, b) => a.start - b.start),
    // After transcribing a range, speakers keep their names.
    task.range ? {} : recording.speakers,
    task.range ? 'same' : 'own',
  );
  const unplacedSpeakers = speakers.unplaced.map((item) => {
    return { ...item, text: recording.speakers[item.text] ?? item.text };
  });
  const ticks = unplacedTicks(recording.ticks, previous.summary_json, latest.summary_json);
  await addUnplaced(trx, recording, [
    ...texts.unplaced,
    ...highlights.unplaced,
    ...(task.range ? unplacedSpeakers : speakers.unplaced),
    ...ticks,
  ]);
  await perform(trx, recording.account_id, [
    ...texts.texts.map((item) => times.edit(item, { type: 'paragraph.edit', content: item.value })),
    ...highlights.highlights.map((item) =>
      times.edit(item, { type: 'paragraph.mark', is_tag: item.value }),
    ),
    ...speakers.assigned.map((item) =>
      times.edit(item, { type: 'paragraph.speaker', speaker: item.value }),
    ),
    ...(task.range ? [] : renames(recording, speakers.names, await findLastNaming(trx, recording))),
  ]);
  const isSameLanguage = latest.language === previous.language;
  if (!isSameLanguage) await carryEarlierTexts(trx, perform, recording, latest);
  return speakers.labels;
}

/**
 * Carries over the edited texts of the latest earlier transcript in the new transcript's language. They were listed as
 * unplaced when a transcript in a different language replaced it. Texts that can be placed now are removed from the
 * list.
 */
async function carryEarlierTexts(
  trx: Transaction,
  perform: Perform,
  recording: Recording,
  latest: Pick<Row<'tasks'>, 'id' | 'language'>,
): Promise<void> {
  const earlierTranscript = await selectTranscripts(trx, recording.id)
    .where('language', '=', latest.language)
    .where('id', '!=', latest.id)
    .limit(1)
    .executeTakeFirst();
  if (!earlierTranscript) return;
  const rows = await readParagraphs(trx, earlierTranscript.id);
  const targetRows = await readParagraphs(trx, latest.id);
  const times = await readWriteTimes(trx, recording, [...rows, ...targetRows]);
  const source = rows.map((row) => ({ ...toSource(row), before: row.original ?? row.content }));
  const target = targetRows.map(toTarget);
  const { texts, unplaced } = await carryTexts(source, target, allowReplacingEarlierText(times));
  await perform(
    trx,
    recording.account_id,
    texts.map((item) => times.edit(item, { type: 'paragraph.edit', content: item.value })),
  );
  const unplacedTimes = new Set(unplaced.map(({ time }) => time));
  const placed = source.filter(
    ({ before, content, start }) => content !== before && !unplacedTimes.has(start),
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

/** Returns whether an unplaced change is an excerpt of a text. */
const contains = (content: string, listed: string) =>
  content.includes(listed.replaceAll(/^…|…$/gu, ''));

/**
 * Returns the names of a recording's speakers, keyed by their labels in a new transcript that isn't stored yet.
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
  const target = paragraphs.map((item) => ({ ...item, speaker: item.speaker ?? null }));
  return carrySpeakers(source, target, speakers).names;
}

/** Returns a recording's latest two transcripts. */
const latestTranscripts = (queries: Queries, recordingId: string) =>
  selectTranscripts(queries, recordingId).limit(2).execute();

/** Returns when a speaker was last named. Names given later on other phones then replace the carried name. */
async function findLastNaming(
  trx: Transaction,
  { account_id: accountId, client_flag: recording, speakers }: Recording,
): Promise<Date> {
  if (Object.keys(speakers).length === 0) return new Date(0);
  const registers = Object.keys(speakers).map((speaker) =>
    getRegister({ type: 'recording.speaker', recording, speaker, name: '' }),
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

/**
 * Returns the edits that replace speaker names. Names are removed first, so the limit on their number isn't exceeded.
 */
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
