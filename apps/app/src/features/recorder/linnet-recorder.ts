/** Implements {@link Recorder} for a bound recorder, over the link to it. */
import { writable } from '@linnet/base';
import { type Recorder, type RecorderActivity, recorderCapabilities } from '@linnet/recorders';
import type { LinkState, RecorderFailure, RecorderService } from '../../ports/recorder.ts';

type LinnetService = Pick<
  RecorderService,
  'link' | 'audioLevels' | 'startRecording' | 'stopRecording' | 'pauseRecording' | 'resumeRecording'
>;

const disconnected: RecorderActivity = { state: 'disconnected' };

/** Derives the activity from the link. A recorder keeps recording when the connection is lost. */
function toActivity(before: RecorderActivity, link: LinkState, now: number): RecorderActivity {
  if (link.status === 'connected') {
    const { recording } = link.recorder;
    if (recording.state !== 'recording') return { state: recording.state };
    const { mode, scene, startedAt, pausedAt } = recording;
    return {
      state: 'recording',
      running: {
        mode,
        scene,
        startedAt,
        pausedAt,
        lostAt: null,
        isSilent: false,
        sharing: 'none',
      },
    };
  }
  const isClosed = link.status === 'none' || (link.status === 'idle' && link.reason === 'closed');
  if (isClosed || before.state !== 'recording') return disconnected;
  const { running } = before;
  return running.lostAt === null
    ? { state: 'recording', running: { ...running, lostAt: now } }
    : before;
}

/** @param now returns the current time in milliseconds since 1970 */
export function createLinnetRecorder(
  recorder: LinnetService,
  now: () => number,
): Recorder<RecorderFailure> {
  const activity = writable(disconnected);
  // Capabilities of the last connected recorder, which keeps recording while it is out of range.
  let capabilities = recorderCapabilities.linnet;
  const update = () => {
    const link = recorder.link.get();
    if (link.status === 'connected') capabilities = link.recorder.capabilities;
    activity.set(toActivity(activity.get(), link, now()));
  };
  update();
  recorder.link.subscribe(update);
  return {
    kind: 'linnet',
    get capabilities() {
      return capabilities;
    },
    activity,
    audioLevels: recorder.audioLevels,
    start: recorder.startRecording,
    stop: recorder.stopRecording,
    pause: recorder.pauseRecording,
    resume: recorder.resumeRecording,
    // The recorder keeps recording without the app.
    continue: async () => ({ ok: true, data: null }),
  };
}
