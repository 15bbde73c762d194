/** The section names that the server stores in mind maps must match the names shown in the app's summaries. */
import { structureHeadings } from '@linnet/contract/structures';
import { expect, it } from 'vitest';
import { sectionName } from '../../apps/server/src/transcript/section-words.ts';
import { textsByLanguage } from './texts.ts';

const headings = [...new Set(Object.values(structureHeadings).flat())];

it.each([...textsByLanguage])(
  'mind maps and summaries use the same section names in %s',
  (language, texts) => {
    for (const heading of headings) {
      expect(sectionName(heading, language), heading).toBe(
        texts.get(`summary.headings.${heading}`),
      );
    }
  },
);
