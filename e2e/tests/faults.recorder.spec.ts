/** Kills the recorder or its link during each step that needs them. */
import { expect, SPEECH_BYTES, speed, test } from '../support/fault-bench.ts';

test('a transfer resumes after the recorder is killed', async ({ bench }) => {
  const { phone, stack } = bench;
  const testSession = await bench.addSession();
  const size = (await stack.recorder.readPackets(testSession.sessionId)).length;
  await stack.recorder.setSpeed(speed.slow);
  await bench.openFiles();
  await phone.waitForStep(testSession.id, 'fetching', 15, 80);
  await stack.kill('recorder');
  // The phone keeps the received part of the session and waits for the recorder.
  await expect
    .poll(() => phone.getRowState(testSession.id))
    .toMatchObject({ state: 'fetching', paused: true });
  const storedBytes = await phone.getStoredBytes(testSession.id);
  expect(storedBytes).toBeGreaterThan(size * 0.05);
  expect(storedBytes).toBeLessThan(size);

  await bench.waitForRecorder();
  await bench.expectIntact(testSession);
});

test('a transfer resumes after the link is lost', async ({ bench }) => {
  const { phone, stack } = bench;
  const testSession = await bench.addSession();
  const size = (await stack.recorder.readPackets(testSession.sessionId)).length;
  await stack.recorder.setSpeed(speed.slow);
  await bench.openFiles();
  await phone.waitForStep(testSession.id, 'fetching', 15, 60);
  // Break the link mid-chunk, and prevent reconnecting until the test has read the phone's state.
  await stack.recorder.setFaults({ dropAfterBytes: 10_007, refuseConnect: true });
  await expect
    .poll(() => phone.getRowState(testSession.id))
    .toMatchObject({ state: 'fetching', paused: true });
  const fetched = await phone.getStoredBytes(testSession.id);
  expect(fetched).toBeGreaterThan(size * 0.1);
  expect(fetched).toBeLessThan(size);

  await stack.recorder.setSpeed(speed.fast);
  await stack.recorder.setFaults({ refuseConnect: false });
  await bench.expectIntact(testSession);
});

test('a recording is saved up to the moment when the recorder is killed', async ({ bench }) => {
  const { stack } = bench;
  await stack.recorder.setSpeed(speed.recording);
  const app = await bench.openFiles();
  await app.startRecording();
  await expect
    .poll(async () => (await stack.recorder.getStatus()).session?.fileSize ?? 0)
    .toBeGreaterThan(SPEECH_BYTES);
  const sessionId = (await stack.recorder.getStatus()).session?.sessionId as number;
  const durablePackets = await stack.recorder.readPackets(sessionId);
  expect((await stack.recorder.getStatus()).recording).toBe('recording');
  await stack.kill('recorder');
  await bench.waitForRecorder();

  // The audio recorded before the kill is a regular session.
  const { sessions } = await stack.recorder.getStatus();
  expect(sessions.find((each) => each.sessionId === sessionId)?.stillRecording).toBe(false);
  const packets = await stack.recorder.readPackets(sessionId);
  expect(packets.subarray(0, durablePackets.length).equals(durablePackets)).toBe(true);
  const testSession = await bench.trackSession(sessionId);
  await stack.recorder.setSpeed(speed.fast);
  await expect(app.recordButton('idle')).toBeVisible();
  await bench.expectIntact(testSession);
});
