import { describe, expect, it } from 'vitest';
import { errorRateOf, readEnglish } from './real-speech.ts';

/** What was measured for the engine on these recordings; ours must not be worse. */
const WORST = 0.3;

const folder = process.env.SPEECH_DIR;

// real speech is not part of the project: without the folder there is nothing to test
if (folder) {
  describe('real English speech', { timeout: 240_000 }, () => {
    it.each(['plain', 'through-opus'] as const)(
      'is understood as well as ever: %s',
      async (way) => {
        const recordings = await readEnglish(folder);
        expect(recordings.length).toBeGreaterThan(0);
        expect(await errorRateOf(recordings, way)).toBeLessThanOrEqual(WORST);
      },
    );
  });
} else {
  it('waits for SPEECH_DIR to name a folder with real speech', () => {
    expect(folder ?? '').toBe('');
  });
}
