import { beforeEach, describe, expect, test } from 'vitest';
import { type AnyRequest, encodeStream } from '../codec/index.ts';
import { DeviceError, openRecorderSession, type RecorderSession } from './index.ts';
import { flushTasks, ManualClock, ScriptedRecorder } from './scripted-recorder.ts';

const SHA256 = Uint8Array.from({ length: 32 }, (_, index) => index);
let clock: ManualClock;
let recorder: ScriptedRecorder;
let session: RecorderSession;
/** The sequence of the last `syncFile` request. */
let stream: number;
/** The first chunk of each `syncFile` request. */
let requestedChunks: number[];

/** Returns a chunk's data: its index, repeated. */
const chunkData = (index: number, size = 1600) => new Uint8Array(size).fill(index);
const encodeChunk = (index: number, size = 1600) =>
  encodeStream('chunk', { chunkIndex: index, data: chunkData(index, size) }, stream);
const encodeEnd = (fileSize: number) => encodeStream('end', { fileSize, sha256: SHA256 }, stream);

/** Sends the chunks from `from` up to, but not including, `to`. */
function sendChunks(from: number, to: number): void {
  for (let index = from; index < to; index++) recorder.send(encodeChunk(index));
}

function respondToSync(request: AnyRequest, sequence: number, onStream: (from: number) => void) {
  if (request.name === 'syncStop') return {};
  if (request.name !== 'syncFile') return undefined;
  stream = sequence;
  requestedChunks.push(request.value.fromChunk);
  const { fromChunk } = request.value;
  queueMicrotask(() => onStream(fromChunk));
  return { fileSize: 1600, stillRecording: false };
}

/** Makes the recorder respond to `syncFile` and then call `onStream`. */
function onSync(onStream: (from: number) => void): void {
  recorder.respond = (request, sequence) => respondToSync(request, sequence, onStream);
}

beforeEach(async () => {
  clock = new ManualClock();
  recorder = new ScriptedRecorder(clock);
  requestedChunks = [];
  const opening = openRecorderSession(recorder, { clock });
  await clock.advance(1000);
  session = await opening;
});

async function settle(action: Promise<unknown>, ms: number): Promise<unknown> {
  const ended = action.catch((error: unknown) =>
    error instanceof DeviceError ? error.code : error,
  );
  await clock.advance(ms);
  return ended;
}

function createCollector() {
  const chunks: [number, number][] = [];
  return {
    chunks,
    onChunk: async (index: number, bytes: Uint8Array) => {
      expect(bytes.every((byte) => byte === index % 256)).toBe(true);
      chunks.push([index, bytes.length]);
    },
  };
}

test('passes chunks in order and returns the digest', async () => {
  onSync(() => {
    sendChunks(0, 3);
    recorder.send(encodeChunk(3, 480));
    recorder.send(encodeEnd(3 * 1600 + 480));
  });
  const { chunks, onChunk } = createCollector();
  const read = await settle(session.readSession(9, 0, { onChunk }), 300);
  expect(read).toEqual({ fileSize: 5280, sha256: SHA256 });
  expect(chunks).toEqual([
    [0, 1600],
    [1, 1600],
    [2, 1600],
    [3, 480],
  ]);
  expect(recorder.requests.at(-1)).toMatchObject({
    value: { sessionId: 9, fromChunk: 0, window: 64 },
  });
  expect(recorder.acknowledgements.map(({ nextChunk }) => nextChunk)).toEqual([4]);
});

test('receives no chunk if the phone already has all chunks', async () => {
  onSync(() => recorder.send(encodeEnd(3200)));
  const { chunks, onChunk } = createCollector();
  const read = await settle(session.readSession(9, 2, { onChunk }), 300);
  expect(read).toMatchObject({ fileSize: 3200 });
  expect(chunks).toEqual([]);
});

test('stores chunks one at a time and acknowledges only stored chunks', async () => {
  onSync(() => sendChunks(0, 64));
  const stored: (() => void)[] = [];
  const reading = session.readSession(9, 0, {
    onChunk: () => new Promise((resolve) => stored.push(resolve)),
  });
  await clock.advance(300);
  expect(stored).toHaveLength(1);
  for (let index = 0; index < 16; index++) {
    expect(recorder.acknowledgements).toEqual([]);
    stored[index]?.();
    await flushTasks();
  }
  expect(recorder.acknowledgements.map(({ nextChunk }) => nextChunk)).toEqual([16]);
  expect(stored).toHaveLength(17);
  recorder.disconnect('link_lost');
  stored[16]?.();
  expect(await settle(reading, 0)).toBe('link_lost');
});

test('stores and acknowledges all chunks before a missing chunk', async () => {
  const passes = [
    () => {
      sendChunks(0, 20);
      recorder.send(encodeChunk(21));
    },
    () => {
      sendChunks(20, 22);
      recorder.send(encodeEnd(22 * 1600));
    },
  ];
  onSync(() => passes.shift()?.());
  const { chunks, onChunk } = createCollector();
  const read = await settle(session.readSession(9, 0, { onChunk }), 1000);
  expect(read).toMatchObject({ fileSize: 22 * 1600 });
  expect(requestedChunks).toEqual([0, 20]);
  expect(chunks.map(([index]) => index)).toEqual(Array.from({ length: 22 }, (_, index) => index));
  expect(recorder.acknowledgements.map(({ nextChunk }) => nextChunk)).toEqual([16, 22]);
});

