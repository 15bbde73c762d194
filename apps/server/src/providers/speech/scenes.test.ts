import { describe, expect, it } from 'vitest';
import { wordErrorRate } from '../../transcript/word-error-rate.ts';
import { createPocketSphinx } from './pocketsphinx/index.ts';
import { readScene, sceneNames, throughOpus } from './scene-audio.ts';

/** Largest word error rate promised for the scenes that ship with the product. */
const WORST = 0.15;

describe('the scenes that ship, as the recorder hears and encodes them again', async () => {
  const names = await sceneNames();

  it('include the one for the microphone and some that were recorded before', () => {
    expect(names).toContain('microphone');
    expect(names.length).toBeGreaterThanOrEqual(4);
  });

  it.each(names)('%s is understood', { timeout: 180_000 }, async (name) => {
    const scene = await readScene(name);
    const samples = await throughOpus(scene.samples);
    const { words } = await createPocketSphinx().transcribe({
      audio: { kind: 'pcm', samples },
      language: 'en',
    });
    const heard = words.map((word) => word.text).join(' ');
    expect(wordErrorRate(scene.transcript, heard)).toBeLessThanOrEqual(WORST);
  });
});
