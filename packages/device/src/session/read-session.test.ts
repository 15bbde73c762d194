import { beforeEach, describe, expect, test } from 'vitest';
import { type AnyRequest, encodeStream } from '../codec/index.ts';
import { DeviceError, openRecorderSession, type RecorderSession } from './index.ts';
import { flushTasks, ManualClock, ScriptedRecorder } from './scripted-recorder.ts';

const SHA256 = Uint8Array.from({ length: 32 }, (_, index) => index);
let clock: ManualClock;
let recorder: ScriptedRecorder;
let session: RecorderSession;
/** Sequence of the last `syncFile`, and the first chunk of every `syncFile` so far. */
let stream: number;
let requestedChunks: number[];

/** Each chunk is filled with its index. */
const data = (index: number, size = 1600) => new Uint8Array(size).fill(index);
const chunk = (index: number, size = 1600) =>
  encodeStream('chunk', { chunkIndex: index, data: data(index, size) }, stream);
const end = (fileSize: number) => encodeStream('end', { fileSize, sha256: SHA256 }, stream);

/** Sends chunks `from` up to but not including `to`. */
function sendChunks(from: number, to: number): void {
  for (let index = from; index < to; index++) recorder.send(chunk(index));
}

function answerSync(request: AnyRequest, sequence: number, onStream: (from: number) => void) {
  if (request.name === 'syncStop') return {};
  if (request.name !== 'syncFile') return undefined;
  stream = sequence;
  requestedChunks.push(request.value.fromChunk);
  const { fromChunk } = request.value;
  queueMicrotask(() => onStream(fromChunk));
  return { fileSize: 1600, stillRecording: false };
}

/** Answers `syncFile`, then calls `onStream`. */
function onSync(onStream: (from: number) => void): void {
  recorder.answer = (request, sequence) => answerSync(request, sequence, onStream);
}

beforeEach(async () => {
  clock = new ManualClock();
  recorder = new ScriptedRecorder(clock);
  requestedChunks = [];
  const opening = openRecorderSession(recorder, { clock });
  await clock.advance(1000);
  session = await opening;
});

async function outcome(action: Promise<unknown>, ms: number): Promise<unknown> {
  const ended = action.catch((error: unknown) =>
    error instanceof DeviceError ? error.code : error,
  );
  await clock.advance(ms);
  return ended;
}

function collect() {
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
    recorder.send(chunk(3, 480));
    recorder.send(end(3 * 1600 + 480));
  });
  const { chunks, onChunk } = collect();
  const read = await outcome(session.readSession(9, 0, { onChunk }), 300);
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

test('reads no chunk again when the session is complete', async () => {
  onSync(() => recorder.send(end(3200)));
  const { chunks, onChunk } = collect();
  const read = await outcome(session.readSession(9, 2, { onChunk }), 300);
  expect(read).toMatchObject({ fileSize: 3200 });
  expect(chunks).toEqual([]);
});

test('stores chunks one at a time and acknowledges only durable ones', async () => {
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
  expect(await outcome(reading, 0)).toBe('link_lost');
});

test('stores and acknowledges all chunks before a missing one', async () => {
  const passes = [
    () => {
      sendChunks(0, 20);
      recorder.send(chunk(21));
    },
    () => {
      sendChunks(20, 22);
      recorder.send(end(22 * 1600));
    },
  ];
  onSync(() => passes.shift()?.());
  const { chunks, onChunk } = collect();
  const read = await outcome(session.readSession(9, 0, { onChunk }), 1000);
  expect(read).toMatchObject({ fileSize: 22 * 1600 });
  expect(requestedChunks).toEqual([0, 20]);
  expect(chunks.map(([index]) => index)).toEqual(Array.from({ length: 22 }, (_, index) => index));
  expect(recorder.acknowledgements.map(({ nextChunk }) => nextChunk)).toEqual([16, 22]);
});

test('sends acknowledgements without delay and without response', async () => {
  onSync(() => sendChunks(0, 64));
  const { onChunk } = collect();
  const reading = session.readSession(9, 0, { onChunk });
  await clock.advance(300);
  expect(recorder.acknowledgements.map(({ nextChunk }) => nextChunk)).toEqual([16, 32, 48, 64]);
  const asking = recorder.requests.at(-1)?.at;
  expect(recorder.acknowledgements.every(({ at }) => at === asking)).toBe(true);
  expect(recorder.writes.slice(-4).every(({ withResponse }) => !withResponse)).toBe(true);
  recorder.send(end(64 * 1600));
  expect(await outcome(reading, 0)).toMatchObject({ fileSize: 64 * 1600 });
});

