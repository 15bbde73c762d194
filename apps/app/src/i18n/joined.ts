/** Joins strings with the interface language's punctuation. */

/** Punctuation between sentences. In Chinese and Japanese, no space follows the full stop. */
const separators: Readonly<Record<string, { readonly stop: string; readonly space: string }>> = {
  'zh-Hans': { stop: '。', space: '' },
  ja: { stop: '。', space: '' },
  // Thai has no full stop; a space separates sentences.
  th: { stop: '', space: ' ' },
};
const western = { stop: '.', space: ' ' };

/** Matches final punctuation, optionally inside a closing quotation mark or bracket. */
const finalPunctuation = /[.!?…。！？؟:：][\p{Pe}\p{Pf}"]*$/u;

/** Joins sentences. Adds a full stop to every one without final punctuation, except the last. */
export function joinSentences(sentences: readonly string[], language: string): string {
  const { stop, space } = separators[language] ?? western;
  return sentences
    .filter((sentence) => sentence !== '')
    .map((sentence, index, { length }) =>
      index === length - 1 || finalPunctuation.test(sentence) ? sentence : sentence + stop,
    )
    .join(space);
}

/** Matches characters that no space is written next to. */
const unspaced = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303f\uff01-\uff60]`;
const unspacedEnd = new RegExp(`${unspaced}$`, 'u');
const unspacedStart = new RegExp(`^${unspaced}`, 'u');

/** Returns the space between two sentences, which may be in a different language from the interface. */
export function spaceBetween(sentence: string, next: string): '' | ' ' {
  return unspacedEnd.test(sentence) || unspacedStart.test(next) ? '' : ' ';
}

const commas: Readonly<Record<string, string>> = { ar: '، ', 'zh-Hans': '、', ja: '、' };

/** Joins items with commas, without a conjunction. */
export function joinList(items: readonly string[], language: string): string {
  return items.join(commas[language] ?? ', ');
}
