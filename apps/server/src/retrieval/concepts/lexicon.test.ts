import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createLexicon, findConcepts, lexiconLanguages, parseConcepts } from './lexicon.ts';

const folder = new URL('./', import.meta.url);
const files = readdirSync(folder)
  .filter((name) => name.endsWith('.tsv'))
  .map((name) => ({ name, table: readFileSync(new URL(name, folder), 'utf8') }));

describe.each(files)('the lexicon $name', ({ table }) => {
  const concepts = parseConcepts(table);

  it('names each concept once', () => {
    const names = concepts.map(({ name }) => name);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
    for (const name of names) expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
  });

  it('has words without superfluous spaces in every cell', () => {
    for (const { name, words } of concepts) {
      for (const word of words.flat()) expect(`${name}: ${word}`).toMatch(/: \S+( \S+)*$/u);
    }
  });
});

it('finds every word of the lexicon in its own language', () => {
  const missing = files
    .flatMap(({ table }) => parseConcepts(table))
    .flatMap(({ name, words }) =>
      words.flatMap((cell, at) =>
        cell
          .filter((word) => !names(findConcepts(word, [lexiconLanguages[at] ?? ''])).includes(name))
          .map((word) => `${name}: ${word}`),
      ),
    );
  expect(missing).toEqual([]);
});

const names = (matches: readonly { readonly concept: string }[]) =>
  matches.map(({ concept }) => concept);

/** A small lexicon, independent of the words of the real one. */
const lexicon = createLexicon(
  parseConcepts(
    [
      ['concept', ...lexiconLanguages],
      'bread bread|loaf pan pain pão хлеб خبز|أرغفة パン|食パン 식빵|빵집 ขนมปัง 面包',
      'pain pain|ache dolor douleur dor боль ألم|آلام 痛み|痛い 통증|아프 ปวด|เจ็บ 疼痛|很疼',
      'contract contract|agreement contrato contrat contrato договор عقد|عقود 契約 계약 สัญญา 合同',
      'cousin cousin primo|prima cousin primo двоюродный_брат قريب いとこ 사촌 ลูกพี่ลูกน้อง 表哥',
      'meeting meeting|met reunión réunion reunião встреча اجتماع 会議|ミーティング 회의 ประชุม 会议',
    ]
      .map((row) => (typeof row === 'string' ? row.split(' ') : row))
      .map((cells) => cells.join('\t').replaceAll('_', ' '))
      .join('\n'),
  ),
);
const find = (text: string, ...languages: string[]) => names(lexicon.find(text, languages));

describe('a concept', () => {
  it.each([
    ['en', 'Two loaves? No, we signed both contracts.', ['contract']],
    ['es', 'Los contratos y las reuniones.', ['contract', 'meeting']],
    ['fr', "L'accord ? Non, les contrats, après la réunion.", ['contract', 'meeting']],
    ['pt', 'As reuniões sobre contratos.', ['meeting', 'contract']],
    ['ru', 'По договору, после встречи с двоюродным братом.', ['contract', 'meeting', 'cousin']],
    ['ar', 'والعقود بعد الاجتماع', ['contract', 'meeting']],
    ['ja', '契約書は会議のあとで。', ['contract', 'meeting']],
    ['ko', '계약서는 회의에서 봤어요.', ['contract', 'meeting']],
    ['th', 'เซ็นสัญญาหลังประชุม', ['contract', 'meeting']],
    ['zh-Hans', '会议以后签合同。', ['meeting', 'contract']],
  ])('is found by inflected words in %s', (language, text, expected) => {
    expect(find(text, language)).toEqual(expected);
  });

  it('is found by a word of the language that the text is in', () => {
    expect(find('The pain is back.', 'en')).toEqual(['pain']);
    expect(find('Le pain est là.', 'fr-CA')).toEqual(['bread']);
    expect(find('Le pain est là, et je le mange.')).toEqual(['bread']);
    expect(find('合同', 'ja')).toEqual([]);
    expect(find('Das Pain', 'de')).toEqual([]);
  });

  it('is found by English words within other scripts', () => {
    expect(find('明日のmeetingで', 'ja')).toEqual(['meeting']);
    expect(find('встреча, meeting', 'ru')).toEqual(['meeting', 'meeting']);
  });

  it.each([
    ['a stem that is shared with another word', 'We control the contribution.', 'en'],
    ['the start of a katakana word', 'パンフレットを配る', 'ja'],
    ['hiragana across words', '悪くないところ', 'ja'],
    ['syllables across Korean words', '비회의적인', 'ko'],
    ['a part of a Thai word', 'ปวดีย์', 'th'],
  ])('is not found by %s', (_name, text, language) => {
    expect(find(text, language)).toEqual([]);
  });

  it('is found in any text', () => {
    expect(find('')).toEqual([]);
    expect(find('\ud800 \u0000 …', '')).toEqual([]);
  });
});
