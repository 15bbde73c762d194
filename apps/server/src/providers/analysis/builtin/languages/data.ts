import { fold } from '../folded-text.ts';

/**
 * One language's cues for each kind of sentence. A kind without cues isn't detected in the language. `npm run bench --
 * analysis` measures precision and recall. Remove any cue that isn't needed by a sentence in `todo-sentences` or in the
 * development meetings, because it would cause more false than true positives.
 */
export interface LanguageData {
  readonly todos?: TodoCues;
  readonly questions: QuestionCues;
  /** Definitions such as "X means …" and "X is called …". */
  readonly knowledge?: Cues;
  readonly needs?: Cues;
  /** Statements that something was decided or agreed. */
  readonly decisions?: Cues;
  /** Announcements of the recording's subject, captured by the group `topic`. */
  readonly announcements?: readonly RegExp[];
  /** Matches the start of a sentence that announces the next subject: "Next point". */
  readonly transitions?: RegExp;
  readonly numbers: NumberWords;
  readonly money?: MoneyWords;
  readonly dates?: DateWords;
}

export interface Cues {
  readonly include: readonly RegExp[];
  /** Cues that exclude a sentence. */
  readonly exclude?: readonly RegExp[];
}

export interface TodoCues extends Cues {
  /** Requests, including those phrased as questions. */
  readonly requests: readonly RegExp[];
  /**
   * Habits, general rules, reported speech, opinions, plans, past intentions, and predictions. They exclude a sentence
   * unless it is a request.
   */
  readonly descriptions?: readonly RegExp[];
  /**
   * Actions during the conversation ("I'll open the window", "Raise your hand"). They exclude a sentence without a
   * date.
   */
  readonly immediate?: readonly RegExp[];
  /**
   * Duties of others, and suggestions that name no assignee. They exclude a sentence without a date or condition unless
   * it is a request.
   */
  readonly unassigned?: readonly RegExp[];
  /**
   * Replies at the start of one of the next sentences that decline or withdraw a task, or say that it is already done.
   */
  readonly withdrawn?: readonly RegExp[];
  /** Captures the assignee in the group `who`. */
  readonly who?: readonly RegExp[];
  /** Captures a condition that stands in for a date, in the group `when`. */
  readonly when?: readonly RegExp[];
}

export interface QuestionCues {
  /** Whether question marks identify questions. If not, only the cues in `include` do. */
  readonly marked: boolean;
  /** Questions without a question mark. */
  readonly include?: readonly RegExp[];
  /** Detects questions by word order. Receives the words in lower case. */
  readonly order?: (words: readonly string[]) => boolean;
  /** Courtesies and rhetorical questions. */
  readonly exclude?: readonly RegExp[];
  /** Interrogative words. Echo questions and greetings have none. */
  readonly interrogatives?: RegExp;
  /** Matches the start of a sentence with which speakers answer their own question. */
  readonly answers?: RegExp;
}

export interface NumberWords {
  /** Number words as regular expressions, with their values: "seven", "seventy". */
  readonly words: Readonly<Record<string, number>>;
  /** Multipliers as regular expressions, with their values: "hundred", "thousand". */
  readonly multipliers: Readonly<Record<string, number>>;
  /** Separator between two words of one number. */
  readonly separator: string;
  /** Whether number words and digits are written without separators: 18万4000. */
  readonly unspaced?: true;
  /** Whether a final digit counts tenths of the preceding multiplier: 三千五 is 3500. */
  readonly tail?: true;
  /** Vague amounts: "a few hundred". */
  readonly vague?: string;
}

export interface Currency {
  /** The currency's name, as a regular expression. */
  readonly word: string;
  /** ISO 4217 code, or null if several countries use the name. */
  readonly code: string | null;
  /**
   * Places that resolve an ambiguous name if they are mentioned anywhere in the conversation, with their currencies.
   */
  readonly places?: Readonly<Record<string, string>>;
}

/** Cues for recognizing a number without a currency as a sum of money ("They want six hundred for it"). */
export interface BareSums {
  /**
   * Words for prices and payments. The sentence, or one shortly before it, must contain such a word or a sum with a
   * currency.
   */
  readonly subject: string;
  /** Words that may follow the sum. Any other word would be the unit of the number. */
  readonly next: string;
  /** Words before a number that isn't a sum: "room", "page". */
  readonly labels: string;
}

export interface MoneyWords {
  readonly currencies: readonly Currency[];
  /**
   * Signs before or after the number, in addition to €, £, ₽, ₩, ฿ and R$. Null has the same meaning as in `Currency`.
   */
  readonly signs?: Readonly<Record<string, string | null>>;
  /** The word between number and currency, as in "millones de euros". */
  readonly connector?: string;
  /** Patterns for sums without a currency; `{n}` stands for the number. */
  readonly withoutCurrency?: readonly string[];
  /** Cues for sums without a currency in sentences about money. */
  readonly bare?: BareSums;
  /** Captures the purpose in the group `purpose`. */
  readonly purposes?: readonly RegExp[];
}

/**
 * A language's date and time expressions. `forms`, `parts` and `exclusions` may contain these placeholders: day (1–31)
 * and hour (0–24) in digits or words, ordinal, month, weekday, relative, year, n (a number), next, last, this (shifts
 * of a weekday), week+1, week-1, week+0 (its week), days, weeks (units), and ahead, ago (the direction of n units).
 */
