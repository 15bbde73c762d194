/** Kills processes that a step doesn't need, and asserts that the step isn't interrupted. */
import {
  expect,
  SLOW_UPLOAD_BYTES_PER_SECOND,
  SPEECH_BYTES,
  speed,
  test,
} from '../support/fault-bench.ts';
import { waitUntil } from '../support/wait-until.ts';

test('a transfer is not affected by killing the API and the worker', async ({ bench }) => {
  const { phone, stack } = bench;
  const testSession = await bench.addSession();
  await stack.recorder.setSpeed(speed.slow);
  await bench.openFiles();
  const before = await phone.waitForStep(testSession.id, 'fetching', 10, 50);
  await Promise.all([stack.kill('api'), stack.kill('worker')]);
  await phone.waitForStep(testSession.id, 'fetching', (before.percent ?? 0) + 1, 95);

  await stack.recorder.setSpeed(speed.fast);
  await bench.waitForApi();
  await bench.expectIntact(testSession);
});

test('an upload is not affected by killing the recorder and the worker', async ({ bench }) => {
  const { phone, stack } = bench;
  const testSession = await bench.addSession();
  await bench.openFiles({ uploadBytes: SLOW_UPLOAD_BYTES_PER_SECOND });
  const before = await phone.waitForStep(testSession.id, 'uploading', 5, 50);
  await waitUntil('the server has stored a part of the upload', () =>
    bench.getPartialUploadBytes(),
  );
  await Promise.all([stack.kill('recorder'), stack.kill('worker')]);
  await phone.waitForStep(testSession.id, 'uploading', (before.percent ?? 0) + 1, 98);

  await bench.waitForRecorder();
  await bench.expectIntact(testSession);
});

test('a transcription is not affected by killing the recorder', async ({ bench }) => {
  const { stack } = bench;
  const testSession = await bench.addSession();
  await bench.openFiles();
  const { taskId, thaw } = await bench.freezeTranscription(testSession);
  await stack.kill('recorder');
  await bench.waitForRecorder();
  expect((await bench.owner.getTask(taskId)).status).toBe(1);
  thaw();

  await bench.expectIntact(testSession);
});

test('a recording is not affected by failures of radio, API and worker', async ({ bench }) => {
  const { stack } = bench;
  await stack.recorder.setSpeed(speed.recording);
  const app = await bench.openFiles();
  await app.startRecording();
  const getSession = async () => (await stack.recorder.getStatus()).session;
  await expect.poll(async () => (await getSession())?.fileSize ?? 0).toBeGreaterThan(SPEECH_BYTES);
  await stack.recorder.setSpeed(1);
  await stack.recorder.setFaults({ drop: true, refuseConnect: true });
  await Promise.all([stack.kill('api'), stack.kill('worker')]);
  await expect(app.page.getByTestId('connected')).not.toHaveAttribute('data-status', 'connected');
  const disconnectedSession = await getSession();
  if (!disconnectedSession) throw new Error('the recorder stopped recording');
  await expect
    .poll(async () => (await getSession())?.fileSize ?? 0)
    .toBeGreaterThan(disconnectedSession.fileSize);
  await stack.recorder.setFaults({ refuseConnect: false });
  await bench.waitForApi();
  const testSession = await bench.trackSession(disconnectedSession.sessionId);

  await app.stopRecording();
  await stack.recorder.setSpeed(speed.fast);
  await bench.expectIntact(testSession);
});
