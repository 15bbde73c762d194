import { describe, expect, it } from 'vitest';
import { readConfig } from '../config/index.ts';
import { knownModels } from './catalog.ts';
import { recognitionKinds } from './manifest.ts';
import { modelSets, recommendedModels, setForLocale } from './recommended.ts';
import { requestedModels } from './requested.ts';

const gibibyte = 2 ** 30;
const kinds: readonly string[] = recognitionKinds;
const find = (name: string) => knownModels.find((model) => model.name === name);
const recognition = (names: readonly string[]) =>
  names.filter((name) => kinds.includes(find(name)?.kind ?? ''));

describe('recommendedModels', () => {
  const languages = {
    european: ['en', 'es', 'fr', 'pt', 'ru'],
    'east-asian': ['zh-Hans', 'ja', 'ko'],
    all: ['ar', 'en', 'es', 'fr', 'ja', 'ko', 'pt', 'ru', 'th', 'zh-Hans'],
  };

  it.each(modelSets.flatMap((set) => [2, 4, 8, 64].map((size) => [set, size] as const)))(
    'covers the languages of the %s set on a machine with %i GiB',
    (set, size) => {
      const names = recommendedModels(size * gibibyte, set);
      expect(names.every((name) => find(name) !== undefined)).toBe(true);
      const covered = recognition(names).flatMap((name) =>
        (find(name)?.languages ?? []).map(({ tag }) => tag),
      );
      expect(covered).toEqual(expect.arrayContaining(languages[set]));
    },
  );

  it("selects models that fit in the machine's memory even at twice their download size", () => {
    for (const set of modelSets) {
      for (const size of [2, 4, 8]) {
        const bytes = recommendedModels(size * gibibyte, set).map(
          (name) => find(name)?.download.bytes ?? 0,
        );
        expect(2 * Math.max(...bytes)).toBeLessThan((size * gibibyte * 2) / 3);
      }
    }
  });

  it('leaves recognition to PocketSphinx below 2 GiB', () => {
    for (const set of modelSets) {
      expect(recommendedModels(gibibyte, set)).toEqual(['silero-vad']);
    }
  });

  it('treats a machine that is sold with 4 GB as a 4 GB machine', () => {
    expect(recommendedModels(3.7 * gibibyte, 'european')).toContain('parakeet-tdt-0.6b-v3-int8');
  });
});

describe('setForLocale', () => {
  it.each([
    ['en-US', 'european'],
    ['fr-CA', 'european'],
    ['zh-Hant-TW', 'east-asian'],
    ['ja', 'east-asian'],
    ['ar-EG', 'all'],
    ['th-TH', 'all'],
    ['sw', 'all'],
  ])('selects for %s: %s', (locale, set) => expect(setForLocale(locale)).toBe(set));
});

describe('requestedModels', () => {
  const machine = { memory: 8 * gibibyte, locale: 'en-US' };
  const getRequested = (environment: Record<string, string>) =>
    requestedModels(readConfig(environment), machine);
  const parakeet = 'parakeet-tdt-0.6b-v3-int8';
  const speakers = ['pyannote-segmentation-3-0', 'eres2net-base'];

  it.each([
    [{}, ['silero-vad', parakeet, ...speakers]],
    [{ MODELS: 'off' }, []],
    [{ MODELS: 'sense-voice-int8' }, ['sense-voice-int8']],
    [
      { MODELS: `${parakeet}, east-asian` },
      [parakeet, 'silero-vad', 'sense-voice-int8', ...speakers],
    ],
    [{ VOICE_DETECTION: 'off' }, [parakeet, ...speakers]],
    [{ ASR: 'pocketsphinx' }, ['silero-vad', ...speakers]],
    [{ OPENAI_API_KEY: 'sk-1' }, ['silero-vad', ...speakers]],
    [{ OPENAI_API_KEY: 'sk-1', ASR: 'sherpa' }, ['silero-vad', parakeet, ...speakers]],
    [{ OPENAI_API_KEY: 'sk-1', MODELS: parakeet }, [parakeet]],
  ])('selects for %j: %j', (environment, names) => {
    expect(getRequested(environment as Record<string, string>)).toEqual(names);
  });

  it('rejects an unknown name', () => {
    expect(() => getRequested({ MODELS: 'parrot' })).toThrow(
      'MODELS is invalid: expected auto, off or names of models and sets; there is no parrot.',
    );
  });
});
