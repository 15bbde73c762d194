import { describe, expect, it } from 'vitest';
import { wordErrorRate } from '../../transcript/word-error-rate.ts';
import { createPocketSphinx } from './pocketsphinx/index.ts';
import { readScene, roundTripThroughOpus, sceneNames } from './scene-audio.ts';

/** Maximum word error rate for the scenes in the repository. */
const MAX_ERROR_RATE = 0.15;

describe('shipped scenes, re-encoded the way the recorder does', async () => {
  const names = await sceneNames();

  it('include the microphone scene and at least three others', () => {
    expect(names).toContain('microphone');
    expect(names.length).toBeGreaterThanOrEqual(4);
  });

  it.each(names)('are recognized: %s', { timeout: 180_000 }, async (name) => {
    const scene = await readScene(name);
    const samples = await roundTripThroughOpus(scene.samples);
    const { words } = await createPocketSphinx().transcribe({
      audio: { kind: 'pcm', samples },
      language: 'en',
    });
    const transcript = words.map((word) => word.text).join(' ');
    expect(wordErrorRate(scene.transcript, transcript)).toBeLessThanOrEqual(MAX_ERROR_RATE);
  });
});
