import { limits } from './limits.ts';

/** The parts of a recording that operations add to. */
export type GrowingParts = {
  readonly tags: readonly string[];
  readonly markers: readonly unknown[];
  readonly speakers: Readonly<Record<string, unknown>>;
  readonly ticks: Readonly<Record<string, unknown>>;
};

/** A bound on what a recording holds, or on one text in it. */
export type OperationLimit = keyof GrowingParts | 'mindMap' | 'text';

/**
 * The part of a recording that would hold more than `limits.recording` allows: checked by phones before they accept
 * an edit, and by the server, each of what an operation makes of the recording.
 * @returns null when all of it fits
 */
export function exceededPart(after: GrowingParts): keyof GrowingParts | null {
  const { tags, markers, speakers, ticks } = limits.recording;
  if (after.tags.length > tags) return 'tags';
  if (after.markers.length > markers) return 'markers';
  if (Object.keys(after.speakers).length > speakers) return 'speakers';
  return Object.keys(after.ticks).length > ticks ? 'ticks' : null;
}

/** What an operation writes: the fields of `operation` that have a limit of their own. */
type Written = {
  readonly type: string;
  readonly name?: string;
  readonly tag?: string;
  readonly content?: string;
  readonly speaker?: string | null;
  readonly place?: { readonly name: string } | null;
  readonly value?: { readonly label: string } | null;
  readonly mind_map?: readonly { readonly topic: string }[] | null;
  readonly config_value?: string;
};

/**
 * The limit that an operation breaks by itself, whatever it is applied to: the same lengths as in the schema
 * `operation`, which the app does not load.
 */
export function exceededByItself(written: Written): OperationLimit | null {
  const { recording, paragraph, setting } = limits;
  const { type, name, tag, content, speaker, place, value, mind_map, config_value } = written;
  if (mind_map && mind_map.length > recording.mindNodes) return 'mindMap';
  if (mind_map?.some(({ topic }) => topic.length > recording.topicMaxLength)) return 'text';
  const nameLimit =
    type === 'recording.speaker' ? recording.speakerMaxLength : recording.nameMaxLength;
  const isTooLong =
    (name?.trim().length ?? 0) > nameLimit ||
    (tag?.trim().length ?? 0) > recording.tagMaxLength ||
    (content?.length ?? 0) > paragraph.contentMaxLength ||
    (speaker?.length ?? 0) > recording.speakerMaxLength ||
    (place?.name.length ?? 0) > recording.nameMaxLength ||
    (value?.label.length ?? 0) > recording.nameMaxLength ||
    (config_value?.length ?? 0) > setting.valueMaxLength;
  return isTooLong ? 'text' : null;
}
