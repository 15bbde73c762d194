import { getStopWords } from '../providers/analysis/builtin/language.ts';

/**
 * Removes the words of questions that no answer needs: stop words, and in languages without spaces between words, or with
 * endings that become terms of their own, interrogative words and the endings of questions.
 */

/** Interrogative words and endings of questions that aren't stop words, as the segmenter separates them. */
const askingWords: Readonly<Record<string, string>> = {
  ja: 'さん てい ま した いま って どんな どう どの どれ どこ どちら どなた いつ 何 誰 だれ なぜ いくら いくつ ください でした だった くらい ぐらい',
  th: 'เท่าไร เท่าไหร่ ทำไม ไหน แค่ ไหร่ กี่ ยังไง อย่างไร บอก ไหม นาน',
  zh: '为什么 为何 怎么样 怎样 如何 哪里 哪儿 哪个 几 什么时候 多久 是否',
};
const segmenters = new Map(
  Object.keys(askingWords).map((language) => [
    language,
    new Intl.Segmenter(language, { granularity: 'word' }),
  ]),
);

const koreanInterrogatives =
  /^(?:무엇|무슨|뭐|뭘|어떻|어떤|어느|어디|언제|누구|누가|누굴|왜(?!곡)|얼마|몇)\p{L}*$/u;
const koreanEndings =
  /(?:었|았|였|했|이었)?(?:나요|은가요|는가요|인가요|가요|까요|습니까|입니까|니까|어요|아요|지요|죠|예요|이에요)$/u;
const koreanParticles =
  /(?<=.{2})(?:에서는|에서|에게|한테|까지|부터|으로|이랑|처럼|보다|은|는|이|가|을|를|에|의|도|로|와|과|랑|만)$/u;

/** Returns a question without its stop words. @param languages the languages that it may be in, most likely first */
export function removeStopWords(question: string, languages: readonly string[]): string {
  const text = question.normalize('NFC').toLowerCase();
  const [language = ''] = languages;
  const lists = [...languages.map(getStopWords), new Set(askingWords[language]?.split(' '))];
  const removeStopWord = (word: string) => (lists.some((list) => list.has(word)) ? ' ' : word);
  const segmenter = segmenters.get(language);
  if (segmenter) {
    return [...segmenter.segment(text)].map(({ segment }) => removeStopWord(segment)).join('');
  }
  return text.replace(/[\p{L}\p{M}\p{N}']+/gu, (word) =>
    removeStopWord(language === 'ko' ? stemKorean(word) : word),
  );
}

/** Removes Korean interrogative words, and the particles and endings of other words, which are terms like any pair of syllables. */
function stemKorean(word: string): string {
  if (koreanInterrogatives.test(word)) return '';
  return word.replace(koreanEndings, '').replace(koreanParticles, '');
}
