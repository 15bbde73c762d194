import { fold } from '../plain.ts';

/**
 * Cues for kinds of sentences in one language. Only cues that are nearly always right are listed, since an
 * empty list in a summary is better than an invented one. Kinds without cues are not detected in the language.
 */
export interface LanguageData {
  readonly todos?: TodoCues;
  readonly questions: QuestionCues;
  /** Definitions: "X means …", "X is called …". */
  readonly knowledge?: Cues;
  readonly needs?: Cues;
  /** Something was decided or agreed. */
  readonly decisions?: Cues;
  /** How speakers say what a recording is about; the group `topic` is its name. */
  readonly announcements?: readonly RegExp[];
  readonly numbers: NumberWords;
  readonly money?: MoneyWords;
  readonly dates?: DateWords;
}

export interface Cues {
  readonly yes: readonly RegExp[];
  /** Where one of these is found as well, the sentence is none. */
  readonly no?: readonly RegExp[];
}

export interface TodoCues extends Cues {
  /** Requests: they ask for a deed even where they are written as questions. */
  readonly requests: readonly RegExp[];
  /** Who is to do it: the group `who`. */
  readonly who?: readonly RegExp[];
  /** A condition that says when, beside dates: the group `when`. */
  readonly when?: readonly RegExp[];
}

export interface QuestionCues {
  /** Whether a question mark ends questions; where it does not, only `yes` tells. */
  readonly marked: boolean;
  /** Questions without a mark. */
  readonly yes?: readonly RegExp[];
  /** The same, where only the order of the words (lower case) tells. */
  readonly order?: (words: readonly string[]) => boolean;
  /** Courtesies and rhetorical questions: no answer is expected. */
  readonly no?: readonly RegExp[];
}

export interface NumberWords {
  /** Regular expressions of words, with what they add: "seven", "seventy". */
  readonly words: Readonly<Record<string, number>>;
  /** With what they multiply the words before them by: "hundred", "thousand". */
  readonly multipliers: Readonly<Record<string, number>>;
  /** The separator between two words of one number. */
  readonly joint: string;
  /** Whether words are written with nothing between them, digits among them: 18万4000. */
  readonly unspaced?: true;
  /** Whether a last unit counts tens of the multiplier before it: 三千五 is 3500. */
  readonly tail?: true;
  /** Instead of a number, where the speaker leaves it open: "a few hundred". */
  readonly vague?: string;
}

export interface Currency {
  /** The word, as a regular expression. */
  readonly word: string;
  /** ISO 4217; null where several countries call theirs so. */
  readonly code: string | null;
  /** Words that tell which one is meant, wherever they occur in the conversation. */
  readonly places?: Readonly<Record<string, string>>;
}

export interface MoneyWords {
  readonly currencies: readonly Currency[];
  /** Signs before or after the number, beside €, £, ₽, ₩, ฿ and R$; null as in `Currency`. */
  readonly signs?: Readonly<Record<string, string | null>>;
  /** Between number and currency, beside a space: "millones de euros". */
  readonly of?: string;
  /** A sum without currency: `{n}` is the number. */
  readonly bare?: readonly string[];
  /** The purpose: the group `purpose`. */
  readonly purposes?: readonly RegExp[];
}

/**
 * Ways to name a time. In `forms`, `parts` and `not`, `{…}` stands for: day
 * (1–31) and hour (0–24) in digits or words, ordinal, month, weekday, relative, year, n (a number),
 * next, last, this (shifts of a weekday), week+1, week-1, week+0 (its
 * week), days, weeks (units), and ahead, ago (the direction of n units).
 */
export interface DateWords {
  /** January first. */
  readonly months: readonly string[];
  /** Sunday first. */
  readonly weekdays: readonly string[];
  /** With the days from the recording, or null where no one day is meant. */
  readonly relative: readonly (readonly [string, number | null])[];
  /** Words of days of a month that are no number words. */
  readonly ordinals?: Readonly<Record<string, number>>;
  readonly words: Readonly<Record<string, string>>;
  readonly forms: readonly string[];
  /** Said beside a form they belong to it ("Monday morning"); alone they say nothing. */
  readonly parts: readonly string[];
  /** Habits, greetings, lengths of time: no dates, although they look so. */
  readonly not: readonly string[];
  /** Between two parts of one date. */
  readonly joint: string;
  /** A sentence with this may tell of the past: its "Monday" is not the coming one. */
  readonly past?: RegExp;
}

/**
 * Classes of characters for the scripts of the ten languages, as ranges of UTF-16: the engine would
 * compute `\p{…}` anew in each of hundreds of expressions.
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

/** The edge of a word in any script; `\b` knows ASCII only. */
const EDGE = String.raw`(?:(?<![\p{L}\d])(?=[\p{L}\d])|(?<=[\p{L}\d])(?![\p{L}\d]))`;

/**
 * The same expression with the ranges of its classes and, if `cased`, each letter in both cases, as the
 * flag `i` would have it. (Its opposite for a part, `(?-i:…)`, misses matches in V8 13.6.)
 */
function spellOut(source: string, cased: boolean): string {
  let inside = false;
  return source.replace(
    /\\p\{([\w=]+)\}|\\.|\(\?<\w+>|[[\]]|\p{L}/gu,
    (part: string, name?: string) => {
      if (part === '[') inside = true;
      if (part === ']') inside = false;
      if (name !== undefined) {
        const ranges = CLASSES[name];
        if (ranges === undefined) throw new RangeError(`no ranges for ${part}`);
        return inside ? ranges : `[${ranges}]`;
      }
      if (!cased || part.length > 1) return part;
      const both = [...new Set([part.toLowerCase(), part.toUpperCase()])].join('');
      return both.length === 1 || inside ? both : `[${both}]`;
    },
  );
}

/** A name as writing shows it: one or two words with a capital. */
export const NAME = String.raw`(?:\p{Lu}\p{L}+(?:[ -]\p{Lu}\p{L}+)?)`;

/**
 * A regular expression for folded text, whatever its case: `\b` is the edge of a word in any script,
 * and only `\p{Lu}` and `\p{Ll}` look at the case.
 */
export function pattern(source: string, flags = 'd'): RegExp {
  const cased = /\\p\{L[ul]\}/u.test(source);
  const expression = spellOut(fold(source).replaceAll('\\b', EDGE), cased);
  return new RegExp(expression, `${flags}${cased ? 'u' : 'iu'}`);
}

/** A cue, written as a regular expression. */
export function cue(strings: TemplateStringsArray, ...parts: readonly string[]): RegExp {
  return pattern(String.raw({ raw: strings.raw }, ...parts));
}

/** Alternatives of a regular expression, from words between spaces. */
export function any(words: string): string {
  return `(?:${words.trim().split(/\s+/u).join('|')})`;
}

/** Words between spaces, counted from `first`. */
export function counted(words: string, first: number, step = 1): Record<string, number> {
  return Object.fromEntries(
    words
      .trim()
      .split(/\s+/u)
      .map((word, index) => [word, first + index * step]),
  );
}
