/** Carries over changes to replaced transcripts, made on phones that hadn't received the latest transcript. */
import { setImmediate } from 'node:timers/promises';
import type { Transaction } from '../../../db/database.ts';
import { carryHighlights } from '../../../transcript/carry-over/highlights.ts';
import { findParagraphs } from '../../../transcript/carry-over/paragraphs-by-time.ts';
import { carrySpeakers } from '../../../transcript/carry-over/speakers.ts';
import { carryTexts } from '../../../transcript/carry-over/texts.ts';
import { Timeline } from '../../../transcript/carry-over/timeline.ts';
import type { CarriedValue } from '../../../transcript/carry-over/types.ts';
import type { LateChange } from '../batch.ts';
import type { Operations } from '../operations.ts';
import {
  keepsLabels,
  readEarlierParagraphs,
  readParagraphs,
  readRecording,
  selectTranscripts,
  toSource,
  toTarget,
} from './rows.ts';
import { addUnplaced } from './unplaced.ts';
import { allowReplacingEarlierText, readWriteTimes } from './write-times.ts';

/**
 * Carries over changes to paragraphs of replaced transcripts. The transaction must already hold the account's lock.
 * Returns false if there were no such changes.
 */
export async function carryLateChanges(
  trx: Transaction,
  perform: Operations['perform'],
  changes: readonly LateChange[],
): Promise<boolean> {
  const changesByTask = Map.groupBy(changes, ({ after }) => after.task_id);
  for (const [taskId, [first, ...others]] of changesByTask) {
    // Yield to the event loop, so other requests can run.
    await setImmediate();
    if (first) await carryLate(trx, perform, taskId, [first, ...others]);
  }
  return changes.length > 0;
}

/** Carries over changes to the paragraphs of one transcript. */
async function carryLate(
  trx: Transaction,
  perform: Operations['perform'],
  taskId: string,
  changes: readonly [LateChange, ...LateChange[]],
): Promise<void> {
  const [{ recordingId, latest }] = changes;
  const recording = await readRecording(trx, recordingId);
  const rows = await readParagraphs(trx, taskId);
  const targetRows = await readParagraphs(trx, latest);
  const times = await readWriteTimes(trx, recording, [...rows, ...targetRows]);
  const previousById = new Map(changes.map(({ before }) => [before.id, before]));
  const source = rows.map((row) => {
    const previousRow = previousById.get(row.id) ?? row;
    return {
      ...toSource(row),
      before: previousRow.content,
      isHighlighted: row.is_tag === 1 && previousRow.is_tag === 0,
      isAssigned: row.speaker !== previousRow.speaker,
    };
  });
  const target = targetRows.map(toTarget);
  const texts = await carryTexts(source, target, allowReplacingEarlierText(times));
  const highlights = carryHighlights(source, target);
  const transcripts = await selectTranscripts(trx, recordingId).execute();
  const earlierParagraphs = await readEarlierParagraphs(trx, transcripts, taskId);
  const unchanged = earlierParagraphs.filter((row) => row.task_id !== taskId).map(toSource);
  // Names are carried over by `adaptLateOperations`.
  const speakers = carrySpeakers(
    [...source, ...unchanged],
    target,
    {},
    keepsLabels(transcripts, taskId) ? 'same' : 'own',
  );
  const timeline = new Timeline(target);
  const unmarked = changes.flatMap(({ before, after }): CarriedValue<0>[] => {
    if (before.is_tag === 0 || after.is_tag === 1) return [];
    const targets = findParagraphs({ start: after.start_time, end: after.end_time }, timeline);
    return targets.map(({ id }) => ({ paragraph: id, value: 0, sources: [after.id] }));
  });
  await addUnplaced(trx, recording, [
    ...texts.unplaced,
    ...highlights.unplaced,
    ...speakers.unplaced,
  ]);
  // Base revision 0 makes the edits concurrent with every edit of the latest transcript, so the later edit wins.
  const concurrent = { base_rev: 0 };
  await perform(trx, recording.account_id, [
    // The text carried over already contains the paragraph's current text, so it can replace it.
    ...texts.texts.map((item) => times.edit(item, { type: 'paragraph.edit', content: item.value })),
    ...[...highlights.highlights, ...unmarked].map((item) => ({
      ...times.edit(item, { type: 'paragraph.mark', is_tag: item.value }),
      ...concurrent,
    })),
    ...speakers.assigned.map((item) => ({
      ...times.edit(item, { type: 'paragraph.speaker', speaker: item.value }),
      ...concurrent,
    })),
  ]);
}
