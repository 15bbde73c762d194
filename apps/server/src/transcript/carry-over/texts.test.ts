import { setImmediate } from 'node:timers/promises';
import { limits } from '@linnet/contract/limits';
import { describe, expect, it } from 'vitest';
import { source, target } from '../../../test/carry-over.ts';
import { carryTexts } from './texts.ts';

/** Returns the target's text, and the texts that weren't placed. */
async function carry(before: string, content: string, other: string): Promise<[string, string[]]> {
  const goal = target({ content: other });
  const { texts, unplaced } = await carryTexts([source({ before, content })], [goal]);
  return [texts[0]?.value ?? other, unplaced.map(({ text }) => text)];
}

describe('carryTexts', () => {
  it.each([
    [
      'the same wrong word',
      'we met mr. mayer there',
      'we met mr. Meier there',
      'So we met mr. mayer there.',
      'So we met mr. Meier there.',
    ],
    [
      'the right word',
      'we met mister mayer there',
      'we met mister Meier there',
      'We met mister Meier there',
      'We met mister Meier there',
    ],
    [
      'a different wrong word',
      'we met mister mayer there',
      'we met mister Meier there',
      'we met mister mire there',
      'we met mister Meier there',
    ],
    [
      'two wrong words for one',
      'we met mister mayer there',
      'we met mister Meier there',
      'we met mister my air there',
      'we met mister Meier there',
    ],
    [
      'an insertion',
      'we met there',
      'we never met there',
      'Yes we met there',
      'Yes we never met there',
    ],
    ['a removal', 'we um met there', 'we met there', 'we um met there again', 'we met there again'],
    [
      'a removal of a word that the target lacks',
      'we um met there',
      'we met there',
      'we met there',
      'we met there',
    ],
    [
      'a change whose neighbor was recognized differently',
      'we met mayer there on monday',
      'we met Meier there on monday',
      'we met mire their on monday',
      'we met Meier there on monday',
    ],
    [
      'an insertion among other words',
      'we met there',
      'we never met there',
      'we ever met there',
      'we never met there',
    ],
    [
      'an insertion before the first word',
      'met mister mayer',
      'we met mister mayer',
      'he met mister mayer',
      'we met mister mayer',
    ],
    [
      'a removal of the last word',
      'we met there um',
      'we met there',
      'we met there hm',
      'we met there',
    ],
    [
      'a word that the target lacks',
      'we met mayer there',
      'we met Meier there',
      'we met there',
      'we met Meier there',
    ],
    ['punctuation', 'is it you. yes.', 'is it you? yes.', 'is it you yes', 'is it you? yes'],
    [
      'a capital',
      'we met anna there',
      'we met Anna there',
      'we met anna there',
      'we met Anna there',
    ],
    [
      'the target’s punctuation',
      'we met mayer there',
      'we met Meier there',
      'we met mayer, there',
      'we met Meier, there',
    ],
    [
      'Chinese',
      '我们见了马尔先生',
      '我们见了迈尔先生',
      '昨天我们见了马尔先生。',
      '昨天我们见了迈尔先生。',
    ],
    [
      'Arabic',
      'قابلنا السيد ماير هناك',
      'قابلنا السيد مائير هناك',
      'قابلنا السيد ماير هناك أمس',
      'قابلنا السيد مائير هناك أمس',
    ],
  ])('carries over %s', async (_, before, content, other, expected) => {
    expect(await carry(before, content, other)).toEqual([expected, []]);
  });

  it('lists a change between other words', async () => {
    const [text, unplaced] = await carry(
      'we met mayer there',
      'we met Meier there',
      'nothing of the kind at all',
    );
    expect(text).toBe('nothing of the kind at all');
    expect(unplaced).toEqual(['we met Meier there']);
  });

  it('lists an insertion if the target has additional speech in its place', async () => {
    const speech = 'a b c d e f g h i j k l met him there';
    const [text, unplaced] = await carry('met him there', 'we met him there', speech);
    expect([text, unplaced]).toEqual([speech, ['we met him there']]);
  });

  it('replaces misrecognized letters at the start of a recording', async () => {
    expect(await carry('ทุกคนเราเริ่ม', 'สวัสดีทุกคนเราเริ่ม', 'สวัสดทุกคนเราเริ่ม')).toEqual([
      'สวัสดีทุกคนเราเริ่ม',
      [],
    ]);
  });

  it('places texts by time in a recording of several hours', async () => {
    const sentence = 'we met mister mayer on monday and paid the harbor fee again';
    const times = Array.from({ length: 1440 }, (_, n) => ({ start: n * 5, end: n * 5 + 5 }));
    const isEdited = (_: object, n: number) => n % 100 === 0;
    const from = times.map((time, n) => {
      const content = isEdited(time, n) ? sentence.replace('mayer', 'Meier') : sentence;
      return source({ ...time, id: `${n}`, before: sentence, content });
    });
    const to = times.map((time, n) => target({ ...time, id: `${n}`, content: sentence }));
    const { texts, unplaced } = await carryTexts(from, to);
    expect(texts.map(({ paragraph }) => paragraph)).toEqual(
      from.filter(isEdited).map(({ id }) => id),
    );
    expect(unplaced).toEqual([]);
  });

  it('places a rewritten paragraph as a whole in the paragraph with the same times', async () => {
    expect(await carry('a b c d e', 'The harbor opens at nine', 'f g h i')).toEqual([
      'The harbor opens at nine',
      [],
    ]);
    expect(await carry('a b', 'No thanks', 'f g')).toEqual(['No thanks', []]);
    const goals = [target({ content: 'f g h i', end: 30 })];
    const { texts, unplaced } = await carryTexts(
      [source({ before: 'a b c d e', content: 'The harbor opens at nine', start: 12, end: 20 })],
      goals,
    );
    expect([texts, unplaced.map(({ text, time }) => [text, time])]).toEqual([
      [],
      [['The harbor opens at nine', 12]],
    ]);
  });

  it('places a mostly rewritten paragraph as a whole in the paragraph with the same times', async () => {
    const before = 'The day I is on on elite that the lane and telly and have them on.';
    const content = 'The program quillstack Adebayo is on holiday until the end of the month.';
    const { texts, unplaced } = await carryTexts(
      [source({ before, content, start: 5, end: 10 })],
      [
        target({ id: 'x', content: 'We decided to use the program quill stack.', end: 5 }),
        target({
          ...{ id: 'y', content: 'And ai eyes on holiday until the end of the mind.' },
          ...{ start: 5, end: 10 },
        }),
      ],
    );
    expect([texts, unplaced]).toEqual([[{ paragraph: 'y', value: content, sources: ['a'] }], []]);
  });

  it.each([
    ['hello jon', 'hello John', 'hello John'],
    ['yes', 'Yes.', 'yes'],
  ])(
    'keeps speech of the target that the rewritten paragraph "%s" lacks',
    async (before, content, start) => {
      const speech = ' we are going to meet on monday at nine in the big room on the first floor';
      const [text] = await carry(
        before,
        content,
        `${before.split(' ').slice(-2).join(' ')}${speech}`,
      );
      expect(text.toLowerCase()).toMatch(start.toLowerCase());
      expect(text).toContain(speech);
    },
  );

  it('lists a mostly rewritten paragraph whose words are in another paragraph of the target', async () => {
    const content = 'take the long ladder to the barn';
    const { texts, unplaced } = await carryTexts(
      [source({ before: 'd e f g h the barn', content, end: 10 })],
      [
        target({ id: 'x', content: 'i j k l m n o', end: 10 }),
        target({ id: 'y', content: 'take the long ladder there', start: 10, end: 12 }),
      ],
    );
    expect([texts, unplaced.map(({ text }) => text)]).toEqual([[], [content]]);
  });

  it('carries over a change that the target divides', async () => {
    const goals = [
      target({ id: 'x', content: 'we met mister my', end: 5 }),
      target({ id: 'y', content: 'air there on monday', start: 5 }),
    ];
    const from = source({
      before: 'we met mister mayer there on monday',
      content: 'we met mister Meier there on monday',
    });
    expect(await carryTexts([from], goals)).toEqual({
      texts: [
        { paragraph: 'x', value: 'we met mister Meier', sources: ['a'] },
        { paragraph: 'y', value: 'there on monday', sources: ['a'] },
      ],
      unplaced: [],
    });
  });

  it('lists changes that would make a text too long', async () => {
    const longText = 'there on monday'.padEnd(limits.paragraph.contentMaxLength, ' word');
    const goals = [
      target({ id: 'x', content: 'we met mayer', end: 5 }),
      target({ id: 'y', content: longText, start: 5 }),
    ];
    const content = 'we met Meier there on the first monday';
    const from = source({ before: 'we met mayer there on monday', content });
    const { texts, unplaced } = await carryTexts([from], goals);
    expect(texts).toEqual([{ paragraph: 'x', value: 'we met Meier', sources: ['a'] }]);
    expect(unplaced).toEqual([
      { kind: 'edit', text: content, time: 0, words: [{ from: 5, to: 7 }] },
    ]);
  });

  it('doesn’t replace words where that isn’t allowed', async () => {
    const from = source({ before: 'we met mayer there', content: 'we met Meier there' });
    const goals = [target({ content: 'we met mire there' })];
    const { texts, unplaced } = await carryTexts([from], goals, () => false);
    expect([texts.length, unplaced.length]).toEqual([0, 1]);
  });

  it('lists the removed text if the user removed all of it', async () => {
    const from = source({ before: 'we met there', content: '' });
    const { texts, unplaced } = await carryTexts([from], [target({ content: 'We met there.' })]);
    expect(texts).toEqual([]);
    expect(unplaced).toMatchObject([{ kind: 'removal', text: 'we met there', time: 0 }]);
  });

  it('yields to the event loop', async () => {
    const from = Array.from({ length: 50 }, (_, n) => source({ id: `${n}`, before: 'one' }));
    const carried = carryTexts(from, []);
    expect(await Promise.race([setImmediate('another request'), carried])).toBe('another request');
  });
});