export interface DateWords {
  /** Month names, starting with January. */
  readonly months: readonly string[];
  /** Weekday names, starting with Sunday. */
  readonly weekdays: readonly string[];
  /** Words and their offsets from the recording in days, or null if unspecified. */
  readonly relative: readonly (readonly [string, number | null])[];
  /** Words for days of the month that aren't number words. */
  readonly ordinals?: Readonly<Record<string, number>>;
  readonly words: Readonly<Record<string, string>>;
  readonly forms: readonly string[];
  /** Parts of the day, recognized only next to a form ("Monday morning"). */
  readonly parts: readonly string[];
  /** Expressions that resemble dates: habits, greetings and durations. */
  readonly exclusions: readonly string[];
  /** Separator between the parts of one date. */
  readonly separator: string;
  /** Matches a sentence that may be about the past, where "Monday" doesn't mean next Monday. */
  readonly pastTense?: RegExp;
}

/**
 * Character classes for the scripts of the ten languages, as UTF-16 ranges. With `\p{…}`, the engine would expand the
 * class separately in each of hundreds of expressions.
 */
const CLASSES: Readonly<Record<string, string>> = {
  L: String.raw`A-Za-z\u00aa\u00b5\u00ba\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u036f\u0370-\u0e3e\u0e40-\u1fff\u2c00-\u2dff\u3005-\u3007\u3041-\u30fa\u30fc-\u318f\u3400-\u9fff\ua000-\ud7ff\uf900-\ufdff\uff66-\uffdc`,
  Lu: String.raw`A-Z\u00c0-\u00d6\u00d8-\u00de\u0152\u0401\u0410-\u042f`,
  Ll: String.raw`a-z\u00df-\u00f6\u00f8-\u00ff\u0153\u0430-\u045f`,
  'Script=Han': String.raw`\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff`,
  'Script=Hiragana': String.raw`\u3041-\u309f`,
  'Script=Katakana': String.raw`\u30a1-\u30fa\u30fc-\u30ff`,
  'Script=Hangul': String.raw`\uac00-\ud7a3`,
};

/** A word boundary in any script, because `\b` only supports ASCII. */
const EDGE = String.raw`(?:(?<![\p{L}\d])(?=[\p{L}\d])|(?<=[\p{L}\d])(?![\p{L}\d]))`;

/**
 * Expands the character classes in an expression and, if `expandCase`, each letter to both cases, like the flag `i`.
 * (`(?-i:…)` misses matches in V8 13.6.)
 */
function expandSource(source: string, expandCase: boolean): string {
  let isInClass = false;
  return source.replace(
    /\\p\{([\w=]+)\}|\\.|\(\?<\w+>|[[\]]|\p{L}/gu,
    (part: string, name?: string) => {
      if (part === '[') isInClass = true;
      if (part === ']') isInClass = false;
      if (name !== undefined) {
        const ranges = CLASSES[name];
        if (ranges === undefined) throw new RangeError(`no ranges for ${part}`);
        return isInClass ? ranges : `[${ranges}]`;
      }
      if (!expandCase || part.length > 1) return part;
      const cases = [...new Set([part.toLowerCase(), part.toUpperCase()])].join('');
      return cases.length === 1 || isInClass ? cases : `[${cases}]`;
    },
  );
}

/** A name: one or two capitalized words. */
export const NAME = String.raw`(?:\p{Lu}\p{L}+(?:[ -]\p{Lu}\p{L}+)?)`;

/**
 * Creates a case-insensitive regular expression for folded text. `\b` is a word boundary in any script; only `\p{Lu}`
 * and `\p{Ll}` are case-sensitive.
 */
export function compilePattern(source: string, flags = 'd'): RegExp {
  const expandsCase = /\\p\{L[ul]\}/u.test(source);
  const expression = expandSource(fold(source).replaceAll('\\b', EDGE), expandsCase);
  return new RegExp(expression, `${flags}${expandsCase ? 'u' : 'iu'}`);
}

/** Matches the start of a named group in a regular expression. */
const NAMED_GROUP = /\(\?<[A-Za-z]\w*>/g;

/**
 * Joins patterns into expressions that match wherever any of the patterns does: one expression per set of flags. They
 * capture nothing, so patterns may use the same group names.
 */
export function joinPatterns(patterns: readonly RegExp[]): RegExp[] {
  const byFlags = Map.groupBy(patterns, ({ flags }) => flags.replace(/[dg]/g, ''));
  return [...byFlags].map(([flags, group]) => {
    const sources = group.map(({ source }) => `(?:${source.replaceAll(NAMED_GROUP, '(?:')})`);
    return new RegExp(sources.join('|'), flags);
  });
}

/** Compiles a template literal to a cue's regular expression. */
export function cue(strings: TemplateStringsArray, ...parts: readonly string[]): RegExp {
  return compilePattern(String.raw({ raw: strings.raw }, ...parts));
}

/** Joins space-separated words to regular expression alternatives. */
export function alternation(words: string): string {
  return `(?:${words.trim().split(/\s+/u).join('|')})`;
}

/** Maps space-separated words to consecutive values, starting with `first`. */
export function enumerateWords(words: string, first: number, step = 1): Record<string, number> {
  return Object.fromEntries(
    words
      .trim()
      .split(/\s+/u)
      .map((word, index) => [word, first + index * step]),
  );
}
