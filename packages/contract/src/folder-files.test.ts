import { expect, test } from 'vitest';
import { isAudioName, isBeingWritten, isHiddenName } from './folder-files.ts';

test('isAudioName knows the extensions of audio files', () => {
  const names = ['DM550001.MP3', 'talk.opus', 'memo.amr', 'notes.txt', 'wav', 'a.wav.part'];
  expect(names.filter(isAudioName)).toEqual(['DM550001.MP3', 'talk.opus', 'memo.amr']);
});

test('isHiddenName knows hidden files and the folders of operating systems', () => {
  const names = ['.Trashes', '._DM550001.MP3', 'System Volume Information', '$RECYCLE.BIN', 'A'];
  expect(names.filter((name) => !isHiddenName(name))).toEqual(['A']);
});

test('isBeingWritten holds for some seconds, and not for a time in the future', () => {
  const now = 1_770_000_000_000;
  expect([now, now - 4999, now - 5000, now + 1].map((at) => isBeingWritten(at, now))).toEqual([
    true,
    true,
    false,
    false,
  ]);
});
