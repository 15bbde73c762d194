/** Measures the width of text in a font (CSS `font`), in pixels. */
export type Measure = (text: string, font: string) => number;

// Shared because construction is expensive.
const byWord = new Intl.Segmenter(undefined, { granularity: 'word' });
const byCharacter = new Intl.Segmenter();

const closing = /^[\p{Pe}\p{Pf}\p{Po}…—–]+$/u;
const opening = /^[\p{Ps}\p{Pi}]+$/u;

/**
 * Splits text into segments between which a line may break. Relies on the platform's word boundaries, which also work
 * for scripts without spaces (Chinese, Japanese, Thai). Punctuation stays with its word.
 */
function breakableSegments(text: string): string[] {
  const found: string[] = [];
  let openingPunctuation = '';
  for (const { segment, isWordLike } of byWord.segment(text)) {
    if (isWordLike) {
      found.push(openingPunctuation + segment);
      openingPunctuation = '';
    } else if (opening.test(segment)) {
      openingPunctuation += segment;
    } else if (
      openingPunctuation === '' &&
      found.length > 0 &&
      (closing.test(segment) || segment.trim() === '')
    ) {
      found[found.length - 1] += segment;
    } else {
      found.push(openingPunctuation + segment);
      openingPunctuation = '';
    }
  }
  if (openingPunctuation !== '') found.push(openingPunctuation);
  return found;
}

/**
 * Breaks text into lines no wider than `width` pixels, not counting trailing spaces. Breaks within words that are too
 * long. Joining the lines restores the text.
 */
export function wrap(text: string, font: string, width: number, measure: Measure): string[] {
  const lines: string[] = [];
  let line = '';
  const fits = (longer: string) => measure(longer.trimEnd(), font) <= width;
  const end = () => {
    if (line !== '') lines.push(line);
    line = '';
  };
  for (const piece of breakableSegments(text.replace(/\s+/g, ' ').trim())) {
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

/** Matches letters in right-to-left scripts. */
const rightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u;

/** True if text runs from right to left. The first letter decides, as with `dir="auto"`. */
export function isRightToLeft(text: string): boolean {
  return rightToLeft.test(text.match(/\p{L}/u)?.[0] ?? '');
}
