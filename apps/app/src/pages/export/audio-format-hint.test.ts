import { importId, recordingId } from '@linnet/sync';
import { expect, it } from 'vitest';
import { audioFormatHint } from './audio-format-hint.ts';

const recorded = recordingId('LN24A7001234', 7, 1_700_000_000);
const imported = importId();

it.each([
  ['a recording', [recorded], 'original', 'ogg'],
  ['a denoised version', [recorded], 'cleaner', null],
  ['an imported file', [imported], 'original', null],
  ['recordings with an imported file', [recorded, imported], 'original', null],
] as const)(
  'promises Ogg Opus without losses only where that is true: %s',
  (_, ids, version, hint) => {
    expect(audioFormatHint({ sound: 'ogg', version }, ids)).toBe(hint);
    expect(audioFormatHint({ sound: 'wav', version }, ids)).toBe('wav');
  },
);
