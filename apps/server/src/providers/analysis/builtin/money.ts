/**
 * Finds sums of money in sentences, with their currency and purpose. Each language's words are defined in `languages/`.
 */
import type { FoldedText } from './folded-text.ts';
import { compilePattern, type LanguageData, type MoneyWords } from './languages/data.ts';
import { createNumberParser, numberSource } from './numbers.ts';

/** A mentioned sum of money. */
export interface MentionedSum {
  /** Offset in the folded sentence. */
  readonly from: number;
  readonly to: number;
  /** Null for vague amounts such as "a few hundred". */
  readonly amount: number | null;
  /** ISO 4217 code, or null if unknown. */
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

/** The smallest number recognized as a sum without a currency. Smaller numbers usually count something else. */
const SMALLEST_BARE_SUM = 100;
/** Number of sentences assumed to be about money after a sum with a currency, including the sum's sentence. */
const SENTENCES_FROM_SUM = 4;
/** Number of sentences assumed to be about money after a word for prices or payments, including the word's sentence. */
const SENTENCES_FROM_SUBJECT = 2;

/** A range of the folded sentence. */
interface Range {
  readonly from: number;
  readonly to: number;
}

/** Finds the sums in a sentence. A number without a currency isn't a sum if it is within one of the `dates`. */
export type SumFinder = (sentence: FoldedText, dates?: readonly Range[]) => MentionedSum[];

/**
 * Creates a finder for sums in the sentences of one conversation. It needs the entire conversation to resolve ambiguous
 * currencies ("pesos"), and to assign a currency to sums without one if the conversation mentions only one currency.
 */
export function createSumFinder(
  words: MoneyWords,
  data: LanguageData,
  conversation: readonly FoldedText[],
): SumFinder {
  const number = numberSource(data.numbers);
  const parseNumber = createNumberParser(data.numbers);
  const signs = { ...SIGNS, ...words.signs };
  const signSource = Object.keys(signs)
    .sort((a, b) => b.length - a.length)
    .join('|');
  const currencySource = words.currencies.map(({ word }) => word).join('|');
  const edge = data.numbers.unspaced ? '' : String.raw`\b`;
  const vague = data.numbers.vague ? `(?<vague>${edge}${data.numbers.vague})|` : '';
  const connector = `(?:[ -]?(?:${words.connector ?? '(?!)'})?)`;
  const currencySumPattern = compilePattern(
    [
      `(?<sign>${signSource}) ?(?<signed>${number})${edge}`,
      `(?:${vague}${edge}(?<plain>${number})) ?(?:(?<after>${signSource})|${connector}(?<word>${currencySource})${edge})`,
    ].join('|'),
    'g',
  );
  const bareSumPattern =
    words.bare &&
    compilePattern(
      `(?<!${edge ? String.raw`[\p{L}\d]|\d[.,:/-]|` : ''}(?:${words.bare.labels}) ?)(?<bare>${number})${edge}(?! ?(?:%|per ?cent|por ?ci?ento|pour ?cent|процент))(?=[,.;?!…。、，]+(?![,.;?!…。、，\\d])|$|${words.bare.next})`,
      'dg',
    );
  const barePatterns = (words.withoutCurrency ?? []).map((source) =>
    compilePattern(source.replaceAll('{n}', `(?<bare>${number})`), 'dg'),
  );
  const currencies = words.currencies.map((currency) => ({
    ...currency,
    expression: compilePattern(`^(?:${currency.word})$`),
  }));
  const signCodes = Object.entries(signs).map(
    ([sign, code]) => [compilePattern(`^(?:${sign})$`), code] as const,
  );

  const resolvedCodes = new Map<string, string | null>();
  /**
   * Resolves a currency name that several countries share, if the conversation mentions only one of these countries.
   */
  const resolveByPlace = (word: string, places: Readonly<Record<string, string>>) => {
    const resolved = resolvedCodes.get(word);
    if (resolved !== undefined) return resolved;
    const mentionedCodes = Object.entries(places).filter(([, source]) => {
      const placePattern = compilePattern(source);
      return conversation.some(({ text }) => placePattern.test(text));
    });
    const code = mentionedCodes.length === 1 ? (mentionedCodes[0]?.[0] ?? null) : null;
    resolvedCodes.set(word, code);
    return code;
  };
  const findCurrencyCode = (amountText: string) => {
    const sign = signCodes.find(([expression]) => expression.test(amountText));
    if (sign) return sign[1];
    const currency = currencies.find(({ expression }) => expression.test(amountText));
    if (!currency) return null;
    return (currency.places && resolveByPlace(currency.word, currency.places)) ?? currency.code;
  };

  const findCurrencySums = ({ text }: FoldedText): MentionedSum[] => {
    if (!/\d|\p{L}/u.test(text)) return [];
    return [...text.matchAll(currencySumPattern)].map((match) => {
      const groups = match.groups ?? {};
      const amountText = groups.signed ?? groups.plain;
      return {
        from: match.index,
        to: match.index + match[0].length,
        amount: amountText === undefined ? null : parseNumber(amountText),
        currency: findCurrencyCode(groups.sign ?? groups.after ?? groups.word ?? ''),
        purpose: null,
      };
    });
  };

  const currencySums = new Map(
    conversation.map((sentence) => [sentence, findCurrencySums(sentence)]),
  );
  const currencyInConversation = commonCurrency([...currencySums.values()].flat());
  const aboutMoney = sentencesAboutMoney(currencySums, words.bare);
  const findBareSums = (sentence: FoldedText): MentionedSum[] => {
    const { text } = sentence;
    const isSubject = bareSumPattern !== undefined && aboutMoney.has(sentence);
    return [...barePatterns, ...(isSubject ? [bareSumPattern] : [])].flatMap((expression) =>
      [...text.matchAll(expression)].flatMap((match) => {
        const [from, to] = match.indices?.groups?.bare ?? [];
        const amountText = match.groups?.bare;
        if (from === undefined || to === undefined || amountText === undefined) return [];
        const amount = parseNumber(amountText);
        if (expression === bareSumPattern && !isPlausible(amountText, amount)) return [];
        return [
          {
            from,
            to,
            amount,
            currency: currencyInConversation,
            purpose: null,
          },
        ];
      }),
    );
  };

  return (sentence, dates = []) => {
    const sums = [...(currencySums.get(sentence) ?? [])];
    for (const sum of findBareSums(sentence)) {
      const occupied = [...sums, ...dates];
      if (occupied.every((other) => sum.to <= other.from || other.to <= sum.from)) sums.push(sum);
    }
    sums.sort((a, b) => a.from - b.from);
    const [onlySum] = sums;
    // With several sums in one sentence, it isn't clear which sum a purpose belongs to.
    if (!onlySum || sums.length > 1) return sums;
    return [{ ...onlySum, purpose: purposeIn(sentence, words.purposes ?? [], onlySum) }];
  };
}

/** Returns the sentences that contain or shortly follow a sum, or a word for prices or payments. */
function sentencesAboutMoney(
  sums: ReadonlyMap<FoldedText, readonly MentionedSum[]>,
  bare: MoneyWords['bare'],
): Set<FoldedText> {
  const subject = compilePattern(bare?.subject ?? '(?!)');
  const found = new Set<FoldedText>();
  let remaining = 0;
  for (const [sentence, sumsInSentence] of sums) {
    if (sumsInSentence.length > 0) remaining = SENTENCES_FROM_SUM;
    else if (subject.test(sentence.text)) remaining = Math.max(remaining, SENTENCES_FROM_SUBJECT);
    if (remaining > 0) found.add(sentence);
    remaining -= 1;
  }
  return found;
}

/**
 * Returns whether a number without a currency may be a sum: a price with decimals, or a number that is large enough and
 * not a year.
 */
function isPlausible(text: string, amount: number | null): boolean {
  if (amount === null || text.length === 1 || /^(?:19|20)\d\d$/u.test(text)) return false;
  return amount >= SMALLEST_BARE_SUM || /^\d+[.,]\d\d$/u.test(text);
}

/** Returns the conversation's only currency, or null if there are several or none. */
function commonCurrency(sums: readonly MentionedSum[]): string | null {
  const codes = new Set(sums.flatMap(({ currency }) => (currency === null ? [] : [currency])));
  const [code] = codes;
  return codes.size === 1 ? (code ?? null) : null;
}

function purposeIn(
  sentence: FoldedText,
  cues: readonly RegExp[],
  sum: MentionedSum,
): string | null {
  for (const cue of cues) {
    for (const match of sentence.text.matchAll(new RegExp(cue.source, 'dg'))) {
      const [from, to] = match.indices?.groups?.purpose ?? [];
      if (from === undefined || to === undefined) continue;
      // A sum isn't its own purpose.
      if (from < sum.to && sum.from < to) continue;
      const purpose = sentence.originalText(from, to).trim();
      if (purpose !== '') return purpose;
    }
  }
  return null;
}
