import type { Recorder, RecorderActivity } from '../recorder.ts';

/** A recorder under test. */
export type RecorderHarness = {
  /** The test runner's interface. */
  test(name: string, run: () => Promise<void>): void;
  /** Opens an idle recorder whose microphone picks up sound. */
  open(): Promise<Recorder<unknown>>;
};

/** Resolves once the recorder reaches the requested state. */
function waitForActivity(
  { activity }: Recorder<unknown>,
  matches: (activity: RecorderActivity) => boolean,
): Promise<RecorderActivity> {
  return new Promise((resolve) => {
    const check = () => {
      const now = activity.get();
      if (!matches(now)) return false;
      unsubscribe();
      resolve(now);
      return true;
    };
    let unsubscribe = () => {};
    unsubscribe = activity.subscribe(check);
    check();
  });
}

function ensure(condition: boolean, description: string): void {
  if (!condition) throw new Error(`expected: ${description}`);
}

/** Tests that a {@link Recorder} fulfills its contract. */
export function recorderContract({ test, open }: RecorderHarness): void {
  const isRecording = ({ state }: RecorderActivity) => state === 'recording';

  test('reports the recording it was told to start, and becomes idle once stopped', async () => {
    const recorder = await open();
    const outcome = await recorder.start({ mode: 'normal', scene: 'meeting' });
    ensure(outcome.ok, 'the recording starts');
    const now = await waitForActivity(recorder, isRecording);
    if (now.state !== 'recording') return;
    const { mode, scene, pausedAt, lostAt } = now.running;
    ensure(mode === 'normal' && scene === 'meeting', 'mode and scene are those of the command');
    ensure(pausedAt === null && lostAt === null, 'the recording is neither paused nor lost');
    ensure((await recorder.stop()).ok, 'the recording stops');
    await waitForActivity(recorder, ({ state }) => state === 'idle');
  });

  test('reports audio levels while recording', async () => {
    const recorder = await open();
    await recorder.start({ mode: 'normal', scene: 'note' });
    await new Promise<void>((resolve) => {
      const unsubscribe = recorder.audioLevels.subscribe(() => {
        const { levels, levelCount } = recorder.audioLevels.get();
        if (levelCount < 5) return;
        ensure(
          levels.every((level) => level >= 0 && level <= 1),
          'levels are between 0 and 1',
        );
        unsubscribe();
        resolve();
      });
    });
    await recorder.stop();
  });

  test('pauses and resumes if it can', async () => {
    const recorder = await open();
    await recorder.start({ mode: 'normal', scene: 'note' });
    await waitForActivity(recorder, isRecording);
    if (recorder.capabilities.pauses) {
      ensure((await recorder.pause()).ok, 'the recording is paused');
      await waitForActivity(
        recorder,
        (now) => now.state === 'recording' && now.running.pausedAt !== null,
      );
      ensure((await recorder.resume()).ok, 'the recording is resumed');
      await waitForActivity(
        recorder,
        (now) => now.state === 'recording' && now.running.pausedAt === null,
      );
    }
    await recorder.stop();
    await waitForActivity(recorder, ({ state }) => state === 'idle');
  });

  test('records in each of its scenes on command, and shares audio only in calls', async () => {
    const recorder = await open();
    const { recordsOnCommand, modes, scenes, supportsSharedAudio } = recorder.capabilities;
    if (!recordsOnCommand) return;
    ensure(modes.length > 0 && scenes.length > 0, 'it offers modes and scenes');
    ensure(!supportsSharedAudio || scenes.includes('call'), 'it offers calls if it shares audio');
    for (const scene of scenes) {
      await recorder.start({ mode: modes[0] ?? 'normal', scene });
      const now = await waitForActivity(recorder, isRecording);
      if (now.state !== 'recording') return;
      ensure(now.running.scene === scene, `the scene is ${scene}`);
      const isShared = supportsSharedAudio && scene === 'call';
      ensure(now.running.sharing === (isShared ? 'active' : 'none'), 'audio is shared in a call');
      await recorder.stop();
      await waitForActivity(recorder, ({ state }) => state === 'idle');
    }
  });

  test('ignores stop() while idle', async () => {
    const recorder = await open();
    await recorder.stop();
    ensure(recorder.activity.get().state === 'idle', 'the recorder remains idle');
  });
}
