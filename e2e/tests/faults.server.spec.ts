/** Kills server processes during each step that needs them. */
import { expect, SLOW_UPLOAD_BYTES_PER_SECOND, test } from '../support/fault-bench.ts';
import { waitUntil } from '../support/wait-until.ts';

test.use({ serviceWorkers: 'allow' });

test('an upload resumes after the API is killed', async ({ bench }) => {
  const { phone, stack } = bench;
  const testSession = await bench.addSession();
  const app = await bench.openFiles({ uploadBytes: SLOW_UPLOAD_BYTES_PER_SECOND });
  await phone.waitForStep(testSession.id, 'uploading', 5, 80);
  await waitUntil('the server has stored a part of the upload', () =>
    bench.getPartialUploadBytes(),
  );
  await stack.kill('api');
  // The upload is still incomplete after the kill.
  const partialBytes = await bench.getPartialUploadBytes();
  expect(partialBytes).toBeGreaterThan(0);
  expect(partialBytes).toBeLessThan((await app.readStoredFile(testSession.id, 'ogg')).length);
  await phone.limitUpload(-1);

  await bench.waitForApi();
  await bench.expectIntact(testSession);
});

test('a transcription continues after the API is killed', async ({ bench }) => {
  const { phone, stack } = bench;
  const testSession = await bench.addSession();
  const app = await bench.openFiles();
  // Suspend the worker so that the transcription can't finish while the API is down.
  const { taskId, thaw } = await bench.freezeTranscription(testSession);
  await stack.kill('api');
  await expect(app.page.getByTestId('offline-note')).toBeVisible();
  expect(await phone.getRowState(testSession.id)).toMatchObject({ state: 'transcribing' });
  await bench.waitForApi();
  expect((await bench.owner.getTask(taskId)).status).toBe(1);
  thaw();

  await bench.expectIntact(testSession);
});

test('another worker continues a transcription after the worker is killed', async ({ bench }) => {
  const { stack } = bench;
  const testSession = await bench.addSession();
  await bench.openFiles();
  const { taskId } = await bench.freezeTranscription(testSession);
  await stack.kill('worker');
  // The next worker takes over the task, whose minutes are still reserved.
  expect((await bench.owner.getTask(taskId)).status).toBe(1);
  expect((await bench.owner.getMinutes()).reserved).toBe(1);

  await bench.expectIntact(testSession);
});
