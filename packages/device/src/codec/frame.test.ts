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

test('the check sums have the published check values', () => {
  const digits = new TextEncoder().encode('123456789');
  expect(crc16(digits)).toBe(0x29b1);
  expect(crc8(digits)).toBe(0xfb);
});

test('frames arrive whole and in order however the stream is cut', () => {
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

test('any damage to one frame costs that frame only', () => {
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

test('a truncated frame gives way to the next good one once the rest is given up', () => {
  fc.assert(
    fc.property(anyFrame, fc.nat(), (frame, keep) => {
      const whole = encodeFrame(frame);
      const decoder = new FrameDecoder();
      const stream = concat(whole.subarray(0, keep % whole.length), encodeFrame(good));
      // The next frame may begin with just the bytes that were cut off: then nothing was.
      fc.pre(!whole.every((byte, at) => stream[at] === byte));
      const frames = [...decoder.push(stream), ...decoder.abandon()];
      expect(frames).toEqual([good]);
      expect(decoder.pending).toBe(0);
    }),
  );
});

test('noise never throws, never holds more than one frame back, and the next good frame is found', () => {
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
  test('a payload full of markers, and even of whole frames, stays a payload', () => {
    const inner = concat(SYNC_MARKER, SYNC_MARKER, encodeFrame(good), SYNC_MARKER);
    const outer = { ...good, payload: inner };
    const decoder = new FrameDecoder();
    expect([...encodeFrame(outer)].flatMap((byte) => decoder.push(Uint8Array.of(byte)))).toEqual([
      outer,
    ]);
  });

  test('a length that lies is refused by the header check, without waiting for the bytes', () => {
    const lying = encodeFrame(good);
    lying[7] = 0xff;
    expect(new FrameDecoder().push(concat(lying, encodeFrame(good)))).toEqual([good]);
  });

  test('a length beyond the limit is refused even with a sound header check', () => {
    const header = Uint8Array.of(0x10, 1, 1, 0, 0, 0xff, 0xff);
    const lying = concat(SYNC_MARKER, header, Uint8Array.of(crc8(header)));
    expect(new FrameDecoder().push(concat(lying, encodeFrame(good)))).toEqual([good]);
  });

  test('a marker split over two notifications is seen', () => {
    const decoder = new FrameDecoder();
    const bytes = encodeFrame(good);
    expect(decoder.push(concat(Uint8Array.of(0x4c, 0x4c, 0), bytes.subarray(0, 1)))).toEqual([]);
    expect(decoder.push(bytes.subarray(1))).toEqual([good]);
  });

  test('a sound frame of an unknown kind is passed over whole', () => {
    const header = Uint8Array.of(0x10, 9, 1, 0, 0, 17, 0);
    const inner = encodeFrame({ ...good, payload: Uint8Array.of(1, 2, 3, 4, 5) });
    const body = concat(header, Uint8Array.of(crc8(header)), inner);
    const check = crc16(body);
    const unknown = concat(SYNC_MARKER, body, Uint8Array.of(check & 0xff, check >> 8));
    const decoder = new FrameDecoder();
    expect(decoder.push(concat(unknown, encodeFrame(good)))).toEqual([good]);
    expect(decoder.skippedBytes).toBe(0);
  });

  test('one push larger than the buffer is taken', () => {
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
  'frames that lost their last %d bytes do not keep the first of the next',
  (lost) => {
    // Those whose check ends as a marker begins, or is one.
    const marker = SYNC_MARKER.slice(0, lost);
    const ends: Frame[] = [];
    for (let number = 0; ends.length < 20; number++) {
      const payload = Uint8Array.of(number >> 16);
      const frame = { ...good, sequence: number & 0xffff, payload };
      if (encodeFrame(frame).slice(-lost).join() === marker.join()) ends.push(frame);
    }
    const stream = concat(...ends.map((frame) => encodeFrame(frame).slice(0, -lost)));
    const whole = concat(stream, encodeFrame(good));
    for (const size of [1, 3, 8, 9, 10, 11, 4000, whole.length]) {
      const decoder = new FrameDecoder();
      const frames = cut(whole, [size]).flatMap((part) => decoder.push(part));
      expect(frames).toEqual([...ends, good]);
      expect(decoder.skippedBytes).toBe(0);
    }
  },
);

test('a frame that ends as a marker is, and is whole, costs the next one nothing', () => {
  let number = 0;
  const endsAsMarker = () => {
    const payload = Uint8Array.of(number >> 16);
    return { ...good, sequence: number++ & 0xffff, payload };
  };
  let frame = endsAsMarker();
  while (encodeFrame(frame).slice(-2).join() !== SYNC_MARKER.join()) frame = endsAsMarker();
  const decoder = new FrameDecoder();
  const whole = concat(encodeFrame(frame), encodeFrame(good), encodeFrame(frame));
  const frames = cut(whole, [1]).flatMap((part) => decoder.push(part));
  expect(frames).toEqual([frame, good, frame]);
});
