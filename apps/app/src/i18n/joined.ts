/** Words that code puts together, with the marks of the language on screen. */

/** How a sentence ends where another follows; the full stop of Chinese and Japanese brings its own room. */
const ends: Readonly<Record<string, { readonly stop: string; readonly space: string }>> = {
  'zh-Hans': { stop: '。', space: '' },
  ja: { stop: '。', space: '' },
  // Thai has no full stop: a space parts its sentences.
  th: { stop: '', space: ' ' },
};
const western = { stop: '.', space: ' ' };

/** A mark at the end, perhaps inside of what closes a quotation. */
const ended = /[.!?…。！？؟:：][\p{Pe}\p{Pf}"]*$/u;

/** Sentences in a row. Those without a mark at their end, as titles have none, get one where another follows. */
export function inARow(sentences: readonly string[], language: string): string {
  const { stop, space } = ends[language] ?? western;
  return sentences
    .filter((sentence) => sentence !== '')
    .map((sentence, at, { length }) =>
      at === length - 1 || ended.test(sentence) ? sentence : sentence + stop,
    )
    .join(space);
}

const commas: Readonly<Record<string, string>> = { ar: '، ', 'zh-Hans': '、', ja: '、' };

/** What belongs side by side, without a word such as *and*. */
export function listed(items: readonly string[], language: string): string {
  return items.join(commas[language] ?? ', ');
}
