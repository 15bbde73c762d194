import { fold } from './folded-text.ts';
import type { NumberWords } from './languages/data.ts';

/** Matches digits with the group and decimal separators of any locale. */
const DIGITS = String.raw`(?:\d{1,3}(?:[., ']\d{3})+(?:[.,]\d{1,2})?|\d+(?:[.,]\d{1,2})?)(?!\d)`;

/**
 * Returns the source of a regular expression for a number in digits, words or both ("3 mil"). The caller adds the
 * boundaries.
 */
export function numberSource({
  words,
  multipliers,
  separator: joint,
  unspaced,
}: NumberWords): string {
  const alternatives = [...Object.keys(words), ...Object.keys(multipliers)]
    .sort((a, b) => b.length - a.length)
    .join('|');
  const word = `(?:${alternatives})`;
  if (unspaced) return `(?:${DIGITS}|${word})(?:${joint}${word}(?:${joint}${DIGITS})?)*`;
  const edge = String.raw`\b`;
  return `(?:${DIGITS}|${word})(?:(?:${joint})${word}${edge})*`;
}

interface Token {
  readonly value: number;
  readonly multiplies: boolean;
  readonly length: number;
}

/** Creates a number parser for one language. */
export function createNumberParser({ words, multipliers, tail }: NumberWords) {
  const stickyRegExp = (source: string) => new RegExp(fold(source), 'iuy');
  const digits = stickyRegExp(DIGITS);
  const terms = [
    ...Object.entries(words).map(([word, value]) => ({
      expression: stickyRegExp(word),
      value,
      multiplies: false,
    })),
    ...Object.entries(multipliers).map(([word, value]) => ({
      expression: stickyRegExp(word),
      value,
      multiplies: true,
    })),
  ];

  function tokenAt(text: string, position: number): Token | undefined {
    digits.lastIndex = position;
    const figures = digits.exec(text)?.[0];
    if (figures !== undefined) {
      return { value: parseDigits(figures), multiplies: false, length: figures.length };
    }
    let longest: Token | undefined;
    for (const { expression, value, multiplies } of terms) {
      expression.lastIndex = position;
      const length = expression.exec(text)?.[0].length ?? 0;
      if (length > (longest?.length ?? 0)) longest = { value, multiplies, length };
    }
    return longest;
  }

  /** Parses a match of `numberSource`. Returns null if it contains no number. */
  return (text: string): number | null => {
    const tokens: Token[] = [];
    for (let position = 0; position < text.length; ) {
      const token = tokenAt(text, position);
      if (token) tokens.push(token);
      position += token?.length ?? 1;
    }
    if (tokens.length === 0) return null;
    // A multiplier applies to all the smaller values before it: 2, 100, 40, 1000 → 240 × 1000.
    const values: number[] = [];
    for (const [index, { value, multiplies }] of tokens.entries()) {
      const previous = tokens[index - 1];
      const isLast = index === tokens.length - 1;
      if (
        tail &&
        isLast &&
        previous?.multiplies &&
        !multiplies &&
        value < 10 &&
        previous.value > 10
      ) {
        values.push((value * previous.value) / 10);
      } else if (multiplies) {
        let smaller = 0;
        while (values.length > 0 && (values.at(-1) as number) < value)
          smaller += values.pop() as number;
        values.push((smaller || 1) * value);
      } else {
        values.push(value);
      }
    }
    return Math.round(values.reduce((sum, value) => sum + value, 0) * 100) / 100;
  };
}

/** Parses `1,150`, `1.150`, `1 150` and `268,50`: three digits after a separator are a group, fewer are decimals. */
function parseDigits(figures: string): number {
  const compact = figures.replace(/[ ']/gu, '');
  if (/^[1-9]\d{0,2}(?:[.,]\d{3})+$/u.test(compact)) return Number(compact.replace(/[.,]/gu, ''));
  const decimal = Math.max(compact.lastIndexOf('.'), compact.lastIndexOf(','));
  if (decimal < 0) return Number(compact);
  return Number(`${compact.slice(0, decimal).replace(/[.,]/gu, '')}.${compact.slice(decimal + 1)}`);
}
