import { expect, test } from 'vitest';
import { fileRecordingId, titleOfFile } from './file-identity.ts';

const ACCOUNT = '0192f3d0-0000-7000-8000-000000000001';
const DIGEST = 'a'.repeat(64);

test('a file gets the same ID each time it is imported into an account', () => {
  // This value must never change: phones and servers of different versions must derive the same ID.
  expect(fileRecordingId(ACCOUNT, DIGEST)).toBe('8ecf6488-1315-8564-9e89-6fe6eadb045a');
  expect(fileRecordingId(ACCOUNT, DIGEST)).not.toBe(fileRecordingId(ACCOUNT, 'b'.repeat(64)));
  expect(fileRecordingId(ACCOUNT, DIGEST)).not.toBe(
    fileRecordingId('0192f3d0-0000-7000-8000-000000000002', DIGEST),
  );
});

test('the title is the file name without its extension', () => {
  expect(titleOfFile('Interview 3.mp3')).toBe('Interview 3');
  expect(titleOfFile('.wav')).toBe('.wav');
  expect(titleOfFile('v1.2 final')).toBe('v1.2 final');
  expect(titleOfFile(`${'x'.repeat(600)}.mp3`)).toHaveLength(titleOfFile('x'.repeat(600)).length);
});
