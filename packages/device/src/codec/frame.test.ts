import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { crc8, crc16 } from './crc.ts';
import {
  encodeFrame,
  FRAME_KINDS,
  type Frame,
  FrameDecoder,
  type FrameKind,
  HEADER_SIZE,
  MAX_PAYLOAD,
  SYNC_MARKER,
} from './frame.ts';

const anyFrame: fc.Arbitrary<Frame> = fc.record({
  version: fc.integer({ min: 1, max: 15 }),
  flags: fc.integer({ min: 0, max: 15 }),
  kind: fc.constantFrom(...(Object.keys(FRAME_KINDS) as FrameKind[])),
  command: fc.integer({ min: 0, max: 255 }),
  sequence: fc.integer({ min: 0, max: 65535 }),
  payload: fc.uint8Array({ maxLength: 300 }),
});
const good: Frame = {
  version: 1,
  flags: 0,
  kind: 'response',
  command: 6,
  sequence: 7,
  payload: Uint8Array.of(1, 2, 3),
};

function concat(...parts: Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => [...part]));
}

function cut(bytes: Uint8Array, sizes: readonly number[]): Uint8Array[] {
  const parts: Uint8Array[] = [];
  let offset = 0;
  for (let turn = 0; offset < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1;
    parts.push(bytes.subarray(offset, offset + size));
    offset += size;
  }
  return parts;
}

test('checksums match the published check values', () => {
  const digits = new TextEncoder().encode('123456789');
  expect(crc16(digits)).toBe(0x29b1);
  expect(crc8(digits)).toBe(0xfb);
});

test('frames are decoded in order however the stream is split', () => {
  fc.assert(
    fc.property(
      fc.array(anyFrame, { minLength: 1, maxLength: 6 }),
      fc.array(fc.integer({ min: 1, max: 500 }), { minLength: 1, maxLength: 5 }),
      (frames, sizes) => {
        const decoder = new FrameDecoder();
        const stream = concat(...frames.map(encodeFrame));
        expect(cut(stream, sizes).flatMap((part) => decoder.push(part))).toEqual(frames);
        expect(decoder.pending).toBe(0);
        expect(decoder.skippedBytes).toBe(0);
      },
    ),
  );
});

test('stray bytes between frames are skipped', () => {
  const strayWithoutMarker = fc
    .uint8Array({ maxLength: 60 })
    .map((bytes) => bytes.filter((byte) => byte !== SYNC_MARKER[0]));
  fc.assert(
    fc.property(strayWithoutMarker, anyFrame, strayWithoutMarker, (before, frame, after) => {
      const decoder = new FrameDecoder();
      const frames = decoder.push(concat(before, encodeFrame(frame), after));
      expect(frames).toEqual([frame]);
      expect(decoder.skippedBytes).toBe(before.length + after.length);
    }),
  );
});

test('damage to one frame affects only that frame', () => {
  fc.assert(
    fc.property(
      anyFrame,
      fc.nat(),
      fc.integer({ min: 1, max: 255 }),
      fc.integer({ min: 1, max: 64 }),
      (frame, position, flip, size) => {
        const damaged = encodeFrame(frame);
        const index = position % damaged.length;
        damaged[index] = (damaged[index] ?? 0) ^ flip;
        const decoder = new FrameDecoder();
        const parts = cut(concat(damaged, encodeFrame(good)), [size]);
        const frames = [...parts.flatMap((part) => decoder.push(part)), ...decoder.abandon()];
        expect(frames.at(-1)).toEqual(good);
        expect(frames).toHaveLength(1);
      },
    ),
    { numRuns: 500 },
  );
});

test('a valid frame is decoded after a truncated one is abandoned', () => {
  fc.assert(
    fc.property(anyFrame, fc.nat(), (frame, keep) => {
      const encoded = encodeFrame(frame);
      const decoder = new FrameDecoder();
      const stream = concat(encoded.subarray(0, keep % encoded.length), encodeFrame(good));
      // Skip cases in which the next frame starts with exactly the missing bytes.
      fc.pre(!encoded.every((byte, index) => stream[index] === byte));
      const frames = [...decoder.push(stream), ...decoder.abandon()];
      expect(frames).toEqual([good]);
      expect(decoder.pending).toBe(0);
    }),
  );
});

test('noise never throws, buffers at most one frame, and does not hide a valid frame', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 3000 }), { maxLength: 5 }), (noise) => {
      const decoder = new FrameDecoder();
      for (const part of noise) decoder.push(part);
      expect(decoder.pending).toBeLessThan(HEADER_SIZE + MAX_PAYLOAD + 2);
      decoder.abandon();
      expect(decoder.push(encodeFrame(good))).toEqual([good]);
    }),
  );
});

