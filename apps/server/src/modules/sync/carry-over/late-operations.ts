/** Adapts operations on speakers and to-dos from phones that hadn't received the latest transcript. */
import type { Operation } from '@linnet/contract';
import { taskStatus } from '@linnet/contract/statuses';
import { sql } from 'kysely';
import type { Transaction } from '../../../db/database.ts';
import { carriedLabels, unusedLabel } from '../../../transcript/carry-over/speakers.ts';
import type {
  SourceParagraph,
  UnplacedChangeContent,
} from '../../../transcript/carry-over/types.ts';
import type { Paragraph } from './rows.ts';
import {
  keepsLabels,
  readEarlierParagraphs,
  readParagraphs,
  selectTranscripts,
  toSource,
  toTarget,
} from './rows.ts';
import { addUnplaced, unplacedTicks } from './unplaced.ts';

/** An operation that depends on a particular transcript, because it refers to a speaker label or summary item. */
type DependentOperation = SpeakerOperation | Extract<Operation, { type: 'recording.tick' }>;
type SpeakerOperation = Extract<
  Operation,
  { type: 'recording.speaker' | 'recording.dismissProposal' }
>;

/** A change by a late operation that can't be applied to the latest transcript. */
interface LateUnplacedChange {
  readonly recordingId: string;
  readonly change: UnplacedChangeContent;
  /** ID of the to-do that the operation completes, if any. */
  readonly item?: string;
}

/**
 * Adapts operations from phones that hadn't received the latest transcript. In operations that name a speaker or
 * dismiss a proposed name, the speaker's label is replaced by its label in the latest transcript. If the speaker isn't
 * recognized there as a separate speaker, the operation has no effect and the name is listed as unplaced. The same applies to a completed
 * to-do that the latest summary lacks.
 * @param rev the account's revision, read after the account was locked; no operation has a later base revision
 * @returns the adapted operations, and the changes to pass to `listLateChanges` once they have been applied
 */
export async function adaptLateOperations(
  trx: Transaction,
  accountId: string,
  ops: readonly Operation[],
  rev: number,
): Promise<{
  readonly ops: readonly Operation[];
  readonly unplaced: readonly LateUnplacedChange[];
}> {
  const dependent = ops.filter(
    (op): op is DependentOperation =>
      (isSpeakerOperation(op) || (op.type === 'recording.tick' && op.done)) && op.base_rev < rev,
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
  const unplaced: LateUnplacedChange[] = [];
  for (const { id: recordingId, client_flag: flag, ticks, speakers } of recordings) {
    const transcripts = await selectTranscripts(trx, recordingId).execute();
    const [latest, ...earlier] = transcripts;
    const [previous] = earlier;
    if (!latest || !previous) continue;
    const lateOperations = dependent.filter(
      (op) => op.recording === flag && op.base_rev < (latest.transcript_rev ?? 0),
    );
    const opsByTranscript = Map.groupBy(lateOperations, ({ base_rev: baseRev }) =>
      earlier.find(({ transcript_rev: rev }) => (rev ?? 0) <= baseRev),
    );
    for (const [transcript, group] of opsByTranscript) {
      const { summary_json: summary } = transcript ?? previous;
      const items = group.flatMap((op) =>
        op.type === 'recording.tick' && ticks[op.item] !== true ? [op.item] : [],
      );
      for (const item of new Set(items)) {
        const lostTicks = unplacedTicks({ [item]: true }, summary, latest.summary_json);
        unplaced.push(...lostTicks.map((change) => ({ recordingId, change, item })));
      }
      const speakerOperations = group.filter(isSpeakerOperation);
      // If it's unknown which transcript the phone had, keep the labels.
      if (speakerOperations.length === 0 || !transcript) continue;
      if (keepsLabels(transcripts, transcript.id)) continue;
      const earlierParagraphs = await readEarlierParagraphs(trx, transcripts, transcript.id);
      const source = withAssignedSpeakers(earlierParagraphs, ops);
      const target = (await readParagraphs(trx, latest.id)).map(toTarget);
      const labels = carriedLabels(source, target);
      const usedLabels = [
        ...target.flatMap(({ speaker }) => speaker ?? []),
        ...Object.keys(speakers),
      ];
      const names = new Map<string, string>();
      for (const op of speakerOperations) {
        const label = labels.get(op.speaker);
        if (label !== undefined) {
          adapted.set(op, { ...op, speaker: label });
          continue;
        }
        const speaker = unusedLabel(op.speaker, new Set(usedLabels));
        if (op.type === 'recording.dismissProposal') adapted.set(op, { ...op, speaker });
        else {
          adapted.set(op, { ...op, speaker, name: '' });
          names.set(op.speaker, op.name.trim());
        }
      }
      for (const [speaker, text] of names) {
        const time = source.find((paragraph) => paragraph.speaker === speaker)?.start ?? 0;
        if (text !== '') unplaced.push({ recordingId, change: { kind: 'speaker', text, time } });
      }
    }
  }
  return { ops: ops.map((op) => adapted.get(op) ?? op), unplaced };
}

function isSpeakerOperation(op: Operation): op is SpeakerOperation {
  return op.type === 'recording.speaker' || op.type === 'recording.dismissProposal';
}

/** Returns the paragraphs with the speakers assigned by operations. */
function withAssignedSpeakers(
  rows: readonly Paragraph[],
  ops: readonly Operation[],
): SourceParagraph[] {
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
 * Adds unplaced changes to the recordings' lists after their operations were applied. A to-do is listed only if it's
 * still completed, because a later operation may have overridden its completion. Returns false if there is nothing to
 * list.
 */
export async function listLateChanges(
  trx: Transaction,
  accountId: string,
  unplaced: readonly LateUnplacedChange[],
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