test('sends acknowledgements without delay and without waiting for a response', async () => {
  onSync(() => sendChunks(0, 64));
  const { onChunk } = createCollector();
  const reading = session.readSession(9, 0, { onChunk });
  await clock.advance(300);
  expect(recorder.acknowledgements.map(({ nextChunk }) => nextChunk)).toEqual([16, 32, 48, 64]);
  const requestedAt = recorder.requests.at(-1)?.at;
  expect(recorder.acknowledgements.every(({ at }) => at === requestedAt)).toBe(true);
  expect(recorder.writes.slice(-4).every(({ withResponse }) => !withResponse)).toBe(true);
  recorder.send(encodeEnd(64 * 1600));
  expect(await settle(reading, 0)).toMatchObject({ fileSize: 64 * 1600 });
});

test('sends an acknowledgement before a delayed command', async () => {
  onSync(() => sendChunks(0, 15));
  const { onChunk } = createCollector();
  const reading = session.readSession(9, 0, { onChunk });
  await clock.advance(50);
  const stopping = session.stopRecording();
  stopping.catch(() => undefined);
  await clock.advance(100);
  recorder.send(encodeChunk(15));
  await flushTasks();
  expect(recorder.acknowledgements).toHaveLength(1);
  expect(recorder.requests.at(-1)?.name).toBe('syncFile');
  recorder.send(encodeEnd(16 * 1600));
  await settle(reading, 200);
  expect(recorder.requests.at(-1)?.name).toBe('recordEnd');
  recorder.disconnect('link_lost');
});

