import { v5 as uuidv5 } from 'uuid';
import { toParagraphs } from '../transcript/paragraphs.ts';
import { assignSpeakers, withLabels } from '../transcript/speakers.ts';
import type { Step } from './step.ts';
import { TaskEnd } from './step.ts';

/**
 * Builds paragraphs from words and speaker turns. The IDs are deterministic, because phones may have received them
 * before a retry.
 */
export const paragraphs: Step<'paragraphs'> = {
  name: 'paragraphs',
  share: 1,

  async run({ task }, { recognise, speakers }) {
    const { language, punctuated } = recognise;
    const words = speakers.labels
      ? withLabels(recognise.words, speakers.labels)
      : assignSpeakers(recognise.words, speakers.turns ?? []);
    const paragraphList = toParagraphs(words, { language, punctuated });
    if (paragraphList.length === 0) throw new TaskEnd('noSpeech');
    return {
      paragraphs: paragraphList.map((paragraph, ordinal) => ({
        id: uuidv5(`paragraph ${ordinal}`, task.id),
        ...paragraph,
      })),
    };
  },
};
