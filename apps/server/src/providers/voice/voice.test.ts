import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { writeWave } from '@linnet/audio/wave';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { makeFolder } from '../../../test/folder.ts';
import { bells, music } from '../../../test/odd-audio.ts';
import { loudModel, writeModel } from '../../../test/tiny-models.ts';
import { synthesizeTones, type ToneWord, toneWords } from '../../../test/tiny-onnx.ts';
import { installModel, openModels } from '../../models/index.ts';
import { createPocketSphinx } from '../speech/pocketsphinx/index.ts';
import { SPEECH_SAMPLE_RATE } from '../speech/port.ts';
import { readScene, roundTripThroughOpus } from '../speech/scene-audio.ts';
import { type SpokenAudio, voiceContract } from './contract-suite.ts';
import { selectVoiceDetector } from './index.ts';
import { createLevelDetector } from './level.ts';
import type { SpeechSegment } from './port.ts';
import { createSilero } from './silero.ts';

const SECONDS = 8;
const generate = (sample: (at: number) => number) =>
  Int16Array.from({ length: SECONDS * SPEECH_SAMPLE_RATE }, (_, index) => sample(index));
const tone = (at: number, hertz = 440) =>
  8000 * Math.sin((2 * Math.PI * hertz * at) / SPEECH_SAMPLE_RATE);
/** Generates reproducible noise with a linear congruential generator. */
const noise = (() => {
  let state = 1;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return 4000 * (state / 2 ** 31 - 1);
  };
})();
/** Silences a sample outside seconds 3 to 6. */
const withinSilence = (at: number, sample: number) =>
  at > 3 * SPEECH_SAMPLE_RATE && at < 6 * SPEECH_SAMPLE_RATE ? sample : 0;

const silence = generate(() => 0);

/** A scene, with the words that PocketSphinx confidently recognizes in it. */
function scene(name: string): () => Promise<SpokenAudio> {
  let known: Promise<SpokenAudio> | undefined;
  const load = async () => {
    const { samples } = await readScene(name);
    const audio = { kind: 'pcm', samples } as const;
    const { words } = await createPocketSphinx({
      privateRoot: inject('enginesDir') ?? undefined,
    }).transcribe({
      audio,
      language: 'en',
    });
    return { samples, words: words.filter(({ confidence }) => confidence > 0.5) };
  };
  return () => {
    known ??= load();
    return known;
  };
}

const rootMeanSquare = (samples: Int16Array) =>
  Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length);

async function findSegments(samples: Int16Array): Promise<readonly SpeechSegment[]> {
  const file = path.join(await makeFolder(), 'audio.wav');
  await writeFile(file, writeWave(samples, SPEECH_SAMPLE_RATE));
  return createLevelDetector().detect({ path: file });
}

/** Returns the words whose middle is outside all segments. */
const findMissedWords = (words: readonly SpeechSegment[], segments: readonly SpeechSegment[]) =>
  words.filter(({ start, end }) => {
    const middle = (start + end) / 2;
    return !segments.some((segment) => segment.start <= middle && middle <= segment.end);
  });

describe('level detector', async () => {
  const voice = scene('microphone');
  voiceContract(createLevelDetector, {
    unspoken: {
      silence,
      'a steady tone': generate((index) => tone(index)),
      'a tone amid silence': generate((index) => withinSilence(index, tone(index))),
      'white noise': generate(noise),
      'white noise amid silence': generate((index) => withinSilence(index, noise())),
      'the hum of a machine': generate(
        (index) => tone(index, 50) / 4 + tone(index, 150) / 8 + noise() / 40,
      ),
      'plucked strings': music(24),
      'plucked strings through Opus': await roundTripThroughOpus(music(24)),
      bells: bells(24),
      'bells through Opus': await roundTripThroughOpus(bells(24)),
    },
    spoken: { 'a voice': voice, 'a walk among birds': scene('wild-birds') },
  });

  it('finds a voice in noise', async () => {
    const { samples, words } = await voice();
    const noisy = samples.map((sample) => sample + noise() / 16);
    expect(findMissedWords(words, await findSegments(noisy))).toEqual([]);
  });

  it.each(Object.entries({ 'plucked strings': music, bells }))(
    'finds a voice over %s',
    async (_, play) => {
      const { samples, words } = await voice();
      const background = play(Math.ceil(samples.length / SPEECH_SAMPLE_RATE));
      const volume = (10 ** (-8 / 20) * rootMeanSquare(samples)) / rootMeanSquare(background);
      const mixed = samples.map((sample, index) => sample + volume * (background[index] as number));
      expect(findMissedWords(words, await findSegments(mixed))).toEqual([]);
    },
  );

  it('finds a voice between pieces of music and excludes the music', async () => {
    const { samples, words } = await voice();
    const [before, after] = [20, 15];
    const joined = new Int16Array([...music(before), ...samples, ...music(after)]);
    const segments = await findSegments(joined);
    const shiftedWords = words.map(({ start, end }) => ({
      start: start + before,
      end: end + before,
    }));
    expect(findMissedWords(shiftedWords, segments)).toEqual([]);
    // Seconds of music before and after the voice that may be classified as speech.
    const tolerance = 3.5;
    expect(segments[0]?.start).toBeGreaterThan(before - tolerance);
    const spokenEnd = before + samples.length / SPEECH_SAMPLE_RATE;
    expect(segments.at(-1)?.end).toBeLessThan(spokenEnd + tolerance);
  });
});

describe('neural detector', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await makeFolder();
    const from = await writeModel(await makeFolder(), loudModel());
    await installModel({ folder, name: 'loud', from, now: () => new Date() });
  });
  const open = async (limits = {}) => {
    const models = openModels(folder);
    const [model] = await models.installed();
    if (!model) throw new Error('the model is not installed');
    return createSilero({ models, model, limits });
  };

  // This model classifies loud audio as a voice, so these tests cover the process and the mapping, not the accuracy.
  voiceContract(() => open(), {
    unspoken: { silence, 'soft noise': generate(() => noise() / 100) },
    spoken: {
      tones: async () => {
        const names = Array.from({ length: 40 }, (_, index) => toneWords[index % 5] as ToneWord);
        return synthesizeTones(names);
      },
    },
  });

  it('is selected if installed, otherwise the level detector', async () => {
    const file = path.join(await makeFolder(), 'tone.wav');
    await writeFile(
      file,
      writeWave(
        generate((index) => withinSilence(index, tone(index))),
        SPEECH_SAMPLE_RATE,
      ),
    );
    const found = await selectVoiceDetector({ modelsDir: folder }).detect({ path: file });
    expect(found).toHaveLength(1);
    expect(found[0]?.start).toBeGreaterThan(2.5);
    expect(found[0]?.end).toBeLessThan(6.5);
    const emptyFolder = await makeFolder();
    expect(await selectVoiceDetector({ modelsDir: emptyFolder }).detect({ path: file })).toEqual(
      [],
    );
  });

  it('fails with a timeout when the process takes too long', async () => {
    const file = path.join(await makeFolder(), 'silence.wav');
    await writeFile(file, writeWave(silence, SPEECH_SAMPLE_RATE));
    const slowDetector = await open({ seconds: 0.01 });
    await expect(slowDetector.detect({ path: file })).rejects.toMatchObject({ code: 'timeout' });
  });
});