test('sends an acknowledgement before a delayed command', async () => {
  onSync(() => sendChunks(0, 15));
  const { onChunk } = collect();
  const reading = session.readSession(9, 0, { onChunk });
  await clock.advance(50);
  const stopping = session.stopRecording();
  stopping.catch(() => undefined);
  await clock.advance(100);
  recorder.send(chunk(15));
  await flushTasks();
  expect(recorder.acknowledgements).toHaveLength(1);
  expect(recorder.requests.at(-1)?.name).toBe('syncFile');
  recorder.send(end(16 * 1600));
  await outcome(reading, 200);
  expect(recorder.requests.at(-1)?.name).toBe('recordEnd');
  recorder.disconnect('link_lost');
});

describe('transmission errors', () => {
  test('requests a missing chunk after storing the previous ones', async () => {
    let pass = 0;
    onSync((from) => {
      pass += 1;
      if (pass === 1) {
        sendChunks(0, 3);
        const damaged = chunk(3);
        damaged[500] = 0xff;
        recorder.send(damaged);
        sendChunks(4, 8);
      } else {
        sendChunks(from, 8);
        recorder.send(end(8 * 1600));
      }
    });
    const { chunks, onChunk } = collect();
    expect(await outcome(session.readSession(9, 0, { onChunk }), 1000)).toMatchObject({
      fileSize: 8 * 1600,
    });
    expect(requestedChunks).toEqual([0, 3]);
    expect(chunks.map(([index]) => index)).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  test('requests a missing tail after the stream falls silent', async () => {
    onSync((from) => {
      if (from === 0) sendChunks(0, 5);
      else recorder.send(end(5 * 1600));
    });
    const { onChunk } = collect();
    expect(await outcome(session.readSession(9, 0, { onChunk }), 5000)).toMatchObject({
      fileSize: 8000,
    });
    expect(requestedChunks).toEqual([0, 5]);
  });

  test('gives up a silent stream after three restarts', async () => {
    onSync(() => undefined);
    const { onChunk } = collect();
    expect(await outcome(session.readSession(9, 0, { onChunk }), 30_000)).toBe('stream_silent');
    expect(requestedChunks).toEqual([0, 0, 0, 0]);
  });

  test('times out without restarts when the recorder does not respond', async () => {
    onSync(() => {
      recorder.answer = () => undefined;
    });
    const { onChunk } = collect();
    expect(await outcome(session.readSession(9, 0, { onChunk }), 30_000)).toBe('timeout');
    expect(requestedChunks).toEqual([0]);
  });

  test('excludes storing time from the silence timeout', async () => {
    onSync(() => recorder.send(chunk(0)));
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
    recorder.send(end(1600));
    expect(await outcome(reading, 0)).toMatchObject({ fileSize: 1600 });
  });

  test('skips duplicate chunks and parts of an older stream', async () => {
    onSync(() => {
      const [current, old] = [stream, stream - 1];
      stream = old;
      recorder.send(chunk(0, 160));
      recorder.send(end(160));
      stream = current;
      recorder.send(chunk(0));
      recorder.send(chunk(0));
      recorder.send(chunk(1));
      recorder.send(end(3200));
    });
    const { chunks, onChunk } = collect();
    expect(await outcome(session.readSession(9, 0, { onChunk }), 300)).toMatchObject({
      fileSize: 3200,
    });
    expect(chunks).toEqual([
      [0, 1600],
      [1, 1600],
    ]);
  });

  test.each([
    ['a chunk that is no multiple of a packet', () => recorder.send(chunk(0, 100))],
    ['an empty chunk', () => recorder.send(chunk(0, 0))],
    [
      'a chunk after a short one',
      () => {
        recorder.send(chunk(0, 160));
        recorder.send(chunk(1));
      },
    ],
  ])('rejects %s as malformed', async (_, send) => {
    onSync(send);
    const { onChunk } = collect();
    expect(await outcome(session.readSession(9, 0, { onChunk }), 1000)).toBe('reply_malformed');
  });

  test.each([1600, 8000])(
    'reports length_differs for an end at %d of 4800 bytes',
    async (fileSize) => {
      onSync(() => {
        sendChunks(0, 3);
        recorder.send(end(fileSize));
      });
      const { chunks, onChunk } = collect();
      const reading = session.readSession(9, 0, { onChunk });
      expect(await outcome(reading, 10_000)).toBe('length_differs');
      expect(chunks).toHaveLength(3);
    },
  );
});

describe('early end', () => {
  test('stops the recorder on abort and passes no further chunks', async () => {
    onSync(() => sendChunks(0, 5));
    const controller = new AbortController();
    const { chunks, onChunk } = collect();
    const reading = session.readSession(9, 0, { onChunk, signal: controller.signal });
    await clock.advance(300);
    controller.abort();
    recorder.send(chunk(5));
    expect(await outcome(reading, 1000)).toBe('aborted');
    expect(recorder.requests.at(-1)?.name).toBe('syncStop');
    expect(chunks).toHaveLength(5);
  });

  test('sends no request when already aborted', async () => {
    const before = recorder.requests.length;
    const { onChunk } = collect();
    const signal = AbortSignal.abort();
    expect(await outcome(session.readSession(9, 0, { onChunk, signal }), 300)).toBe('aborted');
    expect(recorder.requests.length).toBe(before);
  });

  test('rejects with the error of onChunk', async () => {
    onSync(() => sendChunks(0, 5));
    const full = new Error('disk full');
    const onChunk = async (index: number) => {
      if (index === 2) throw full;
    };
    expect(await outcome(session.readSession(9, 0, { onChunk }), 1000)).toBe(full);
    expect(recorder.requests.at(-1)?.name).toBe('syncStop');
    expect(recorder.acknowledgements).toEqual([]);
  });

  test('passes on a refusal', async () => {
    recorder.answer = () => 'session_unknown';
    const { onChunk } = collect();
    expect(await outcome(session.readSession(9, 0, { onChunk }), 300)).toBe('session_unknown');
  });

  test('allows one transfer at a time, and another afterwards', async () => {
    onSync(() => undefined);
    const { onChunk } = collect();
    const first = session.readSession(9, 0, { onChunk });
    await clock.advance(300);
    expect(await outcome(session.readSession(9, 0, { onChunk }), 0)).toBe('transfer_running');
    recorder.send(end(0));
    expect(await outcome(first, 0)).toMatchObject({ fileSize: 0 });
    onSync(() => recorder.send(end(0)));
    expect(await outcome(session.readSession(9, 0, { onChunk }), 300)).toMatchObject({
      fileSize: 0,
    });
  });

  test('does not wait for an acknowledgement on a lost link', async () => {
    onSync(() => sendChunks(0, 20));
    const write = recorder.write.bind(recorder);
    recorder.write = (bytes, how) => (how.withResponse ? write(bytes, how) : new Promise(() => {}));
    const { chunks, onChunk } = collect();
    const reading = session.readSession(9, 0, { onChunk });
    await clock.advance(300);
    expect(chunks).toHaveLength(16);
    recorder.disconnect('link_lost');
    expect(await outcome(reading, 0)).toBe('link_lost');
  });
});

test('batches queued chunks up to chunksAtOnce', async () => {
  onSync(() => {
    sendChunks(0, 9);
    recorder.send(chunk(9, 480));
    recorder.send(end(9 * 1600 + 480));
  });
  const handed: [number, number][] = [];
  const bytes: number[] = [];
  const onChunk = async (index: number, chunks: Uint8Array) => {
    await flushTasks();
    handed.push([index, chunks.length]);
    bytes.push(...chunks);
  };
  const read = await outcome(session.readSession(9, 0, { onChunk, chunksAtOnce: 4 }), 300);
  expect(read).toEqual({ fileSize: 9 * 1600 + 480, sha256: SHA256 });
  expect(handed.every(([, size]) => size <= 4 * 1600)).toBe(true);
  expect(handed.length).toBeLessThan(6);
  let next = 0;
  for (const [index, size] of handed) {
    expect(index).toBe(next);
    next += Math.ceil(size / 1600);
  }
  const expected = Array.from({ length: 10 }, (_, index) => [
    ...data(index, index === 9 ? 480 : 1600),
  ]);
  expect(bytes).toEqual(expected.flat());
  expect(recorder.requests.find(({ name }) => name === 'syncFile')?.value).toMatchObject({
    window: 64,
  });
});
