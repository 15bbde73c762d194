import type { ConversationStart } from '../../ports/questions.ts';

/** A recording that the page asks about, and how a new conversation about it starts. */
export type AskedRecording = {
  readonly recording: string;
  readonly start: Exclude<ConversationStart, { kind: 'thread' }>;
};

/** The facts about a recording that decide how its conversation starts. */
export type RecordingFacts = {
  /** False until the recording was read from the device's database. */
  readonly isRead: boolean;
  /** The recording's id on the server, or null. */
  readonly serverId: string | null;
  readonly isTranscribed: boolean;
  /** Its live text: `useless` if it stopped before the first words. */
  readonly liveText: 'none' | 'useful' | 'useless';
};

/**
 * Returns how the page asks about a recording, or null if it can't yet. A conversation about live text goes on when the
 * recording is uploaded or transcribed, so that a question that is being asked isn't lost; the server then answers from
 * the transcript.
 * @param before the last result, which is returned again if it is still right
 * @param recording the recording's id on this device, or null for a conversation about all
 */
export function askedRecording(
  before: AskedRecording | null,
  recording: string | null,
  facts: RecordingFacts,
): AskedRecording | null {
  if (recording === null) return null;
  if (before?.recording === recording && isStillRight(before, facts)) return before;
  const { isRead, serverId, isTranscribed, liveText } = facts;
  if (!isRead) return null;
  if (liveText === 'useful' && !isTranscribed)
    return { recording, start: { kind: 'live', recording } };
  return serverId === null ? null : { recording, start: { kind: 'new', recordings: [serverId] } };
}

function isStillRight({ start }: AskedRecording, { serverId, liveText }: RecordingFacts): boolean {
  if (start.kind === 'new') return start.recordings[0] === serverId;
  return liveText !== 'useless' || serverId !== null;
}