describe('transmission errors', () => {
  test('requests a missing chunk after storing the previous ones', async () => {
    let passCount = 0;
    onSync((from) => {
      passCount += 1;
      if (passCount === 1) {
        sendChunks(0, 3);
        const damagedChunk = encodeChunk(3);
        damagedChunk[500] = 0xff;
        recorder.send(damagedChunk);
        sendChunks(4, 8);
      } else {
        sendChunks(from, 8);
        recorder.send(encodeEnd(8 * 1600));
      }
    });
    const { chunks, onChunk } = createCollector();
    expect(await settle(session.readSession(9, 0, { onChunk }), 1000)).toMatchObject({
      fileSize: 8 * 1600,
    });
    expect(requestedChunks).toEqual([0, 3]);
    expect(chunks.map(([index]) => index)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  test('requests the missing end of a session after some silence', async () => {
    onSync((from) => {
      if (from === 0) sendChunks(0, 5);
      else recorder.send(encodeEnd(5 * 1600));
    });
    const { onChunk } = createCollector();
    expect(await settle(session.readSession(9, 0, { onChunk }), 5000)).toMatchObject({
      fileSize: 8000,
    });
    expect(requestedChunks).toEqual([0, 5]);
  });

  test('fails after three restarts of a silent stream', async () => {
    onSync(() => undefined);
    const { onChunk } = createCollector();
    expect(await settle(session.readSession(9, 0, { onChunk }), 30_000)).toBe('stream_silent');
    expect(requestedChunks).toEqual([0, 0, 0, 0]);
  });

  test('times out without restarts if the recorder doesn’t respond', async () => {
    onSync(() => {
      recorder.respond = () => undefined;
    });
    const { onChunk } = createCollector();
    expect(await settle(session.readSession(9, 0, { onChunk }), 30_000)).toBe('timeout');
    expect(requestedChunks).toEqual([0]);
  });

  test('doesn’t count silence while chunks are being stored', async () => {
    onSync(() => recorder.send(encodeChunk(0)));
    let stored = () => {};
    const reading = session.readSession(9, 0, {
      onChunk: () =>
        new Promise((resolve) => {
          stored = resolve;
        }),
    });
    await clock.advance(60_000);
    expect(requestedChunks).toEqual([0]);
    stored();
    await flushTasks();
    recorder.send(encodeEnd(1600));
    expect(await settle(reading, 0)).toMatchObject({ fileSize: 1600 });
  });

  test('skips duplicate chunks and parts of an earlier stream', async () => {
    onSync(() => {
      const [current, old] = [stream, stream - 1];
      stream = old;
      recorder.send(encodeChunk(0, 160));
      recorder.send(encodeEnd(160));
      stream = current;
      recorder.send(encodeChunk(0));
      recorder.send(encodeChunk(0));
      recorder.send(encodeChunk(1));
      recorder.send(encodeEnd(3200));
    });
    const { chunks, onChunk } = createCollector();
    expect(await settle(session.readSession(9, 0, { onChunk }), 300)).toMatchObject({
      fileSize: 3200,
    });
    expect(chunks).toEqual([
      [0, 1600],
      [1, 1600],
    ]);
  });

  test.each([
    ['a chunk with an incomplete packet', () => recorder.send(encodeChunk(0, 100))],
    ['an empty chunk', () => recorder.send(encodeChunk(0, 0))],
    [
      'a chunk after a short chunk',
      () => {
        recorder.send(encodeChunk(0, 160));
        recorder.send(encodeChunk(1));
      },
    ],
  ])('rejects %s as malformed', async (_, send) => {
    onSync(send);
    const { onChunk } = createCollector();
    expect(await settle(session.readSession(9, 0, { onChunk }), 1000)).toBe('reply_malformed');
  });

  test.each([1600, 8000])(
    'reports length_differs if the end states %d instead of 4800 bytes',
    async (fileSize) => {
      onSync(() => {
        sendChunks(0, 3);
        recorder.send(encodeEnd(fileSize));
      });
      const { chunks, onChunk } = createCollector();
      const reading = session.readSession(9, 0, { onChunk });
      expect(await settle(reading, 10_000)).toBe('length_differs');
      expect(chunks).toHaveLength(3);
    },
  );
});

describe('ending a transfer early', () => {
  test('stops the recorder on abort and passes no more chunks to the caller', async () => {
    onSync(() => sendChunks(0, 5));
    const controller = new AbortController();
    const { chunks, onChunk } = createCollector();
    const reading = session.readSession(9, 0, { onChunk, signal: controller.signal });
    await clock.advance(300);
    controller.abort();
    recorder.send(encodeChunk(5));
    expect(await settle(reading, 1000)).toBe('aborted');
    expect(recorder.requests.at(-1)?.name).toBe('syncStop');
    expect(chunks).toHaveLength(5);
  });

  test('sends no request if the signal is already aborted', async () => {
    const before = recorder.requests.length;
    const { onChunk } = createCollector();
    const signal = AbortSignal.abort();
    expect(await settle(session.readSession(9, 0, { onChunk, signal }), 300)).toBe('aborted');
    expect(recorder.requests.length).toBe(before);
  });

  test('rejects with the error from onChunk', async () => {
    onSync(() => sendChunks(0, 5));
    const diskFull = new Error('disk full');
    const onChunk = async (index: number) => {
      if (index === 2) throw diskFull;
    };
    expect(await settle(session.readSession(9, 0, { onChunk }), 1000)).toBe(diskFull);
    expect(recorder.requests.at(-1)?.name).toBe('syncStop');
    expect(recorder.acknowledgements).toEqual([]);
  });

  test("rejects with the code of the recorder's refusal", async () => {
    recorder.respond = () => 'session_unknown';
    const { onChunk } = createCollector();
    expect(await settle(session.readSession(9, 0, { onChunk }), 300)).toBe('session_unknown');
  });

  test('allows only one transfer at a time', async () => {
    onSync(() => undefined);
    const { onChunk } = createCollector();
    const first = session.readSession(9, 0, { onChunk });
    await clock.advance(300);
    expect(await settle(session.readSession(9, 0, { onChunk }), 0)).toBe('transfer_running');
    recorder.send(encodeEnd(0));
    expect(await settle(first, 0)).toMatchObject({ fileSize: 0 });
    onSync(() => recorder.send(encodeEnd(0)));
    expect(await settle(session.readSession(9, 0, { onChunk }), 300)).toMatchObject({
      fileSize: 0,
    });
  });

  test('doesn’t wait for an acknowledgement on a lost link', async () => {
    onSync(() => sendChunks(0, 20));
    const write = recorder.write.bind(recorder);
    recorder.write = (bytes, how) => (how.withResponse ? write(bytes, how) : new Promise(() => {}));
    const { chunks, onChunk } = createCollector();
    const reading = session.readSession(9, 0, { onChunk });
    await clock.advance(300);
    expect(chunks).toHaveLength(16);
    recorder.disconnect('link_lost');
    expect(await settle(reading, 0)).toBe('link_lost');
  });
});

test('passes at most maxChunksPerCall queued chunks per call', async () => {
  onSync(() => {
    sendChunks(0, 9);
    recorder.send(encodeChunk(9, 480));
    recorder.send(encodeEnd(9 * 1600 + 480));
  });
  const batches: [number, number][] = [];
  const bytes: number[] = [];
  const onChunk = async (index: number, chunks: Uint8Array) => {
    await flushTasks();
    batches.push([index, chunks.length]);
    bytes.push(...chunks);
  };
  const read = await settle(session.readSession(9, 0, { onChunk, maxChunksPerCall: 4 }), 300);
  expect(read).toEqual({ fileSize: 9 * 1600 + 480, sha256: SHA256 });
  expect(batches.every(([, size]) => size <= 4 * 1600)).toBe(true);
  expect(batches.length).toBeLessThan(6);
  let next = 0;
  for (const [index, size] of batches) {
    expect(index).toBe(next);
    next += Math.ceil(size / 1600);
  }
  const expected = Array.from({ length: 10 }, (_, index) => [
    ...chunkData(index, index === 9 ? 480 : 1600),
  ]);
  expect(bytes).toEqual(expected.flat());
  expect(recorder.requests.find(({ name }) => name === 'syncFile')?.value).toMatchObject({
    window: 64,
  });
});
