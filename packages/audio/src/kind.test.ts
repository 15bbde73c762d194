import { describe, expect, test } from 'vitest';
import { detectAudioKind } from './kind.ts';

const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

describe('detectAudioKind', () => {
  test.each([
    ['ogg', 'OggS\0\x02\0\0'],
    ['wav', 'RIFF\x24\0\0\0WAVEfmt '],
    ['wav', 'RF64\xff\xff\xff\xffWAVEds64'],
    ['flac', 'fLaC\0\0\0\x22'],
    ['m4a', '\0\0\0\x1cftypM4A \0\0'],
    ['webm', '\x1aE\xdf\xa3\x9fB\x86\x81'],
    ['mp3', 'ID3\x04\0\0\0\0'],
    ['mp3', '\xff\xfb\x90\x64\0\0'],
    ['aac', '\xff\xf1\x50\x80\0\0'],
    ['bin', 'RIFF\x24\0\0\0AVI LIST'],
    ['bin', 'hello'],
    ['bin', ''],
  ])('returns %s for %j', (ext, text) => {
    expect(detectAudioKind(bytes(text)).ext).toBe(ext);
  });
});
