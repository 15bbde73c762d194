/** A long talk synthesized with flite, with the end time of each sentence. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SAMPLE_RATE } from '@linnet/audio/format';
import { scripts } from '@linnet/virtual-recorder/scenes/scripts';
import { synthesize } from '@linnet/virtual-recorder/scenes/speak';

export type SpokenSentence = {
  readonly text: string;
  /** End of the last word, in seconds from the start of the talk. */
  readonly end: number;
};

export type SpokenTalk = {
  readonly samples: Int16Array;
  readonly sentences: readonly SpokenSentence[];
};

/** Silence that `synthesize` adds before and after each sentence, in seconds. */
const EDGE_SECONDS = 0.6;

/** Speaks the sentences of all scenes in order, 1.2 seconds apart, until the talk is long enough. */
export function speakTalk(minutes: number): SpokenTalk {
  const folder = mkdtempSync(join(tmpdir(), 'linnet-talk-'));
  try {
    const spokenParagraphs = scripts.flatMap(({ paragraphs, ...scene }) =>
      paragraphs.flatMap(({ voice, sentences }) =>
        sentences.map((text) => {
          const script = { ...scene, paragraphs: [{ voice, sentences: [text] }] };
          return { text, samples: synthesize(script, folder, false).samples };
        }),
      ),
    );
    const samples = new Int16Array(minutes * 60 * SAMPLE_RATE);
    const sentences: SpokenSentence[] = [];
    let length = 0;
    for (let n = 0; ; n++) {
      const sentence = spokenParagraphs[n % spokenParagraphs.length];
      if (!sentence || length + sentence.samples.length > samples.length) break;
      samples.set(sentence.samples, length);
      length += sentence.samples.length;
      sentences.push({ text: sentence.text, end: length / SAMPLE_RATE - EDGE_SECONDS });
    }
    return { samples: samples.subarray(0, length), sentences };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
