import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { languages } from '../languages.ts';
import { defaultSpeakerName } from '../speaker-names.ts';
import { adaptParticle, findNames } from './find-names.ts';

const namesIn = (text: string, ...names: string[]) =>
  findNames(text, names).map(({ name }) => name);

describe('findNames', () => {
  it.each([
    ['en', 'Anna’s plan: Anna, then Anna.', 'Anna', 3],
    ['en', 'Annabel and Johanna met Anna-Lena', 'Anna', 0],
    ['en', 'Will the budget last? It will.', 'will', 1],
    ['en', 'Speaker 1, Speaker 10 and Speaker 1', 'Speaker 1', 2],
    ['zh-Hans', '王小明负责预算，小明也同意', '小明', 2],
    ['zh-Hans', '说话人1说，说话人10不同意', '说话人1', 1],
    ['zh-Hans', '明天和明年', '明', 0],
    ['ja', '話者1が話者12に説明する', '話者1', 1],
    ['ja', '山田さんが山田屋に電話する', '山田', 2],
    ['ja', 'アンナさんとアンナプルナ', 'アンナ', 1],
    ['ko', '안나가 안나에게 말하고 안나비가 온다', '안나', 2],
    ['ko', '화자 1은 화자 11과 이야기한다', '화자 1', 1],
    ['th', 'ผู้พูด 1จะส่งรายงานให้ผู้พูด 12', 'ผู้พูด 1', 1],
    ['th', 'สมชายจะโทรหาสมหญิง', 'สมชาย', 1],
    ['ar', 'قال أحمد إن أحمد سيتصل', 'أحمد', 2],
    ['ar', 'وأحمد ولأحمد', 'أحمد', 0],
    ['ru', 'Анна говорит, у Анны есть план', 'Анна', 1],
    ['es', 'Lo dijo Íñigo; Íñiguez no', 'Íñigo', 1],
    ['pt', 'João e Joãozinho', 'João', 1],
    ['fr', 'l’idée d’Élodie et d’Élodiette', 'Élodie', 1],
  ])('finds whole words (%s): %s', (_, text, name, count) => {
    expect(findNames(text, [name]).filter((each) => each.name === name)).toHaveLength(count);
    for (const { start, end } of findNames(text, [name])) {
      expect(text.slice(start, end)).toBe(name);
    }
  });

  it('prefers the longest of several names, whatever their order', () => {
    const text = 'Anna Maria asks Anna';
    expect(namesIn(text, 'Anna', 'Anna Maria')).toEqual(['Anna Maria', 'Anna']);
    expect(namesIn(text, 'Anna Maria', 'Anna')).toEqual(['Anna Maria', 'Anna']);
  });

  it.each(languages.map(({ bcp47 }) => bcp47))(
    'finds the default speaker names in %s',
    (language) => {
      const names = ['1', '2', '12'].map((label) => defaultSpeakerName(label, language));
      expect(namesIn(names.join(', '), ...names)).toEqual(names);
    },
  );

  it('finds nothing for names without letters, or with spaces around them', () => {
    expect(namesIn('— a , b', '—', ' ', '', ' a')).toEqual([]);
  });

  it('returns positions of the names in order, without overlaps', () => {
    const word = fc.constantFrom(
      'Anna',
      'Ann',
      'a',
      '小明',
      '안나',
      '가',
      'アン',
      ' ',
      '-',
      '1',
      '́',
    );
    const texts = fc.array(word, { maxLength: 12 }).map((words) => words.join(''));
    fc.assert(
      fc.property(texts, fc.array(texts, { maxLength: 4 }), (text, names) => {
        let last = 0;
        for (const { name, start, end } of findNames(text, names)) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(text.slice(start, end)).toBe(name);
          expect(names).toContain(name);
          last = end;
        }
      }),
    );
  });
});

describe('adaptParticle', () => {
  it.each([
    ['은 동의한다', '안나', '는 동의한다'],
    ['는 동의한다', '민준', '은 동의한다'],
    ['이 말했다', '안나', '가 말했다'],
    ['를 부른다', '지훈', '을 부른다'],
    ['와 함께', '화자 1', '과 함께'],
    ['로 보낸다', '민준', '으로 보낸다'],
    ['으로 보낸다', '한별', '로 보낸다'],
  ])('adapts %s to %s', (text, name, adapted) => {
    expect(adaptParticle(text, name)).toBe(adapted);
  });

  it.each([
    ['에게 보낸다', '민준'],
    [' agrees', '민준'],
    ['이나 다른 사람', '안나'],
    ['은 동의한다', 'Anna'],
    ['', '안나'],
  ])('keeps %j unchanged after %s', (text, name) => {
    expect(adaptParticle(text, name)).toBe(text);
  });
});
