import { expect, test } from 'vitest';
import { isAudioName, isBeingWritten, isHiddenName } from './folder-files.ts';

test('isAudioName recognizes audio file extensions', () => {
  const names = ['DM550001.MP3', 'talk.opus', 'memo.amr', 'notes.txt', 'wav', 'a.wav.part'];
  expect(names.filter(isAudioName)).toEqual(['DM550001.MP3', 'talk.opus', 'memo.amr']);
});

test('isHiddenName recognizes hidden files and operating system folders', () => {
  const names = ['.Trashes', '._DM550001.MP3', 'System Volume Information', '$RECYCLE.BIN', 'A'];
  expect(names.filter((name) => !isHiddenName(name))).toEqual(['A']);
});

test('isBeingWritten is true for a few seconds, and false for a time in the future', () => {
  const now = 1_770_000_000_000;
  expect([now, now - 4999, now - 5000, now + 1].map((at) => isBeingWritten(at, now))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});
