import type { NumberWords } from './languages/data.ts';
import { fold } from './plain.ts';

/** Digits with group and decimal separators of any locale. */
const DIGITS = String.raw`(?:\d{1,3}(?:[., ']\d{3})+(?:[.,]\d{1,2})?|\d+(?:[.,]\d{1,2})?)(?!\d)`;

/** Source of a regular expression for a number in digits, words or both ("3 mil"). The caller adds boundaries. */
export function numberSource({ words, multipliers, joint, unspaced }: NumberWords): string {
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

/** Creates a parser of numbers in one language. */
export function numberReader({ words, multipliers, tail }: NumberWords) {
  const sticky = (source: string) => new RegExp(fold(source), 'iuy');
  const digits = sticky(DIGITS);
  const known = [
    ...Object.entries(words).map(([word, value]) => ({
      expression: sticky(word),
      value,
      multiplies: false,
    })),
    ...Object.entries(multipliers).map(([word, value]) => ({
      expression: sticky(word),
      value,
      multiplies: true,
    })),
  ];

  function tokenAt(text: string, at: number): Token | undefined {
    digits.lastIndex = at;
    const figures = digits.exec(text)?.[0];
    if (figures !== undefined) {
      return { value: readDigits(figures), multiplies: false, length: figures.length };
    }
    let longest: Token | undefined;
    for (const { expression, value, multiplies } of known) {
      expression.lastIndex = at;
      const length = expression.exec(text)?.[0].length ?? 0;
      if (length > (longest?.length ?? 0)) longest = { value, multiplies, length };
    }
    return longest;
  }

  /** Parses a match of `numberSource`; null if it contains no number. */
  return (text: string): number | null => {
    const tokens: Token[] = [];
    for (let at = 0; at < text.length; ) {
      const token = tokenAt(text, at);
      if (token) tokens.push(token);
      at += token?.length ?? 1;
    }
    if (tokens.length === 0) return null;
    // A multiplier applies to all smaller values before it: 2, 100, 40, 1000 → 240 × 1000.
    const sums: number[] = [];
    for (const [index, { value, multiplies }] of tokens.entries()) {
      const before = tokens[index - 1];
      const last = index === tokens.length - 1;
      if (tail && last && before?.multiplies && !multiplies && value < 10 && before.value > 10) {
        sums.push((value * before.value) / 10);
      } else if (multiplies) {
        let smaller = 0;
        while (sums.length > 0 && (sums.at(-1) as number) < value) smaller += sums.pop() as number;
        sums.push((smaller || 1) * value);
      } else {
        sums.push(value);
      }
    }
    return Math.round(sums.reduce((sum, value) => sum + value, 0) * 100) / 100;
  };
}

/** Parses `1,150`, `1.150`, `1 150` and `268,50`: three digits after a separator are a group, fewer are decimals. */
function readDigits(figures: string): number {
  const bare = figures.replace(/[ ']/gu, '');
  if (/^[1-9]\d{0,2}(?:[.,]\d{3})+$/u.test(bare)) return Number(bare.replace(/[.,]/gu, ''));
  const decimal = Math.max(bare.lastIndexOf('.'), bare.lastIndexOf(','));
  if (decimal < 0) return Number(bare);
  return Number(`${bare.slice(0, decimal).replace(/[.,]/gu, '')}.${bare.slice(decimal + 1)}`);
}
