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
  const journey = await bench.addSession();
  const size = (await stack.recorder.readPackets(journey.sessionId)).length;
  await stack.recorder.setSpeed(speed.slow);
  await bench.openFiles();
  await phone.waitForStep(journey.id, 'fetching', 15, 80);
  await phone.kill();

  // Bytes on the phone before it resumes: a part of the session, but a substantial one.
  await stack.recorder.setFaults({ refuseConnect: true });
  await bench.openFiles();
  await expect
    .poll(() => phone.getRowState(journey.id))
    .toMatchObject({ state: 'fetching', paused: true });
  const fetched = await phone.getFetchedBytes(journey.id);
  expect(fetched).toBeGreaterThan(size * 0.05);
  expect(fetched).toBeLessThan(size);
  expect(await bench.owner.findRecordings(journey.id)).toHaveLength(0);

  await stack.recorder.setSpeed(speed.fast);
  await stack.recorder.setFaults({ refuseConnect: false });
  await bench.expectIntact(journey);
});

test('an upload resumes after the page is killed', async ({ bench }) => {
  const { phone } = bench;
  const journey = await bench.addSession();
  await bench.openFiles({ uploadBytes: SLOW_UPLOAD_BYTES_PER_SECOND });
  await phone.waitForStep(journey.id, 'uploading', 5, 80);
  await waitUntil('the server stores a part of it', () => bench.getPartialUploadBytes());
  await phone.kill();
  expect(await bench.owner.findRecordings(journey.id)).toHaveLength(0);

  await bench.openFiles();
  await bench.expectIntact(journey);
});

test('a transcription continues after the page is killed', async ({ bench }) => {
  const { phone, stack } = bench;
  const journey = await bench.addSession();
  await bench.openFiles();
  await phone.waitForStep(journey.id, 'transcribing', 1, 99);
  const row = await bench.waitForTranscriptionProgress(journey);
  const { thaw } = await stack.freeze('worker');
  await phone.kill();
  // Still running after the page was gone: it could not have finished meanwhile.
  expect((await bench.owner.getTask(row.task?.id ?? '')).status).toBe(1);
  thaw();

  await bench.openFiles();
  await bench.expectIntact(journey);
});

test('a recording continues after the page is killed', async ({ bench }) => {
  const { phone, stack } = bench;
  await stack.recorder.setSpeed(speed.recording);
  const app = await bench.openFiles();
  await expect(app.recordButton('idle')).toBeEnabled();
  await app.startRecording();
  const recorded = () => stack.recorder.getStatus().then(({ session }) => session?.fileSize ?? 0);
  await expect.poll(recorded).toBeGreaterThan(SPEECH_BYTES);
  // Normal speed is enough while the phone restarts.
  await stack.recorder.setSpeed(1);
  await phone.kill();
  const atKill = await recorded();
  expect(atKill).toBeGreaterThan(0);
  const sessionId = (await stack.recorder.getStatus()).session?.sessionId as number;

  const again = await bench.openFiles();
  await expect(again.recordButton('recording')).toBeVisible();
  const journey = await bench.startJourney(sessionId);
  await again.stopRecording();
  await stack.recorder.setSpeed(speed.fast);
  expect((await stack.recorder.readPackets(sessionId)).length).toBeGreaterThan(atKill);
  await bench.expectIntact(journey);
});
