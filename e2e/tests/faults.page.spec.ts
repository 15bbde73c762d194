/** Kills the page during each step on a recording's way to its transcript. */
import {
  expect,
  SLOW_UPLOAD_BYTES_PER_SECOND,
  SPEECH_BYTES,
  speed,
  test,
} from '../support/fault-bench.ts';
import { waitUntil } from '../support/wait-until.ts';

test('a transfer resumes after the page is killed', async ({ bench }) => {
  const { phone, stack } = bench;
  const testSession = await bench.addSession();
  const size = (await stack.recorder.readPackets(testSession.sessionId)).length;
  await stack.recorder.setSpeed(speed.slow);
  await bench.openFiles();
  await phone.waitForStep(testSession.id, 'fetching', 15, 80);
  await phone.kill();

  // Even before the transfer resumes, the phone has a substantial part of the session.
  await stack.recorder.setFaults({ refuseConnect: true });
  await bench.openFiles();
  await expect
    .poll(() => phone.getRowState(testSession.id))
    .toMatchObject({ state: 'fetching', paused: true });
  const storedBytes = await phone.getStoredBytes(testSession.id);
  expect(storedBytes).toBeGreaterThan(size * 0.05);
  expect(storedBytes).toBeLessThan(size);
  expect(await bench.owner.findRecordings(testSession.id)).toHaveLength(0);

  await stack.recorder.setSpeed(speed.fast);
  await stack.recorder.setFaults({ refuseConnect: false });
  await bench.expectIntact(testSession);
});

test('an upload resumes after the page is killed', async ({ bench }) => {
  const { phone } = bench;
  const testSession = await bench.addSession();
  await bench.openFiles({ uploadBytes: SLOW_UPLOAD_BYTES_PER_SECOND });
  await phone.waitForStep(testSession.id, 'uploading', 5, 80);
  await waitUntil('the server has stored a part of the upload', () =>
    bench.getPartialUploadBytes(),
  );
  await phone.kill();
  expect(await bench.owner.findRecordings(testSession.id)).toHaveLength(0);

  await bench.openFiles();
  await bench.expectIntact(testSession);
});

test('a transcription continues after the page is killed', async ({ bench }) => {
  const { phone } = bench;
  const testSession = await bench.addSession();
  await bench.openFiles();
  const { taskId, thaw } = await bench.freezeTranscription(testSession);
  await phone.kill();
  // The worker is suspended, so the task is still running after the page was killed.
  expect((await bench.owner.getTask(taskId)).status).toBe(1);
  thaw();

  await bench.openFiles();
  await bench.expectIntact(testSession);
});

test('a recording continues after the page is killed', async ({ bench }) => {
  const { phone, stack } = bench;
  await stack.recorder.setSpeed(speed.recording);
  const app = await bench.openFiles();
  await expect(app.recordButton('idle')).toBeEnabled();
  await app.startRecording();
  const getRecordedBytes = () =>
    stack.recorder.getStatus().then(({ session }) => session?.fileSize ?? 0);
  await expect.poll(getRecordedBytes).toBeGreaterThan(SPEECH_BYTES);
  // Continue at normal speed while the phone restarts.
  await stack.recorder.setSpeed(1);
  await phone.kill();
  const bytesAtKill = await getRecordedBytes();
  expect(bytesAtKill).toBeGreaterThan(0);
  const sessionId = (await stack.recorder.getStatus()).session?.sessionId as number;

  const reopenedApp = await bench.openFiles();
  await expect(reopenedApp.recordButton('recording')).toBeVisible();
  const testSession = await bench.trackSession(sessionId);
  await reopenedApp.stopRecording();
  await stack.recorder.setSpeed(speed.fast);
  expect((await stack.recorder.readPackets(sessionId)).length).toBeGreaterThan(bytesAtKill);
  await bench.expectIntact(testSession);
});
