import { z } from 'zod';
import { limits } from '../limits.ts';
import { orText, textId, time } from './common.ts';
import { mindNode, paragraph, recording, task, taskHead } from './entities.ts';
import { move } from './retention.ts';
import { spokenLanguage } from './site.ts';

/** A node in the user's own mind map. */
const ownMindNode = mindNode.extend({
  id: textId,
  parentid: z.string().max(64),
  topic: z.string().max(limits.recording.topicMaxLength),
  paragraph_id: textId.optional(),
});

/** A map key. Rejects `__proto__`, which parsers drop because it would change the object's prototype. */
const key = (maxLength: number) =>
  z
    .string()
    .min(1)
    .max(maxLength)
    .refine((name) => name !== '__proto__', { error: 'not a name' });

const settingText = key(limits.setting.nameMaxLength);
export const setting = z
  .object({
    group_name: settingText,
    config_key: settingText,
    config_value: z.string().max(limits.setting.valueMaxLength),
  })
  .meta({ id: 'Setting', description: 'A setting.' });

export const place = z
  .object({
    latitude: z.number().min(-90).max(90).describe('Position in degrees (WGS 84).'),
    longitude: z.number().min(-180).max(180),
    name: z.string().max(limits.recording.nameMaxLength),
  })
  .meta({ id: 'Place', description: 'A place on the map.' });
export const marker = z
  .object({
    id: textId,
    time: z.number().min(0).describe('Position in the recording, in seconds.'),
    label: z.string().max(limits.recording.nameMaxLength),
  })
  .meta({ id: 'Marker', description: 'A marked position in a recording.' });

/** A line that the user typed during a recording, before it (`time` is 0), or while listening. */
export const note = z
  .object({
    id: textId,
    time: z
      .number()
      .min(0)
      .describe('When typing began, in seconds from the start of the recording.'),
    text: z.string().min(1).max(limits.recording.noteMaxLength),
  })
  .meta({ id: 'Note', description: 'A typed note at a position in a recording.' });

export const unplacedChange = z
  .object({
    id: textId,
    kind: z
      .enum(['edit', 'removal', 'highlight', 'speaker', 'todo'])
      .describe(
        '`edit`: a changed text. `removal`: a paragraph whose text was removed. `highlight`: a highlighted paragraph. `speaker`: a name or an assigned speaker. `todo`: a completed to-do.',
      ),
    text: z.string().describe("The user's text or name, or the removed or highlighted text."),
    time: z.number().describe('Position in the recording, in seconds.'),
  })
  .meta({
    id: 'UnplacedChange',
    description: "A user's change to an earlier transcript that has no place in the latest one.",
  });

/**
 * An edit's target, identified by the recording's client_flag, because phones edit recordings before the server assigns
 * an id.
 */
const target = {
  recording: z.string().min(1).max(64).describe("The recording's `client_flag`, not its `id`."),
};
const ofParagraph = { ...target, paragraph: textId.describe('The id of the paragraph.') };

const head = {
  op_id: z
    .uuid()
    .describe("The operation's id. The phone generates it, and keeps it when retrying."),
  base_rev: z
    .int()
    .min(0)
    .describe('The latest revision that the phone knew when the edit was made, or 0 if none.'),
  at: z.iso.datetime({ offset: true }).describe("When the edit was made, by the phone's clock."),
};
const operationOf = <const Type extends string, Shape extends z.ZodRawShape>(
  type: Type,
  shape: Shape,
) => z.object({ ...head, type: z.literal(type), ...shape });

export const operation = z
  .discriminatedUnion('type', [
    operationOf('recording.rename', {
      ...target,
      name: z.string().trim().max(limits.recording.nameMaxLength),
    }),
    operationOf('recording.tag', {
      ...target,
      tag: z.string().trim().min(1).max(limits.recording.tagMaxLength),
      on: z.boolean(),
    }),
    /** Adds a name or term that speech recognition looks for in the recording, or removes it. */
    operationOf('recording.word', {
      ...target,
      word: z.string().trim().min(1).max(limits.vocabulary.entryMaxLength),
      on: z.boolean(),
    }),
    /** Corrects when the recording was made, for example if the recorder's clock was wrong. */
    operationOf('recording.date', { ...target, recorded_at: time }),
    operationOf('recording.place', { ...target, place: place.nullable() }),
    /** Sets the language spoken in the recording. Null stands for the account's language. */
    operationOf('recording.language', { ...target, language: z.string().max(35).nullable() }),
    /** Names the speaker labeled `speaker`; '' removes the name. Either answers a proposed name. */
    operationOf('recording.speaker', {
      ...target,
      speaker: key(limits.recording.speakerMaxLength),
      name: z.string().trim().max(limits.recording.speakerMaxLength),
    }),
    /** Dismisses the name proposed for the speaker labeled `speaker`, without changing its name. */
    operationOf('recording.dismissProposal', {
      ...target,
      speaker: key(limits.recording.speakerMaxLength),
    }),
    /** Sets or removes the marker with this id. */
    operationOf('recording.marker', { ...target, marker: textId, value: marker.nullable() }),
    /** Sets or removes the note with this id. */
    operationOf('recording.note', { ...target, note: textId, value: note.nullable() }),
    /** Marks a to-do as done or not done. `item` is its id in the summary. */
    operationOf('recording.tick', { ...target, item: key(64), done: z.boolean() }),
    /** Sets the user's own mind map. Null restores the generated one. */
    operationOf('recording.mindMap', {
      ...target,
      mind_map: z.array(ownMindNode).max(limits.recording.mindNodes).nullable(),
    }),
    /** Removes an item from the list `unplaced`, or puts it back if `restored` has its contents. */
    operationOf('recording.dismiss', {
      ...target,
      item: textId,
      restored: unplacedChange
        .omit({ id: true })
        .extend({ text: z.string().max(limits.recording.unplacedMaxLength) })
        .optional(),
    }),
    /** Archives the recording, which hides it from the list, or returns it to the list. */
    operationOf('recording.archive', { ...target, on: z.boolean() }),
    /**
     * Protects the recording from retention rules, or ends the protection. If a rule has moved it to the recycle bin, protecting
     * it restores it.
     */
    operationOf('recording.protect', { ...target, on: z.boolean() }),
    operationOf('recording.bin', target),
    operationOf('recording.recover', target),
    /** Deletes the recording permanently. */
    operationOf('recording.delete', target),
    operationOf('paragraph.edit', {
      ...ofParagraph,
      content: z.string().max(limits.paragraph.contentMaxLength),
    }),
    operationOf('paragraph.mark', { ...ofParagraph, is_tag: paragraph.shape.is_tag }),
    operationOf('paragraph.speaker', {
      ...ofParagraph,
      speaker: key(limits.recording.speakerMaxLength).nullable(),
    }),
    operationOf('setting.set', setting.shape),
  ])
  .meta({
    id: 'Operation',
    description: 'An edit. It makes one change and is applied exactly once.',
  });

