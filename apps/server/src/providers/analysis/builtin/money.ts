import { type LanguageData, type MoneyWords, pattern } from './languages/data.ts';
import { numberReader, numberSource } from './numbers.ts';
import type { Plain } from './plain.ts';

/** A mentioned sum of money. */
export interface MentionedSum {
  /** Offset in the folded sentence. */
  readonly from: number;
  readonly to: number;
  /** Null for vague amounts like "a few hundred". */
  readonly amount: number | null;
  /** ISO 4217; null if unknown. */
  readonly currency: string | null;
  readonly purpose: string | null;
}

/** Unambiguous currency signs. */
const SIGNS: Readonly<Record<string, string>> = {
  '€': 'EUR',
  '£': 'GBP',
  '₽': 'RUB',
  '₩': 'KRW',
  '฿': 'THB',
  '₹': 'INR',
  'R\\$': 'BRL',
  'US\\$': 'USD',
};

export type SumFinder = (plain: Plain) => MentionedSum[];

/**
 * Creates a finder of sums in the sentences of one conversation. `everything` is the entire conversation, which
 * resolves ambiguous currencies ("pesos") and supplies the currency of bare sums if it mentions only one.
 */
export function sumFinder(
  words: MoneyWords,
  data: LanguageData,
  everything: readonly Plain[],
): SumFinder {
  const number = numberSource(data.numbers);
  const read = numberReader(data.numbers);
  const signs = { ...SIGNS, ...words.signs };
  const signSource = Object.keys(signs)
    .sort((a, b) => b.length - a.length)
    .join('|');
  const currencySource = words.currencies.map(({ word }) => word).join('|');
  const edge = data.numbers.unspaced ? '' : String.raw`\b`;
  const vague = data.numbers.vague ? `(?<vague>${edge}${data.numbers.vague})|` : '';
  const between = `(?:[ -]?(?:${words.of ?? '(?!)'})?)`;
  const named = pattern(
    [
      `(?<sign>${signSource}) ?(?<signed>${number})${edge}`,
      `(?:${vague}${edge}(?<plain>${number})) ?(?:(?<after>${signSource})|${between}(?<word>${currencySource})${edge})`,
    ].join('|'),
    'g',
  );
  const bare = (words.bare ?? []).map((source) =>
    pattern(source.replaceAll('{n}', `(?<bare>${number})`), 'dg'),
  );
  const currencies = words.currencies.map((currency) => ({
    ...currency,
    expression: pattern(`^(?:${currency.word})$`),
  }));
  const signCodes = Object.entries(signs).map(
    ([sign, code]) => [pattern(`^(?:${sign})$`), code] as const,
  );

  const placed = new Map<string, string | null>();
  /** Resolves a currency name shared by several countries, if only one of the countries is mentioned. */
  const placeOf = (word: string, places: Readonly<Record<string, string>>) => {
    const known = placed.get(word);
    if (known !== undefined) return known;
    const spokenOf = Object.entries(places).filter(([, source]) => {
      const place = pattern(source);
      return everything.some(({ text }) => place.test(text));
    });
    const code = spokenOf.length === 1 ? (spokenOf[0]?.[0] ?? null) : null;
    placed.set(word, code);
    return code;
  };
  const codeOf = (said: string) => {
    const sign = signCodes.find(([expression]) => expression.test(said));
    if (sign) return sign[1];
    const currency = currencies.find(({ expression }) => expression.test(said));
    if (!currency) return null;
    return (currency.places && placeOf(currency.word, currency.places)) ?? currency.code;
  };

  const findNamed = ({ text }: Plain): MentionedSum[] => {
    if (!/\d|\p{L}/u.test(text)) return [];
    return [...text.matchAll(named)].map((match) => {
      const groups = match.groups ?? {};
      const said = groups.signed ?? groups.plain;
      return {
        from: match.index,
        to: match.index + match[0].length,
        amount: said === undefined ? null : read(said),
        currency: codeOf(groups.sign ?? groups.after ?? groups.word ?? ''),
        purpose: null,
      };
    });
  };

  const common = commonCurrency(everything.flatMap(findNamed));
  const findBare = ({ text }: Plain): MentionedSum[] =>
    bare.flatMap((expression) =>
      [...text.matchAll(expression)].flatMap((match) => {
        const [from, to] = match.indices?.groups?.bare ?? [];
        const said = match.groups?.bare;
        if (from === undefined || to === undefined || said === undefined) return [];
        return [{ from, to, amount: read(said), currency: common, purpose: null }];
      }),
    );

  return (plain) => {
    const sums = findNamed(plain);
    for (const sum of findBare(plain)) {
      if (sums.every((other) => sum.to <= other.from || other.to <= sum.from)) sums.push(sum);
    }
    sums.sort((a, b) => a.from - b.from);
    const [only] = sums;
    // With several sums in a sentence, the purpose of each is ambiguous.
    if (!only || sums.length > 1) return sums;
    return [{ ...only, purpose: purposeIn(plain, words.purposes ?? [], only) }];
  };
}

/** The only currency of a conversation, or null. */
function commonCurrency(sums: readonly MentionedSum[]): string | null {
  const codes = new Set(sums.flatMap(({ currency }) => (currency === null ? [] : [currency])));
  const [code] = codes;
  return codes.size === 1 ? (code ?? null) : null;
}

function purposeIn(plain: Plain, cues: readonly RegExp[], sum: MentionedSum): string | null {
  for (const cue of cues) {
    for (const match of plain.text.matchAll(new RegExp(cue.source, 'dg'))) {
      const [from, to] = match.indices?.groups?.purpose ?? [];
      if (from === undefined || to === undefined) continue;
      // A sum is not its own purpose.
      if (from < sum.to && sum.from < to) continue;
      const purpose = plain.said(from, to).trim();
      if (purpose !== '') return purpose;
    }
  }
  return null;
}
