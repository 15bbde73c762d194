/** Reads streams of sessions for checks. */
import {
  CHUNK_SIZE,
  decodeStream,
  type Frame,
  PACKET_SIZE,
  type StreamOf,
} from '../codec/index.ts';
import type { Probe } from './probe.ts';
import { Broken, expectEqual, expectThat } from './verdict.ts';

/** Number of chunks between acknowledgements (PROTOCOL.md, section 4). */
const ACKNOWLEDGE_EVERY = 16;
export const WINDOW = 64;

export type ReceivedStream = {
  readonly chunks: readonly StreamOf<'chunk'>[];
  readonly end: StreamOf<'end'> | undefined;
};

/** Returns a stream's frames received so far. */
export function getReceivedStream({ received }: Probe, sequence: number): ReceivedStream {
  const chunks: StreamOf<'chunk'>[] = [];
  let end: StreamOf<'end'> | undefined;
  const isPart = (frame: Frame) => frame.kind === 'stream' && frame.sequence === sequence;
  for (const frame of received.filter(isPart)) {
    const part = decodeStream(frame);
    if (part?.name === 'chunk') chunks.push(part.value);
    if (part?.name === 'end') end = part.value;
  }
  return { chunks, end };
}

/** Starts a stream. @returns its sequence. @throws {Broken} */
export async function startStream(
  probe: Probe,
  request: { sessionId: number; fromChunk: number; window: number },
): Promise<{
  readonly sequence: number;
  readonly fileSize: number;
  readonly stillRecording: boolean;
}> {
  const sequence = probe.nextSequence();
  await probe.write(probe.encode('syncFile', request, sequence));
  const response = await probe.responseTo('syncFile', sequence);
  if (response.kind === 'ok') return { sequence, ...response.value };
  throw new Broken(
    'result 0 to syncFile',
    `result ${response.kind === 'refused' ? response.result : ''}`,
  );
}

/** Waits until a stream has sent `count` chunks, without acknowledging them. @throws {Broken} */
export async function waitForChunks(probe: Probe, sequence: number, count: number): Promise<void> {
  let last = -1;
  while (getReceivedStream(probe, sequence).chunks.length < count) {
    const { length } = getReceivedStream(probe, sequence).chunks;
    if (length === last) throw new Broken(`${count} chunks`, `${length}, and then nothing`);
    last = length;
    await probe.waitFor(
      () => (getReceivedStream(probe, sequence).chunks.length > length ? true : undefined),
      `chunk ${length + 1} of ${count}`,
    );
  }
}

/**
 * Reads a stream to its end and acknowledges its chunks. Verifies their order and sizes.
 * @returns the bytes and the end frame
 * @throws {Broken}
 */
export async function readToEnd(
  probe: Probe,
  sequence: number,
  fromChunk: number,
): Promise<{ readonly bytes: Uint8Array; readonly end: StreamOf<'end'> }> {
  let acknowledged = 0;
  for (;;) {
    const { chunks, end } = getReceivedStream(probe, sequence);
    if (end) break;
    if (chunks.length - acknowledged >= ACKNOWLEDGE_EVERY) {
      acknowledged = chunks.length;
      await probe.acknowledge(fromChunk + acknowledged, sequence);
    }
    await probe.waitFor(() => {
      const next = getReceivedStream(probe, sequence);
      return next.end || next.chunks.length > chunks.length ? true : undefined;
    }, `the next chunk or the end frame, after ${chunks.length} chunks`);
  }
  const { chunks, end } = getReceivedStream(probe, sequence);
  if (!end) throw new Broken('an end frame', 'none');
  await probe.acknowledge(fromChunk + chunks.length, sequence);
  for (const [position, { chunkIndex, data }] of chunks.entries()) {
    expectEqual('the index of the next chunk', chunkIndex, fromChunk + position);
    const isLast = position === chunks.length - 1;
    const isWhole = data.length > 0 && data.length % PACKET_SIZE === 0;
    const isRight = isWhole && (isLast ? data.length <= CHUNK_SIZE : data.length === CHUNK_SIZE);
    const expected = isLast ? `whole packets, at most ${CHUNK_SIZE} bytes` : `${CHUNK_SIZE} bytes`;
    expectThat(isRight, `${expected} in chunk ${chunkIndex}`, `${data.length} bytes`);
  }
  return { bytes: Uint8Array.from(chunks.flatMap(({ data }) => [...data])), end };
}
