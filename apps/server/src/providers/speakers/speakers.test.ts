import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { writeWave } from '@linnet/audio/wave';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeFolder } from '../../../test/folder.ts';
import { speakerModels, writeModel } from '../../../test/tiny-models.ts';
import { installModel, openModels } from '../../models/index.ts';
import { SPEECH_SAMPLE_RATE } from '../speech/port.ts';
import { selectDiarizer } from './index.ts';
import { createSherpaDiarizer } from './sherpa/index.ts';
import { numberByAppearance } from './turns.ts';

describe('turns', () => {
  it('are sorted by time, with speakers numbered by first appearance', () => {
    const turns = [
      { start: 5, end: 9.0004, speaker: 0 },
      { start: 2, end: 5, speaker: 7 },
      { start: -1, end: 1, speaker: 3 },
      { start: 9, end: 30, speaker: 7 },
      { start: 11, end: 12, speaker: 9 },
    ];
    expect(numberByAppearance(turns, 10)).toEqual([
      { start: 0, end: 1, speaker: 0 },
      { start: 2, end: 5, speaker: 1 },
      { start: 5, end: 9, speaker: 2 },
      { start: 9, end: 10, speaker: 1 },
    ]);
  });

  it('keep each speaker distinct', () => {
    const turn = fc.record({
      start: fc.integer({ min: 0, max: 100 }),
      end: fc.integer({ min: 0, max: 100 }),
      speaker: fc.nat({ max: 5 }),
    });
    fc.assert(
      fc.property(fc.array(turn), (turns) => {
        const numbered = numberByAppearance(turns, 100);
        const seen: number[] = [];
        for (const { start, end, speaker } of numbered) {
          if (!seen.includes(speaker)) {
            expect(speaker).toBe(seen.length);
            seen.push(speaker);
          }
          expect(turns).toContainEqual({ start, end, speaker: expect.any(Number) });
        }
        expect(numbered).toHaveLength(turns.filter(({ start, end }) => end > start).length);
      }),
    );
  });
});

/** Frequency of each speaker's tone, in hertz. */
const pitches = { low: 220, high: 2400 } as const;
type Part = readonly [keyof typeof pitches | 'silence', number];

async function conversation(...parts: readonly Part[]): Promise<string> {
  const samples = parts.flatMap(([voice, seconds]) =>
    Array.from({ length: seconds * SPEECH_SAMPLE_RATE }, (_, sampleIndex) =>
      voice === 'silence'
        ? 0
        : 8000 * Math.sin((2 * Math.PI * pitches[voice] * sampleIndex) / SPEECH_SAMPLE_RATE),
    ),
  );
  const file = path.join(await makeFolder(), 'audio.wav');
  await writeFile(file, writeWave(Int16Array.from(samples), SPEECH_SAMPLE_RATE));
  return file;
}

// The test models only distinguish dull from bright tones. These tests cover the process and how its results are
// mapped, not voice recognition.
describe('the sherpa diarizer', { timeout: 60_000 }, () => {
  let modelsDir: string;
  beforeAll(async () => {
    modelsDir = await makeFolder();
    for (const model of speakerModels()) {
      const from = await writeModel(await makeFolder(), model);
      await installModel({ folder: modelsDir, name: model.name, from, now: () => new Date() });
    }
  });

  it('distinguishes two alternating speakers and recognizes the first speaker again', async () => {
    const diarizer = selectDiarizer({ modelsDir });
    expect(await diarizer.isReady()).toBe(true);
    const fractions: number[] = [];
    const path = await conversation(
      ['silence', 1],
      ['high', 4],
      ['silence', 1],
      ['low', 3],
      ['silence', 1.5],
      ['high', 3],
    );
    const turns = await diarizer.diarize({
      path,
      onProgress: (fraction) => fractions.push(fraction),
    });
    expect(turns.map(({ speaker }) => speaker)).toEqual([0, 1, 0]);
    const times = [
      [1, 5],
      [6, 9],
      [10.5, 13.5],
    ] as const;
    for (const [index, [start, end]] of times.entries()) {
      expect(Math.abs((turns[index]?.start ?? 0) - start)).toBeLessThan(0.1);
      expect(Math.abs((turns[index]?.end ?? 0) - end)).toBeLessThan(0.1);
    }
    expect(fractions.at(-1)).toBe(1);
  });

  it('returns no turns for silence and for an empty file', async () => {
    const diarizer = selectDiarizer({ modelsDir });
    expect(await diarizer.diarize({ path: await conversation(['silence', 5]) })).toEqual([]);
    expect(await diarizer.diarize({ path: await conversation() })).toEqual([]);
  });

  it('is not ready if only one of its models is installed', async () => {
    const folder = await makeFolder();
    const [model] = speakerModels();
    if (!model) throw new Error('there is no model');
    const from = await writeModel(await makeFolder(), model);
    await installModel({ folder, name: model.name, from, now: () => new Date() });
    const diarizer = selectDiarizer({ modelsDir: folder });
    expect(await diarizer.isReady()).toBe(false);
    const path = await conversation(['low', 1]);
    await expect(diarizer.diarize({ path })).rejects.toMatchObject({ code: 'model-missing' });
  });

  it('rejects audio that exceeds the available memory', async () => {
    const models = openModels(modelsDir);
    const path = await conversation(['low', 2]);
    const limitedDiarizer = createSherpaDiarizer({ models, spareBytes: 100_000 });
    await expect(limitedDiarizer.diarize({ path })).rejects.toMatchObject({
      name: 'SpeakerFailure',
      code: 'audio-too-long',
    });
    const sufficientDiarizer = createSherpaDiarizer({ models, spareBytes: 1_000_000 });
    expect(await sufficientDiarizer.diarize({ path })).toHaveLength(1);
  });

  it('fails with a code for a timeout, an abort and an unreadable file', async () => {
    const models = openModels(modelsDir);
    const path = await conversation(['low', 2]);
    const slowDiarizer = createSherpaDiarizer({ models, limits: { seconds: 0.01 } });
    await expect(slowDiarizer.diarize({ path })).rejects.toMatchObject({
      name: 'SpeakerFailure',
      code: 'timeout',
    });
    const diarizer = createSherpaDiarizer({ models });
    const signal = AbortSignal.abort();
    await expect(diarizer.diarize({ path, signal })).rejects.toMatchObject({ code: 'aborted' });
    await expect(diarizer.diarize({ path: `${path}.none` })).rejects.toMatchObject({
      code: 'audio-unreadable',
    });
  });
});
