import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isWholeMp3 } from './mp3.ts';
import { emulatedMp3 } from './testing/emulated-pocket.ts';

it('accepts a sequence of frames with incomplete first and last frames', () => {
  const file = emulatedMp3(30);
  expect(isWholeMp3(file)).toBe(true);
  expect(isWholeMp3(file.subarray(0, -106))).toBe(true);
  expect(isWholeMp3(file.subarray(38))).toBe(true);
});

it('accepts a sequence of frames after a tag', () => {
  const tag = Uint8Array.of(0x49, 0x44, 0x33, 4, 0, 0, 0, 0, 1, 2, ...new Uint8Array(130));
  expect(isWholeMp3(Uint8Array.of(...tag, ...emulatedMp3(3)))).toBe(true);
});

it('rejects other bytes', () => {
  expect(isWholeMp3(new Uint8Array())).toBe(false);
  expect(isWholeMp3(new Uint8Array(5000))).toBe(false);
  expect(isWholeMp3(emulatedMp3(1).subarray(0, 100))).toBe(false);
});

it('rejects a file of the right size with missing bytes and foreign bytes at the end', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 4, max: 60 }),
      fc.nat(),
      fc.integer({ min: 1, max: 500 }),
      (frames, seed, lost) => {
        const file = emulatedMp3(frames, seed % 251);
        // The number of bytes reveals losses of whole frames.
        fc.pre(lost % 144 !== 0 && lost < file.length - 288);
        const from = 150 + (seed % (file.length - lost - 288 + 1));
        const damagedFile = new Uint8Array(file.length);
        damagedFile.set(file.subarray(0, from));
        damagedFile.set(file.subarray(from + lost), from);
        expect(isWholeMp3(damagedFile)).toBe(false);
      },
    ),
  );
});
