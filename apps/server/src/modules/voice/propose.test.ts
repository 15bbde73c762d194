import { describe, expect, it } from 'vitest';
import { toUnit } from '../../providers/speakers/vectors.ts';
import { proposeNames, type SpeakerVoice } from './propose.ts';

const speaker = (
  recordingId: string,
  label: string,
  direction: readonly number[],
  rest: Partial<SpeakerVoice> = {},
): SpeakerVoice => ({
  recordingId,
  speaker: label,
  model: 'm',
  embedding: toUnit(Float32Array.from(direction)),
  name: null,
  isAnswered: false,
  namesInRecording: [],
  ...rest,
});
const anna = speaker('a', '1', [1, 0, 0], { name: 'Anna' });
const ben = speaker('a', '2', [0, 1, 0], { name: 'Ben' });
const proposed = (...speakers: SpeakerVoice[]) =>
  Object.fromEntries(proposeNames([anna, ben, ...speakers]));

describe('proposeNames', () => {
  it('proposes names for speakers with a similar voice', () => {
    expect(proposed(speaker('b', '1', [0.1, 1, 0]), speaker('b', '2', [1, 0.1, 0]))).toEqual({
      b: { 1: 'Ben', 2: 'Anna' },
    });
  });

  it.each([
    ['with a different voice', speaker('b', '1', [0, 0, 1])],
    ['whose voice is less similar than the threshold', speaker('b', '1', [0.59, 0, 0.81])],
    ['whose voice was computed by a different model', speaker('b', '1', [1, 0, 0], { model: 'n' })],
    [
      'for whom a proposal was already answered',
      speaker('b', '1', [1, 0, 0], { isAnswered: true }),
    ],
    [
      'in a recording with a speaker of that name',
      speaker('b', '1', [1, 0, 0], { namesInRecording: ['Anna'] }),
    ],
  ])('proposes no names for speakers %s', (_, other) => {
    expect(proposed(other)).toEqual({});
  });

  it('proposes a name once per recording, for the most similar speaker', () => {
    expect(proposed(speaker('b', '1', [1, 0, 0.5]), speaker('b', '2', [1, 0, 0.1]))).toEqual({
      b: { 2: 'Anna' },
    });
  });

  it('compares with the mean of all voices with the name', () => {
    const other = speaker('c', '1', [0, 0, 1], { name: 'Anna' });
    expect(proposed(other, speaker('b', '1', [1, 0, 1]))).toEqual({ b: { 1: 'Anna' } });
  });
});
