import { expect, SPOKEN_BYTES, speed, test } from '../support/faults.ts';

test('a transfer resumes after the recorder is killed', async ({ bench }) => {
  const { phone, stack } = bench;
  const journey = await bench.newSession();
  const size = (await stack.recorder.packets(journey.sessionId)).length;
  await stack.recorder.clock(speed.slow);
  await bench.openFiles();
  await phone.inFlight(journey.id, 'fetching', 15, 80);
  await stack.kill('recorder');
  // The phone has a part, and waits.
  await expect.poll(() => phone.row(journey.id)).toMatchObject({ state: 'fetching', paused: true });
  const fetched = await phone.fetchedBytes(journey.id);
  expect(fetched).toBeGreaterThan(size * 0.05);
  expect(fetched).toBeLessThan(size);

  await bench.recorderAnswers();
  await bench.expectUndamaged(journey);
});

test('a transfer resumes after the link is lost', async ({ bench }) => {
  const { phone, stack } = bench;
  const journey = await bench.newSession();
  const size = (await stack.recorder.packets(journey.sessionId)).length;
  await stack.recorder.clock(speed.slow);
  await bench.openFiles();
  await phone.inFlight(journey.id, 'fetching', 15, 60);
  // In the middle of a chunk; reconnecting is blocked until the test has read the phone's state.
  await stack.recorder.faults({ dropAfterBytes: 10_007, refuseConnect: true });
  await expect.poll(() => phone.row(journey.id)).toMatchObject({ state: 'fetching', paused: true });
  const fetched = await phone.fetchedBytes(journey.id);
  expect(fetched).toBeGreaterThan(size * 0.1);
  expect(fetched).toBeLessThan(size);

  await stack.recorder.clock(speed.fast);
  await stack.recorder.faults({ refuseConnect: false });
  await bench.expectUndamaged(journey);
});

test('a recording is saved up to a kill of the recorder', async ({ bench }) => {
  const { stack } = bench;
  await stack.recorder.clock(speed.recording);
  const app = await bench.openFiles();
  await app.startRecording();
  await expect
    .poll(async () => (await stack.recorder.status()).session?.fileSize ?? 0)
    .toBeGreaterThan(SPOKEN_BYTES);
  const sessionId = (await stack.recorder.status()).session?.sessionId as number;
  const durable = await stack.recorder.packets(sessionId);
  expect((await stack.recorder.status()).recording).toBe('recording');
  await stack.kill('recorder');
  await bench.recorderAnswers();

  // The audio up to the kill is a session like any other.
  const { sessions } = await stack.recorder.status();
  expect(sessions.find((each) => each.sessionId === sessionId)?.stillRecording).toBe(false);
  const packets = await stack.recorder.packets(sessionId);
  expect(packets.subarray(0, durable.length).equals(durable)).toBe(true);
  const journey = await bench.journey(sessionId);
  await stack.recorder.clock(speed.fast);
  await expect(app.recordButton('idle')).toBeVisible();
  await bench.expectUndamaged(journey);
});
