/** How wide a text is in a font (CSS `font`), in pixels. */
export type Measure = (text: string, font: string) => number;

// Making one takes longer than using it.
const byWord = new Intl.Segmenter(undefined, { granularity: 'word' });
const byCharacter = new Intl.Segmenter();

const closing = /^[\p{Pe}\p{Pf}\p{Po}…—–]+$/u;
const opening = /^[\p{Ps}\p{Pi}]+$/u;

/**
 * The pieces of a text between which a line may end. Words come from the platform, which knows them where
 * no spaces are written (Chinese, Japanese, Thai); marks stay with the word they belong to.
 */
function pieces(text: string): string[] {
  const found: string[] = [];
  let open = '';
  for (const { segment, isWordLike } of byWord.segment(text)) {
    if (isWordLike) {
      found.push(open + segment);
      open = '';
    } else if (opening.test(segment)) {
      open += segment;
    } else if (
      open === '' &&
      found.length > 0 &&
      (closing.test(segment) || segment.trim() === '')
    ) {
      found[found.length - 1] += segment;
    } else {
      found.push(open + segment);
      open = '';
    }
  }
  if (open !== '') found.push(open);
  return found;
}

/**
 * Breaks a text into lines no wider than `width` pixels, spaces at their ends apart; a word that is longer
 * is broken too. Together the lines are the text.
 */
export function wrap(text: string, font: string, width: number, measure: Measure): string[] {
  const lines: string[] = [];
  let line = '';
  const fits = (longer: string) => measure(longer.trimEnd(), font) <= width;
  const end = () => {
    if (line !== '') lines.push(line);
    line = '';
  };
  for (const piece of pieces(text.replace(/\s+/g, ' ').trim())) {
    if (fits(line + piece)) {
      line += piece;
      continue;
    }
    end();
    if (fits(piece)) {
      line = piece;
      continue;
    }
    for (const { segment } of byCharacter.segment(piece)) {
      if (!fits(line + segment)) end();
      line += segment;
    }
  }
  end();
  return lines.length > 0 ? lines : [''];
}

/** Letters that are written from right to left. */
const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u;

/** Whether a text runs from right to left: by its first letter, as `dir="auto"` has it. */
export function runsLeft(text: string): boolean {
  return rightToLeft.test(text.match(/\p{L}/u)?.[0] ?? '');
}