describe('hostile streams', () => {
  test('markers and complete frames inside a payload are not decoded', () => {
    const inner = concat(SYNC_MARKER, SYNC_MARKER, encodeFrame(good), SYNC_MARKER);
    const outer = { ...good, payload: inner };
    const decoder = new FrameDecoder();
    expect([...encodeFrame(outer)].flatMap((byte) => decoder.push(Uint8Array.of(byte)))).toEqual([
      outer,
    ]);
  });

  test('a damaged length fails the header checksum immediately', () => {
    const lying = encodeFrame(good);
    lying[7] = 0xff;
    expect(new FrameDecoder().push(concat(lying, encodeFrame(good)))).toEqual([good]);
  });

  test('a length beyond the limit is rejected despite a valid header checksum', () => {
    const header = Uint8Array.of(0x10, 1, 1, 0, 0, 0xff, 0xff);
    const lying = concat(SYNC_MARKER, header, Uint8Array.of(crc8(header)));
    expect(new FrameDecoder().push(concat(lying, encodeFrame(good)))).toEqual([good]);
  });

  test('a marker split over two notifications is found', () => {
    const decoder = new FrameDecoder();
    const bytes = encodeFrame(good);
    expect(decoder.push(concat(Uint8Array.of(0x4c, 0x4c, 0), bytes.subarray(0, 1)))).toEqual([]);
    expect(decoder.push(bytes.subarray(1))).toEqual([good]);
  });

  test('a valid frame of an unknown kind is skipped', () => {
    const header = Uint8Array.of(0x10, 9, 1, 0, 0, 17, 0);
    const inner = encodeFrame({ ...good, payload: Uint8Array.of(1, 2, 3, 4, 5) });
    const body = concat(header, Uint8Array.of(crc8(header)), inner);
    const check = crc16(body);
    const unknown = concat(SYNC_MARKER, body, Uint8Array.of(check & 0xff, check >> 8));
    const decoder = new FrameDecoder();
    expect(decoder.push(concat(unknown, encodeFrame(good)))).toEqual([good]);
    expect(decoder.skippedBytes).toBe(0);
  });

  test('a push larger than the buffer is accepted', () => {
    const many = Array.from({ length: 50 }, (_, sequence) => ({
      ...good,
      sequence,
      payload: new Uint8Array(MAX_PAYLOAD).fill(sequence),
    }));
    expect(new FrameDecoder().push(concat(...many.map(encodeFrame)))).toEqual(many);
  });

  test('a payload beyond the limit cannot be encoded', () => {
    expect(() => encodeFrame({ ...good, payload: new Uint8Array(MAX_PAYLOAD + 1) })).toThrow(
      RangeError,
    );
  });
});

test.each([1, 2])(
  'frames without their last %d bytes do not consume the start of the next frame',
  (lost) => {
    // Frames whose checksum ends with a complete or partial marker.
    const marker = SYNC_MARKER.slice(0, lost);
    const ends: Frame[] = [];
    for (let number = 0; ends.length < 20; number++) {
      const payload = Uint8Array.of(number >> 16);
      const frame = { ...good, sequence: number & 0xffff, payload };
      if (encodeFrame(frame).slice(-lost).join() === marker.join()) ends.push(frame);
    }
    const stream = concat(...ends.map((frame) => encodeFrame(frame).slice(0, -lost)));
    const joined = concat(stream, encodeFrame(good));
    for (const size of [1, 3, 8, 9, 10, 11, 4000, joined.length]) {
      const decoder = new FrameDecoder();
      const frames = cut(joined, [size]).flatMap((part) => decoder.push(part));
      expect(frames).toEqual([...ends, good]);
      expect(decoder.skippedBytes).toBe(0);
    }
  },
);

test('a complete frame that ends with a marker does not affect the next frame', () => {
  let number = 0;
  const endsAsMarker = () => {
    const payload = Uint8Array.of(number >> 16);
    return { ...good, sequence: number++ & 0xffff, payload };
  };
  let frame = endsAsMarker();
  while (encodeFrame(frame).slice(-2).join() !== SYNC_MARKER.join()) frame = endsAsMarker();
  const decoder = new FrameDecoder();
  const joined = concat(encodeFrame(frame), encodeFrame(good), encodeFrame(frame));
  const frames = cut(joined, [1]).flatMap((part) => decoder.push(part));
  expect(frames).toEqual([frame, good, frame]);
});
