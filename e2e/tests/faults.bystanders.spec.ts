import { expect, SLOW_UPLOAD, SPOKEN_BYTES, speed, test } from '../support/faults.ts';
import { until } from '../support/until.ts';

/** Processes that a step does not need may die in the middle of it, and the step does not even pause. */

test('a transfer is not affected by a kill of API and worker', async ({ bench }) => {
  const { phone, stack } = bench;
  const journey = await bench.newSession();
  await stack.recorder.clock(speed.slow);
  await bench.openFiles();
  const before = await phone.inFlight(journey.id, 'fetching', 10, 50);
  await Promise.all([stack.kill('api'), stack.kill('worker')]);
  await phone.inFlight(journey.id, 'fetching', (before.percent ?? 0) + 1, 95);

  await stack.recorder.clock(speed.fast);
  await bench.apiAnswers();
  await bench.expectUndamaged(journey);
});

test('an upload is not affected by a kill of recorder and worker', async ({ bench }) => {
  const { phone, stack } = bench;
  const journey = await bench.newSession();
  await bench.openFiles({ uploadBytes: SLOW_UPLOAD });
  const before = await phone.inFlight(journey.id, 'uploading', 5, 50);
  await until('the server stores a part of it', () => bench.storedPart());
  await Promise.all([stack.kill('recorder'), stack.kill('worker')]);
  await phone.inFlight(journey.id, 'uploading', (before.percent ?? 0) + 1, 98);

  await bench.recorderAnswers();
  await bench.expectUndamaged(journey);
});

test('a transcription is not affected by a kill of the recorder', async ({ bench }) => {
  const { phone, stack } = bench;
  const journey = await bench.newSession();
  await bench.openFiles();
  await phone.inFlight(journey.id, 'transcribing', 1, 99);
  const row = await bench.transcribing(journey);
  const { thaw } = await stack.freeze('worker');
  await stack.kill('recorder');
  await bench.recorderAnswers();
  expect((await bench.owner.task(row.task?.id ?? '')).status).toBe(1);
  thaw();

  await bench.expectUndamaged(journey);
});

test('a recording is not affected by failures of radio, API and worker', async ({ bench }) => {
  const { stack } = bench;
  await stack.recorder.clock(speed.recording);
  const app = await bench.openFiles();
  await app.startRecording();
  const session = async () => (await stack.recorder.status()).session;
  await expect.poll(async () => (await session())?.fileSize ?? 0).toBeGreaterThan(SPOKEN_BYTES);
  await stack.recorder.clock(1);
  await stack.recorder.faults({ drop: true, refuseConnect: true });
  await Promise.all([stack.kill('api'), stack.kill('worker')]);
  await expect(app.page.getByTestId('connected')).not.toHaveAttribute('data-status', 'connected');
  const alone = await session();
  if (!alone) throw new Error('the recorder stopped recording');
  await expect.poll(async () => (await session())?.fileSize ?? 0).toBeGreaterThan(alone.fileSize);
  await stack.recorder.faults({ refuseConnect: false });
  await bench.apiAnswers();
  const journey = await bench.journey(alone.sessionId);

  await app.stopRecording();
  await stack.recorder.clock(speed.fast);
  await bench.expectUndamaged(journey);
});
