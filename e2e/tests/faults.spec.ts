/**
 * Kills processes, the page and the radio link during each step on a recording's way to its transcript. A step either
 * doesn't need what is killed and isn't interrupted, or resumes. Each recording survives several faults.
 */
import {
  type Bench,
  expect,
  SLOW_UPLOAD_BYTES_PER_SECOND,
  SPEECH_BYTES,
  speed,
  test,
} from '../support/fault-bench.ts';
import { waitUntil } from '../support/wait-until.ts';

// These tests restart the browser several times.
test.describe.configure({ timeout: 480_000 });

test('a transfer survives a lost link and kills of page, API, worker and recorder', async ({
  bench,
}) => {
  const { phone, stack } = bench;
  const testSession = await bench.addSession();
  const { id, sessionId } = testSession;
  const size = (await stack.recorder.readPackets(sessionId)).length;
  await stack.recorder.setSpeed(speed.slow);
  await bench.openFiles();

  /** Waits until the transfer is paused, and returns how many bytes are on the phone. */
  const waitForPause = async () => {
    await expect
      .poll(() => phone.getRowState(id))
      .toMatchObject({ state: 'fetching', paused: true });
    const storedBytes = await phone.getStoredBytes(id);
    expect(storedBytes).toBeLessThan(size);
    return storedBytes;
  };
  let storedBytes = 0;

  await test.step('it resumes after the link is lost', async () => {
    await phone.waitForStep(id, 'fetching', 15, 60);
    // Break the link mid-chunk, and prevent reconnecting until the test has read the phone's state.
    await stack.recorder.setFaults({ dropAfterBytes: 10_007, refuseConnect: true });
    storedBytes = await waitForPause();
    expect(storedBytes).toBeGreaterThan(size * 0.1);
    await stack.recorder.setFaults({ refuseConnect: false });
  });

  await test.step('it resumes after the page is killed', async () => {
    // Most of what the page has saved before it is killed must be from after the link was lost.
    const resumedAt = Math.round((storedBytes / size) * 100);
    const { percent } = await phone.waitForStep(id, 'fetching', resumedAt + 20, 95);
    await phone.kill();
    // Even before the transfer resumes, the phone has all that it had.
    await stack.recorder.setFaults({ refuseConnect: true });
    await bench.openFiles();
    const bytesAfterKill = await waitForPause();
    expect(bytesAfterKill).toBeGreaterThan((size * ((percent ?? 0) - 10)) / 100);
    storedBytes = bytesAfterKill;
    expect(await bench.owner.findRecordings(id)).toHaveLength(0);
    await stack.recorder.setFaults({ refuseConnect: false });
  });

  await test.step('it is not affected by killing the API and the worker', async () => {
    const before = await phone.waitForStep(id, 'fetching', 15, 97);
    await Promise.all([stack.kill('api'), stack.kill('worker')]);
    await phone.waitForStep(id, 'fetching', (before.percent ?? 0) + 1, 99);
  });

  await test.step('it resumes after the recorder is killed', async () => {
    await stack.kill('recorder');
    // The phone keeps the received part of the session and waits for the recorder.
    expect(await waitForPause()).toBeGreaterThanOrEqual(storedBytes);
    await bench.waitForRecorder();
  });

  await bench.waitForApi();
  await bench.expectIntact(testSession);
});

/**
 * Opens Files, and kills the page after the server has handled a call but before the page receives the response.
 * @param call the path of the call
 */
async function loseResponse({ phone }: Bench, call: string): Promise<void> {
  const app = await phone.start();
  const responseReceived = new Promise<unknown>((resolve, reject) => {
    // Let the server handle the call, but never forward its response to the page.
    const routing = app.page.route(`**/api/${call}`, (route) =>
      route.fetch().then((response) => response.json().then(resolve), reject),
    );
    routing.catch(reject);
  });
  await app.open('/pages/files');
  expect(await responseReceived).toMatchObject({ code: 0 });
  await phone.kill();
}

