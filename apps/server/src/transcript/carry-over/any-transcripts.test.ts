import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { source, target } from '../../../test/carry-over.ts';
import { carryHighlights } from './highlights.ts';
import { carrySpeakers } from './speakers.ts';
import { carryTexts } from './texts.ts';

describe('any two transcripts', () => {
  const word = fc.constantFrom('a', 'b', 'c', 'dd', '马', 'é.', '—', '\n');
  const text = fc.array(word, { maxLength: 12 }).map((words) => words.join(' '));
  const label = fc.constantFrom(null, '1', '2', '3');
  const times = fc.record({ start: fc.integer({ min: 0, max: 60 }), length: fc.nat(20) });
  const from = fc
    .array(
      fc
        .record({ times, before: text, content: text, isHighlighted: fc.boolean() })
        .chain((part) =>
          fc.record({ ...{ part: fc.constant(part) }, speaker: label, isAssigned: fc.boolean() }),
        ),
      { maxLength: 6 },
    )
    .map((list) =>
      list.map(
        (
          {
            part: {
              times: { start, length },
              ...part
            },
            speaker,
            isAssigned,
          },
          n,
        ) => source({ ...part, id: `${n}`, start, end: start + length, speaker, isAssigned }),
      ),
    );
  const to = fc
    .array(fc.record({ times, content: text, speaker: label }), { maxLength: 6 })
    .map((list) =>
      list.map(({ times: { start, length }, ...part }, n) =>
        target({ ...part, id: `${n}`, start, end: start + length }),
      ),
    );

  it('lose none of the changes', async () => {
    await fc.assert(
      fc.asyncProperty(
        from,
        to,
        fc.dictionary(fc.constantFrom('1', '2', '3', '4'), fc.constantFrom('Ann', 'Ben')),
        async (all, goals, names) => {
          for (const { id, isHighlighted, content, start } of all) {
            const { highlights, unplaced } = carryHighlights(all, goals);
            const isCarried = highlights.some(({ sources }) => sources.includes(id));
            const isListed = unplaced.some(({ text, time }) => text === content && time === start);
            if (isHighlighted) expect(isCarried || isListed).toBe(true);
          }
          const speakers = carrySpeakers(all, goals, names);
          const listed = speakers.unplaced.length;
          expect(Object.keys(speakers.names).length + listed).toBeGreaterThanOrEqual(
            Object.keys(names).length,
          );
          // The user's words of a changed paragraph are in the target or in the unplaced list.
          for (const one of all) {
            const { texts, unplaced } = await carryTexts([one], goals);
            const after = goals.map(
              ({ id, content }) =>
                texts.find(({ paragraph }) => paragraph === id)?.value ?? content,
            );
            const everything = [...after, ...unplaced.map(({ text }) => text)]
              .join(' ')
              .toLowerCase();
            const wordsBefore = new Set(one.before.split(/\s+/));
            const addedWords = one.content
              .split(/\s+/)
              .filter((each) => /\p{L}/u.test(each) && !wordsBefore.has(each));
            for (const each of addedWords) expect(everything).toContain(each.replace('.', ''));
          }
        },
      ),
    );
  });
});