export const outcome = z
  .object({
    op_id: z.string(),
    outcome: z
      .enum(['applied', 'superseded', 'refused'])
      .describe(
        "`applied`: the operation is the newest edit of its register. `superseded`: another device made a later edit without knowing of this operation; a paragraph's text stays in its history. `refused`: the operation can never be applied, for the reason in `code`.",
      ),
    rev: z
      .int()
      .describe(
        "The revision created by the operation, or the account's latest if it created none.",
      ),
    code: z.int(),
    msg: z.string(),
  })
  .meta({
    id: 'OperationOutcome',
    description: 'The outcome of an operation. A retry returns the same outcome.',
  });

export const apply = {
  body: z.object({ ops: z.array(operation).max(limits.sync.operations) }),
  data: z
    .object({ results: z.array(outcome), rev: z.int() })
    .describe('The outcomes, in the order of `ops`.'),
};

export const recordingState = recording
  .extend({
    task: taskHead.nullable(),
    place: place.nullable(),
    language: spokenLanguage
      .nullable()
      .optional()
      .describe(
        "The language spoken in the recording, as set by the user, or null for the account's language. Older servers don't return it.",
      ),
    words: z
      .array(z.string())
      .optional()
      .describe(
        "Names and terms that speech recognition looks for in the recording. Older servers don't return them.",
      ),
    speakers: z
      .record(z.string(), z.string())
      .describe("Speaker names, by the speaker's label in the transcript."),
    proposals: z
      .record(z.string(), z.string())
      .optional()
      .describe(
        "Names proposed for unnamed speakers whose voice resembles a named one, by the speaker's label. A `recording.speaker` operation confirms a proposal, `recording.dismissProposal` dismisses it. Older servers don't return them.",
      ),
    markers: z.array(marker),
    notes: z
      .array(note)
      .optional()
      .describe("The user's typed notes, sorted by time. Older servers don't return them."),
    ticks: z
      .record(z.string(), z.boolean())
      .describe('Completed to-dos, by their id in the summary.'),
    mind_map: z.array(mindNode).nullable(),
    unplaced: z
      .array(unplacedChange)
      .optional()
      .describe(
        "The user's changes to earlier transcripts that couldn't be placed in the latest one. Older servers don't return them.",
      ),
    binned_by: move
      .nullable()
      .optional()
      .describe(
        "The run of a retention rule that moved the recording to the recycle bin, or null. Older servers don't return it.",
      ),
  })
  .meta({ id: 'RecordingState', description: "A recording with all of the user's edits." });

const changed = { rev: z.int() };
export const change = z
  .discriminatedUnion('kind', [
    z.object({ ...changed, kind: z.literal('recording'), recording: recordingState }),
    /** A completed task. Its paragraphs are sent as separate changes. */
    z.object({
      ...changed,
      kind: z.literal('task'),
      client_flag: z.string(),
      task: task.omit({ paragraphs: true }),
    }),
    z.object({
      ...changed,
      kind: z.literal('paragraph'),
      client_flag: z.string(),
      task_id: z.string(),
      ordinal: z.int().describe('Position in the transcript, from 0.'),
      paragraph,
    }),
    z.object({ ...changed, kind: z.literal('setting'), setting }),
    /** A permanently deleted recording. */
    z.object({
      ...changed,
      kind: z.literal('tombstone'),
      id: z.string(),
      client_flag: z.string(),
      deleted_at: time,
    }),
  ])
  .meta({ id: 'Change', description: 'A change, with the revision `rev` that it created.' });

export const changes = {
  body: z.object({
    cursor: z
      .string()
      .max(64)
      .optional()
      .describe('The cursor from the previous response. Absent in the first call.'),
    limit: orText(z.int().min(1).max(limits.sync.changes)).default(limits.sync.changes),
  }),
  data: z.object({
    changes: z.array(change).describe('The changes, in the order of their revisions.'),
    cursor: z.string(),
    more: z.boolean().describe('True if there are more changes to fetch.'),
  }),
};
