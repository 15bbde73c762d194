import { expect, SLOW_UPLOAD, test } from '../support/faults.ts';
import { until } from '../support/until.ts';

test('an upload resumes after the API is killed', async ({ bench }) => {
  const { phone, stack } = bench;
  const journey = await bench.newSession();
  const app = await bench.openFiles({ uploadBytes: SLOW_UPLOAD });
  await phone.inFlight(journey.id, 'uploading', 5, 80);
  await until('the server stores a part of it', () => bench.storedPart());
  await stack.kill('api');
  // The partly stored upload is still partial, and belongs to no recording.
  const part = await bench.storedPart();
  expect(part).toBeGreaterThan(0);
  expect(part).toBeLessThan((await app.storedFile(journey.id, 'ogg')).length);
  await phone.limitUpload(-1);

  await bench.apiAnswers();
  await bench.expectUndamaged(journey);
});

test('a transcription continues after the API is killed', async ({ bench }) => {
  const { phone, stack } = bench;
  const journey = await bench.newSession();
  const app = await bench.openFiles();
  await phone.inFlight(journey.id, 'transcribing', 1, 99);
  const row = await bench.transcribing(journey);
  // Suspended, so that the transcription stays unfinished while the API is down.
  const { thaw } = await stack.freeze('worker');
  await stack.kill('api');
  await expect(app.page.getByTestId('offline-note')).toBeVisible();
  expect(await phone.row(journey.id)).toMatchObject({ state: 'transcribing' });
  await bench.apiAnswers();
  expect((await bench.owner.task(row.task?.id ?? '')).status).toBe(1);
  thaw();

  await bench.expectUndamaged(journey);
});

test('another worker continues a transcription after a kill', async ({ bench }) => {
  const { phone, stack } = bench;
  const journey = await bench.newSession();
  await bench.openFiles();
  await phone.inFlight(journey.id, 'transcribing', 1, 99);
  const row = await bench.transcribing(journey);
  await stack.kill('worker');
  // The dead worker's task is taken over by the next, and its minutes are still reserved.
  expect((await bench.owner.task(row.task?.id ?? '')).status).toBe(1);
  expect((await bench.owner.minutes()).reserved).toBe(1);

  await bench.expectUndamaged(journey);
});
