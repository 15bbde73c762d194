import { describe, expect, it } from 'vitest';
import { type AskedRecording, askedRecording, type RecordingFacts } from './asked-recording.ts';

const unread: RecordingFacts = {
  ...{ isRead: false, serverId: null, isTranscribed: false, liveText: 'none' },
};
const local: RecordingFacts = { ...unread, isRead: true };
const inProgress: RecordingFacts = { ...local, liveText: 'usable' };
const uploaded: RecordingFacts = { ...inProgress, serverId: 's1' };
const transcribed: RecordingFacts = { ...uploaded, isTranscribed: true };

/** Returns the results for changing facts about one recording. */
function follow(...facts: readonly RecordingFacts[]): (AskedRecording | null)[] {
  const results: (AskedRecording | null)[] = [];
  for (const each of facts) results.push(askedRecording(results.at(-1) ?? null, 'r1', each));
  return results;
}

const live = { recording: 'r1', start: { kind: 'live', recording: 'r1' } };
const newQuestion = { recording: 'r1', start: { kind: 'new', recordings: ['s1'] } };

describe('the start of a conversation about a recording', () => {
  it('is the live text while there is no transcript, then the recording', () => {
    expect(follow(inProgress)).toEqual([live]);
    expect(follow(uploaded)).toEqual([live]);
    expect(follow(transcribed)).toEqual([newQuestion]);
    expect(follow({ ...uploaded, liveText: 'none' })).toEqual([newQuestion]);
  });

  it('is unknown until the recording has been read, and while it is only on this device', () => {
    expect(follow({ ...transcribed, isRead: false, isTranscribed: false })).toEqual([null]);
    expect(follow(unread, local, inProgress)).toEqual([null, null, live]);
    expect(askedRecording(null, null, transcribed)).toBeNull();
  });

  it('stays the same object while the recording is uploaded and transcribed', () => {
    const [first, ...later] = follow(
      ...[inProgress, uploaded, transcribed],
      { ...transcribed, liveText: 'none' },
      unread,
    );
    expect(first).toEqual(live);
    for (const each of later) expect(each).toBe(first);
  });

  it('becomes unknown if live text stops before the first words, unless the recording is uploaded', () => {
    expect(follow(inProgress, { ...inProgress, liveText: 'empty' })).toEqual([live, null]);
    expect(follow(inProgress, { ...uploaded, liveText: 'empty' })).toEqual([live, live]);
  });

  it('does not change to live text that arrives later', () => {
    const [first, second] = follow({ ...uploaded, liveText: 'none' }, uploaded);
    expect(first).toEqual(newQuestion);
    expect(second).toBe(first);
  });

  it('follows the page to another recording, and becomes unknown when the recording is deleted', () => {
    const before = askedRecording(null, 'r1', inProgress);
    expect(askedRecording(before, 'r2', { ...transcribed, serverId: 's2' })).toEqual({
      ...{ recording: 'r2', start: { kind: 'new', recordings: ['s2'] } },
    });
    expect(follow(transcribed, local)).toEqual([newQuestion, null]);
  });
});
