import type { ConversationStart } from '../../ports/questions.ts';

/** The recording that a conversation is about, and how the conversation starts. */
export type AskedRecording = {
  readonly recording: string;
  readonly start: Exclude<ConversationStart, { kind: 'thread' }>;
};

/** The properties of a recording that determine how a conversation about it starts. */
export type RecordingFacts = {
  /** False until the recording has been read from the device's database. */
  readonly isRead: boolean;
  /** The recording's ID on the server, or null. */
  readonly serverId: string | null;
  readonly isTranscribed: boolean;
  /** The state of its live text. `empty`: live text stopped before the first words. */
  readonly liveText: 'none' | 'usable' | 'empty';
};

/**
 * Returns how to start a conversation about a recording, or null if that isn't possible yet. A conversation about live
 * text continues when the recording is uploaded or transcribed; otherwise, a pending question would be lost. The server
 * then answers from the transcript.
 * @param previous the previous result, which is returned if it is still valid
 * @param recording the recording's ID on this device, or null for a conversation about all recordings
 */
export function askedRecording(
  previous: AskedRecording | null,
  recording: string | null,
  facts: RecordingFacts,
): AskedRecording | null {
  if (recording === null) return null;
  if (previous?.recording === recording && isStillValid(previous, facts)) return previous;
  const { isRead, serverId, isTranscribed, liveText } = facts;
  if (!isRead) return null;
  if (liveText === 'usable' && !isTranscribed)
    return { recording, start: { kind: 'live', recording } };
  return serverId === null ? null : { recording, start: { kind: 'new', recordings: [serverId] } };
}

function isStillValid({ start }: AskedRecording, { serverId, liveText }: RecordingFacts): boolean {
  if (start.kind === 'new') return start.recordings[0] === serverId;
  return liveText !== 'empty' || serverId !== null;
}