test('an upload survives kills of recorder, worker, API and page, and lost responses', async ({
  bench,
}) => {
  const { phone, stack } = bench;
  const testSession = await bench.addSession();
  const { id } = testSession;
  const app = await bench.openFiles({ uploadBytes: SLOW_UPLOAD_BYTES_PER_SECOND });
  const waitForPartialUpload = async (maxPercent: number) => {
    const row = await phone.waitForStep(id, 'uploading', 5, maxPercent);
    await waitUntil('the server has stored a part of the upload', () =>
      bench.getPartialUploadBytes(),
    );
    return row;
  };

  await test.step('it is not affected by killing the recorder and the worker', async () => {
    const before = await waitForPartialUpload(50);
    await Promise.all([stack.kill('recorder'), stack.kill('worker')]);
    await phone.waitForStep(id, 'uploading', (before.percent ?? 0) + 1, 98);
  });

  await test.step('it resumes after the API is killed', async () => {
    await stack.kill('api');
    // The upload is still incomplete after the kill.
    const partialBytes = await bench.getPartialUploadBytes();
    // Before the API accepts the retry.
    await bench.ignorePartialUploads();
    expect(partialBytes).toBeGreaterThan(0);
    expect(partialBytes).toBeLessThan((await app.readStoredFile(id, 'ogg')).length);
    await bench.waitForApi();
    await waitForPartialUpload(80);
    await bench.waitForRecorder();
  });

  await test.step('nothing is registered after the page is killed', async () => {
    await phone.kill();
    expect(await bench.owner.findRecordings(id)).toHaveLength(0);
  });

  // A retry after a lost response must neither create a second recording nor charge the minutes twice.
  await test.step('a retry after the response to upload/ossFile is lost has no side effects', async () => {
    await loseResponse(bench, 'upload/ossFile');
  });
  const [registered] = await bench.owner.findRecordings(id);
  expect(registered?.client_flag).toBe(id);
  expect(registered?.task).toBeNull();
  await test.step('a retry after the response to task/create is lost has no side effects', async () => {
    await loseResponse(bench, 'task/create');
  });
  const [transcribed] = await bench.owner.findRecordings(id);
  expect(transcribed?.id).toBe(registered?.id);
  expect(transcribed?.task).not.toBeNull();

  await bench.openFiles();
  await bench.expectIntact(testSession);
  const [after] = await bench.owner.findRecordings(id);
  expect(after?.id).toBe(registered?.id);
  expect(after?.task?.id).toBe(transcribed?.task?.id);
});

test('a transcription is not affected by killing page, API and recorder', async ({ bench }) => {
  const { phone, stack } = bench;
  const testSession = await bench.addSession();
  await bench.openFiles();
  const { taskId, thaw } = await bench.freezeTranscription(testSession);
  await Promise.all([phone.kill(), stack.kill('api'), stack.kill('recorder')]);
  await bench.waitForApi();
  await bench.waitForRecorder();
  // The worker is suspended, so the task is still running after the kills.
  expect((await bench.owner.getTask(taskId)).status).toBe(1);
  thaw();

  await bench.openFiles();
  await bench.expectIntact(testSession);
});

test('a page waits for the API during a transcription, and another worker continues after the worker is killed', async ({
  bench,
}) => {
  const { phone, stack } = bench;
  const testSession = await bench.addSession();
  const app = await bench.openFiles();
  // Suspend the worker so that the transcription can't finish while the API is down.
  const { taskId } = await bench.freezeTranscription(testSession);
  await stack.kill('api');
  await expect(app.page.getByTestId('offline-note')).toBeVisible();
  expect(await phone.getRowState(testSession.id)).toMatchObject({ state: 'transcribing' });
  await bench.waitForApi();
  await stack.kill('worker');
  // The next worker takes over the task, whose minutes are still reserved.
  expect((await bench.owner.getTask(taskId)).status).toBe(1);
  expect((await bench.owner.getMinutes()).reserved).toBe(1);

  await bench.expectIntact(testSession);
});

test('a recording continues without radio, API and worker, and after the page is killed', async ({
  bench,
}) => {
  const { phone, stack } = bench;
  await stack.recorder.setSpeed(speed.recording);
  const app = await bench.openFiles();
  await expect(app.recordButton('idle')).toBeEnabled();
  await app.startRecording();
  const getSession = async () => (await stack.recorder.getStatus()).session;
  const getRecordedBytes = async () => (await getSession())?.fileSize ?? 0;
  await expect.poll(getRecordedBytes).toBeGreaterThan(SPEECH_BYTES);
  // Continue at normal speed, so that the recording stays short.
  await stack.recorder.setSpeed(1);
  const sessionId = (await getSession())?.sessionId as number;

  await test.step('it is not affected by failures of radio, API and worker', async () => {
    await stack.recorder.setFaults({ drop: true, refuseConnect: true });
    await Promise.all([stack.kill('api'), stack.kill('worker')]);
    await expect(app.page.getByTestId('connected')).not.toHaveAttribute('data-status', 'connected');
    const disconnectedSession = await getSession();
    expect(disconnectedSession?.sessionId).toBe(sessionId);
    await expect
      .poll(getRecordedBytes)
      .toBeGreaterThan(disconnectedSession?.fileSize ?? Number.POSITIVE_INFINITY);
    await stack.recorder.setFaults({ refuseConnect: false });
    await bench.waitForApi();
    await expect(app.recordButton('recording')).toBeVisible();
  });

  await test.step('it continues after the page is killed', async () => {
    await phone.kill();
    const bytesAtKill = await getRecordedBytes();
    expect(bytesAtKill).toBeGreaterThan(0);
    const reopenedApp = await bench.openFiles();
    await expect(reopenedApp.recordButton('recording')).toBeVisible();
    expect((await getSession())?.sessionId).toBe(sessionId);
    const testSession = await bench.trackSession(sessionId);
    await reopenedApp.stopRecording();
    await stack.recorder.setSpeed(speed.fast);
    expect((await stack.recorder.readPackets(sessionId)).length).toBeGreaterThan(bytesAtKill);
    await bench.expectIntact(testSession);
  });
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
