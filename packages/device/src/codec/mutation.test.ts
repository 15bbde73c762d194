/** Fuzzes the decoder with a million damaged frames. It must not throw, hang, or lose the next valid frame. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { seed } from '../../../../tooling/seed.ts';
import {
  decodeReport,
  decodeRequest,
  decodeResponse,
  decodeStream,
  encodeFrame,
  encodeRequest,
  type Frame,
  FrameDecoder,
  SYNC_MARKER,
} from './index.ts';
import { anyMessage, commandNames } from './testing/any-message.ts';

const FRAMES = 1_000_000;
/** Number of distinct frames to damage, each repeatedly. */
const POOL = 2000;

/**
 * Maximum number of distinct forged frames: damaged frames whose checksum happens to match (one in 65,536). About
 * 50,000 frames lose bytes after a valid header, so the decoder reads on into the next frame. Nearly every other run
 * therefore decodes a forged frame and loses the valid frame after it. If a frame's checksum equals the next frame's
 * marker, cutting the frame off before its checksum always produces a forgery. Fewer than one run in a million exceeds
 * this maximum.
 */
const MAX_FORGED_FRAMES = 8;

/** Returns a generator of pseudorandom integers below `limit` (mulberry32, 32 bits of state). */
function createRandom(start: number): (limit: number) => number {
  let state = start | 0;
  return (limit) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit;
  };
}

type Random = ReturnType<typeof createRandom>;

/** The ways a frame can be damaged in transit. */
const corruptions: readonly ((
  bytes: Uint8Array,
  random: Random,
  other: Uint8Array,
) => Uint8Array)[] = [
  function flipBits(bytes, random) {
    const mutated = bytes.slice();
    for (let times = 1 + random(8); times > 0; times--) {
      const offset = random(mutated.length);
      mutated[offset] = (mutated[offset] as number) ^ (1 << random(8));
    }
    return mutated;
  },
  function overwrite(bytes, random) {
    const mutated = bytes.slice();
    const from = random(mutated.length);
    for (let offset = from; offset < Math.min(mutated.length, from + 1 + random(16)); offset++)
      mutated[offset] = random(256);
    return mutated;
  },
  (bytes, random) => bytes.subarray(0, random(bytes.length)),
  (bytes, random) => bytes.subarray(1 + random(bytes.length)),
  function dropBytes(bytes, random) {
    const from = random(bytes.length);
    return join(bytes.subarray(0, from), bytes.subarray(from + 1 + random(32)));
  },
  function repeatBytes(bytes, random) {
    const from = random(bytes.length);
    const end = from + 1 + random(32);
    return join(bytes.subarray(0, end), bytes.subarray(from));
  },
  function joinWithOther(bytes, random, other) {
    return join(bytes.subarray(0, random(bytes.length)), other.subarray(random(other.length)));
  },
  function insertMarkers(bytes, random) {
    const offset = random(bytes.length);
    return join(bytes.subarray(0, offset), SYNC_MARKER, bytes.subarray(offset));
  },
];

function join(...parts: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.length;
  }
  return joined;
}

/** Runs both sides' decoders on a frame. */
function readAll(frame: Frame, random: Random): void {
  decodeRequest(frame);
  decodeResponse(commandNames[random(commandNames.length)] as (typeof commandNames)[number], frame);
  decodeReport(frame);
  decodeStream(frame);
}

test(`decodes the valid frame after each of ${FRAMES.toLocaleString('en')} damaged frames (SEED=${seed})`, () => {
  const random = createRandom(seed);
  const pool = fc.sample(anyMessage, { numRuns: POOL, seed });
  const pick = () => pool[random(pool.length)] as Uint8Array;
  const asText = (bytes: Uint8Array) => String.fromCharCode(...bytes);
  const sentFrames = new Set(pool.map(asText));
  const decoder = new FrameDecoder();
  let lostCount = 0;
  const forgedFrames = new Set<string>();
  let survived = 0;
  for (let round = 0; round < FRAMES; round++) {
    const damage = corruptions[random(corruptions.length)] as (typeof corruptions)[number];
    const damagedFrame = damage(pick(), random, pick());
    const goodFrame = encodeRequest('status', {}, round & 0xffff);
    // Split the bytes at random positions, as notifications do.
    const sent = join(damagedFrame, goodFrame);
    const frames: Frame[] = [];
    for (let offset = 0; offset < sent.length; ) {
      const end = offset + 1 + random(sent.length);
      frames.push(...decoder.push(sent.subarray(offset, end)));
      offset = end;
    }
    // Abandon an incomplete frame, as a link does after a timeout.
    frames.push(...decoder.abandon());
    for (const frame of frames) readAll(frame, random);
    const last = frames.at(-1);
    const decoded = last && decodeRequest(last);
    const isGood =
      decoded?.ok && decoded.request.name === 'status' && last?.sequence === (round & 0xffff);
    if (!isGood && last && !sentFrames.has(asText(encodeFrame(last))))
      forgedFrames.add(asText(encodeFrame(last)));
    else if (!isGood) lostCount += 1;
    survived += frames.length - 1;
  }
  expect({ lost: lostCount, pending: decoder.pending }).toEqual({ lost: 0, pending: 0 });
  expect(forgedFrames.size).toBeLessThanOrEqual(MAX_FORGED_FRAMES);
  // Check that the input isn't just noise: some damaged frames must still be valid.
  expect(survived).toBeGreaterThan(0);
});
