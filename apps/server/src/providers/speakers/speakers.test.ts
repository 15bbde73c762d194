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
import { inOrderOfAppearance } from './turns.ts';

describe('turns', () => {
  it('are in order, with speakers numbered as they are first heard', () => {
    const turns = [
      { start: 5, end: 9.0004, speaker: 0 },
      { start: 2, end: 5, speaker: 7 },
      { start: -1, end: 1, speaker: 3 },
      { start: 9, end: 30, speaker: 7 },
      { start: 11, end: 12, speaker: 9 },
    ];
    expect(inOrderOfAppearance(turns, 10)).toEqual([
      { start: 0, end: 1, speaker: 0 },
      { start: 2, end: 5, speaker: 1 },
      { start: 5, end: 9, speaker: 2 },
      { start: 9, end: 10, speaker: 1 },
    ]);
  });

  it('keep who is who', () => {
    const turn = fc.record({
      start: fc.integer({ min: 0, max: 100 }),
      end: fc.integer({ min: 0, max: 100 }),
      speaker: fc.nat({ max: 5 }),
    });
    fc.assert(
      fc.property(fc.array(turn), (turns) => {
        const numbered = inOrderOfAppearance(turns, 100);
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

/** Who makes which sound, in hertz. */
const voices = { low: 220, high: 2400 } as const;
type Part = readonly [keyof typeof voices | 'silence', number];

async function conversation(...parts: readonly Part[]): Promise<string> {
  const samples = parts.flatMap(([voice, seconds]) =>
    Array.from({ length: seconds * SPEECH_SAMPLE_RATE }, (_, at) =>
      voice === 'silence'
        ? 0
        : 8000 * Math.sin((2 * Math.PI * voices[voice] * at) / SPEECH_SAMPLE_RATE),
    ),
  );
  const file = path.join(await makeFolder(), 'audio.wav');
  await writeFile(file, writeWave(Int16Array.from(samples), SPEECH_SAMPLE_RATE));
  return file;
}

// Its models tell dull tones from bright ones: what is shown is the process and the mapping, not voices.
describe('sherpa’s diarizer', { timeout: 60_000 }, () => {
  let modelsDir: string;
  beforeAll(async () => {
    modelsDir = await makeFolder();
    for (const model of speakerModels()) {
      const from = await writeModel(await makeFolder(), model);
      await installModel({ folder: modelsDir, name: model.name, from, now: () => new Date() });
    }
  });

  it('tells two apart, who speak in turn, and knows them again', async () => {
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
    const turns = await diarizer.diarize({ path, onProgress: (done) => fractions.push(done) });
    expect(turns.map(({ speaker }) => speaker)).toEqual([0, 1, 0]);
    const times = [
      [1, 5],
      [6, 9],
      [10.5, 13.5],
    ] as const;
    for (const [at, [start, end]] of times.entries()) {
      expect(Math.abs((turns[at]?.start ?? 0) - start)).toBeLessThan(0.1);
      expect(Math.abs((turns[at]?.end ?? 0) - end)).toBeLessThan(0.1);
    }
    expect(fractions.at(-1)).toBe(1);
  });

  it('finds nobody in silence, nor in nothing', async () => {
    const diarizer = selectDiarizer({ modelsDir });
    expect(await diarizer.diarize({ path: await conversation(['silence', 5]) })).toEqual([]);
    expect(await diarizer.diarize({ path: await conversation() })).toEqual([]);
  });

  it('is not ready with one model alone', async () => {
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

  it('does not begin what the machine has no memory for', async () => {
    const models = openModels(modelsDir);
    const path = await conversation(['low', 2]);
    const small = createSherpaDiarizer({ models, spareBytes: 100_000 });
    await expect(small.diarize({ path })).rejects.toMatchObject({
      name: 'SpeakerFailure',
      code: 'audio-too-long',
    });
    const large = createSherpaDiarizer({ models, spareBytes: 1_000_000 });
    expect(await large.diarize({ path })).toHaveLength(1);
  });

  it('fails with a code for what went wrong', async () => {
    const models = openModels(modelsDir);
    const path = await conversation(['low', 2]);
    const slow = createSherpaDiarizer({ models, limits: { seconds: 0.01 } });
    await expect(slow.diarize({ path })).rejects.toMatchObject({
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
