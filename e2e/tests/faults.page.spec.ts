import { expect, SLOW_UPLOAD, SPOKEN_BYTES, speed, test } from '../support/faults.ts';
import { until } from '../support/until.ts';

test('a transfer resumes after the page is killed', async ({ bench }) => {
  const { phone, stack } = bench;
  const journey = await bench.newSession();
  const size = (await stack.recorder.packets(journey.sessionId)).length;
  await stack.recorder.clock(speed.slow);
  await bench.openFiles();
  await phone.inFlight(journey.id, 'fetching', 15, 80);
  await phone.kill();

  // Bytes on the phone before it resumes: a part of the session, but a substantial one.
  await stack.recorder.faults({ refuseConnect: true });
  await bench.openFiles();
  await expect.poll(() => phone.row(journey.id)).toMatchObject({ state: 'fetching', paused: true });
  const fetched = await phone.fetchedBytes(journey.id);
  expect(fetched).toBeGreaterThan(size * 0.05);
  expect(fetched).toBeLessThan(size);
  expect(await bench.owner.recordings(journey.id)).toHaveLength(0);

  await stack.recorder.clock(speed.fast);
  await stack.recorder.faults({ refuseConnect: false });
  await bench.expectUndamaged(journey);
});

test('an upload resumes after the page is killed', async ({ bench }) => {
  const { phone } = bench;
  const journey = await bench.newSession();
  await bench.openFiles({ uploadBytes: SLOW_UPLOAD });
  await phone.inFlight(journey.id, 'uploading', 5, 80);
  await until('the server stores a part of it', () => bench.storedPart());
  await phone.kill();
  expect(await bench.owner.recordings(journey.id)).toHaveLength(0);

  await bench.openFiles();
  await bench.expectUndamaged(journey);
});

test('a transcription continues after the page is killed', async ({ bench }) => {
  const { phone, stack } = bench;
  const journey = await bench.newSession();
  await bench.openFiles();
  await phone.inFlight(journey.id, 'transcribing', 1, 99);
  const row = await bench.transcribing(journey);
  const { thaw } = await stack.freeze('worker');
  await phone.kill();
  // Still running after the page was gone: it could not have finished meanwhile.
  expect((await bench.owner.task(row.task?.id ?? '')).status).toBe(1);
  thaw();

  await bench.openFiles();
  await bench.expectUndamaged(journey);
});

test('a recording continues after the page is killed', async ({ bench }) => {
  const { phone, stack } = bench;
  await stack.recorder.clock(speed.recording);
  const app = await bench.openFiles();
  await expect(app.recordButton('idle')).toBeEnabled();
  await app.startRecording();
  const recorded = () => stack.recorder.status().then(({ session }) => session?.fileSize ?? 0);
  await expect.poll(recorded).toBeGreaterThan(SPOKEN_BYTES);
  // Normal speed is enough while the phone restarts.
  await stack.recorder.clock(1);
  await phone.kill();
  const atKill = await recorded();
  expect(atKill).toBeGreaterThan(0);
  const sessionId = (await stack.recorder.status()).session?.sessionId as number;

  const again = await bench.openFiles();
  await expect(again.recordButton('recording')).toBeVisible();
  const journey = await bench.journey(sessionId);
  await again.stopRecording();
  await stack.recorder.clock(speed.fast);
  expect((await stack.recorder.packets(sessionId)).length).toBeGreaterThan(atKill);
  await bench.expectUndamaged(journey);
});
