import { z } from 'zod';
import { limits } from '../limits.ts';
import { id, time } from './common.ts';
import { mindNode, paragraph, recording, task, taskHead } from './task.ts';

/** A node of an owner's own mind map. */
const ownMindNode = mindNode.extend({
  id,
  parentid: z.string().max(64),
  topic: z.string().max(limits.recording.topicMaxLength),
  paragraph_id: id.optional(),
});

/** What becomes a key of a map. One name is none: parsers drop it, for what it does to objects. */
const key = (maxLength: number) =>
  z
    .string()
    .min(1)
    .max(maxLength)
    .refine((name) => name !== '__proto__', { error: 'not a name' });

const settingText = key(limits.setting.nameMaxLength);
export const setting = z.object({
  group_name: settingText,
  config_key: settingText,
  config_value: z.string().max(limits.setting.valueMaxLength),
});

export const place = z.object({
  /** Degrees, WGS 84. */
  latitude: z.number().min(-90).max(90),
  longitude: z.number().min(-180).max(180),
  name: z.string().max(limits.recording.nameMaxLength),
});
export const marker = z.object({
  id,
  /** Seconds from the start. */
  time: z.number().min(0),
  label: z.string().max(limits.recording.nameMaxLength),
});

/** The recording's identity everywhere, its client_flag: phones edit before the server has an id. */
const target = { recording: z.string().min(1).max(64) };
const ofParagraph = { ...target, paragraph: id };

const head = {
  /** Made by the phone; the same in every retry. */
  op_id: z.uuid(),
  /** The latest revision the phone had seen when its owner did this; 0 for none. */
  base_rev: z.int().min(0),
  /** When its owner did this, by the phone's clock. */
  at: z.iso.datetime({ offset: true }),
};
const operationOf = <const Type extends string, Shape extends z.ZodRawShape>(
  type: Type,
  shape: Shape,
) => z.object({ ...head, type: z.literal(type), ...shape });

/** What an owner can do to what is theirs: one change each, applied exactly once. */
export const operation = z.discriminatedUnion('type', [
  operationOf('recording.rename', {
    ...target,
    name: z.string().trim().max(limits.recording.nameMaxLength),
  }),
  operationOf('recording.tag', {
    ...target,
    tag: z.string().trim().min(1).max(limits.recording.tagMaxLength),
    on: z.boolean(),
  }),
  operationOf('recording.place', { ...target, place: place.nullable() }),
  /** The name of a speaker that the transcript calls `speaker`; '' takes the name away. */
  operationOf('recording.speaker', {
    ...target,
    speaker: key(limits.recording.speakerMaxLength),
    name: z.string().trim().max(limits.recording.speakerMaxLength),
  }),
  /** Sets the marker with this id, or removes it. */
  operationOf('recording.marker', { ...target, marker: id, value: marker.nullable() }),
  /** Ticks a to-do of the summary, by its id there. */
  operationOf('recording.tick', { ...target, item: key(64), done: z.boolean() }),
  /** The owner's own mind map; null goes back to the one made from the transcript. */
  operationOf('recording.mindMap', {
    ...target,
    mind_map: z.array(ownMindNode).max(limits.recording.mindNodes).nullable(),
  }),
  operationOf('recording.bin', target),
  operationOf('recording.recover', target),
  /** For good. */
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
]);

/**
 * What became of an operation; asked again, the same answer.
 * - `applied`: it is the newest of its kind.
 * - `superseded`: somebody changed the same thing later, without having seen this; a paragraph's text
 *   stays in its history.
 * - `refused`: it cannot be applied, now or later, for the reason in `code`.
 */
export const outcome = z.object({
  op_id: z.string(),
  outcome: z.enum(['applied', 'superseded', 'refused']),
  /** The revision that it made; the account's latest when it made none. */
  rev: z.int(),
  code: z.int(),
  msg: z.string(),
});

export const apply = {
  body: z.object({ ops: z.array(operation).max(limits.sync.operations) }),
  /** In the order of `ops`. */
  data: z.object({ results: z.array(outcome), rev: z.int() }),
};

/** A recording with everything its owner made of it. */
export const recordingState = recording.extend({
  task: taskHead.nullable(),
  place: place.nullable(),
  /** Names by what the transcript calls the speaker. */
  speakers: z.record(z.string(), z.string()),
  markers: z.array(marker),
  /** Ticked to-dos, by their id in the summary. */
  ticks: z.record(z.string(), z.boolean()),
  mind_map: z.array(mindNode).nullable(),
});

const changed = { rev: z.int() };
export const change = z.discriminatedUnion('kind', [
  z.object({ ...changed, kind: z.literal('recording'), recording: recordingState }),
  /** A task that ended, without its paragraphs: those are changes of their own. */
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
    /** Its place in the transcript, from 0. */
    ordinal: z.int(),
    paragraph,
  }),
  z.object({ ...changed, kind: z.literal('setting'), setting }),
  /** A recording that was deleted for good. */
  z.object({
    ...changed,
    kind: z.literal('tombstone'),
    id: z.string(),
    client_flag: z.string(),
    deleted_at: time,
  }),
]);

export const changes = {
  body: z.object({
    /** What the last answer gave; absent at first. */
    cursor: z.string().max(64).optional(),
    limit: z.int().min(1).max(limits.sync.changes).default(limits.sync.changes),
  }),
  data: z.object({
    /** By revision, ascending. */
    changes: z.array(change),
    cursor: z.string(),
    /** Whether there is more than fitted into this answer. */
    more: z.boolean(),
  }),
};
