/** Finds names in texts of all ten languages, as whole words. */

/** A name's position in the text. */
export interface FoundName {
  readonly name: string;
  readonly start: number;
  readonly end: number;
}

/** Minimum name lengths for scripts without spaces between words, where short names often occur inside other words. */
const minimumLengths: readonly (readonly [script: RegExp, length: number])[] = [
  [/^\p{Script=Han}+$/u, 2],
  [/^[\p{Script=Hiragana}\p{Script=Katakana}ー]+$/u, 2],
  [/^[\p{Script=Thai}]+$/u, 3],
];

const HANGUL = /\p{Script=Hangul}/u;
const KATAKANA = /[\p{Script=Katakana}ー]/u;
/** Matches a letter or digit of a script that separates words by spaces. Adjacent matches belong to the same word. */
const SPACED_SCRIPT =
  /(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Hangul}ー])[\p{L}\p{N}\p{M}_]/u;
const MARK = /\p{M}/u;
const HYPHENS = /^[-\u2010\u2011][\p{L}\p{N}]/u;
const HYPHENS_BEFORE = /[\p{L}\p{N}][-\u2010\u2011]$/u;

/** Matches Korean honorifics and particles attached to a name. */
const KOREAN_ENDING =
  /^(?:님|씨)?(?:은|는|이|가|을|를|과|와|으로|로|의|에게서|에게|께서|께|한테|도|만|이나|나|부터|까지|처럼|보다|이랑|랑)?(?!\p{Script=Hangul})/u;

/**
 * Finds names in text as whole words, without overlaps. If several names match at the same position, the longest
 * wins. Case-sensitive, because many names are ordinary words in lower case. Inflected names aren't found.
 */
export function findNames(text: string, names: readonly string[]): FoundName[] {
  const candidates = [...new Set(names)]
    .filter(isFindable)
    .sort((a, b) => b.length - a.length || (a < b ? -1 : 1));
  const found: FoundName[] = [];
  let start = 0;
  while (candidates.length > 0 && start < text.length) {
    const name = candidates.find(
      (each) => text.startsWith(each, start) && isWord(text, start, each),
    );
    if (name !== undefined) found.push({ name, start, end: start + name.length });
    start += name?.length ?? 1;
  }
  return found;
}

function isFindable(name: string): boolean {
  if (name.trim() !== name || !/[\p{L}\p{N}]/u.test(name)) return false;
  const minimum = minimumLengths.find(([script]) => script.test(name));
  return minimum === undefined || name.length >= minimum[1];
}

/** True if the name at `start` isn't part of a longer word or of a hyphenated name. */
function isWord(text: string, start: number, name: string): boolean {
  const textBefore = text.slice(0, start);
  const textAfter = text.slice(start + name.length);
  if (HYPHENS_BEFORE.test(textBefore.slice(-3)) || HYPHENS.test(textAfter)) return false;
  const [first = '', last = ''] = [[...name][0], [...name].at(-1)];
  if (formOneWord([...textBefore.slice(-2)].at(-1) ?? '', first)) return false;
  const [next = ''] = [...textAfter.slice(0, 2)];
  if (MARK.test(next)) return false;
  if (HANGUL.test(last) && HANGUL.test(next)) return KOREAN_ENDING.test(textAfter);
  return !formOneWord(last, next);
}

function formOneWord(left: string, right: string): boolean {
  return [SPACED_SCRIPT, KATAKANA, HANGUL].some(
    (script) => script.test(left) && script.test(right),
  );
}

/** Korean particles whose form depends on whether the name ends in a consonant or a vowel. */
const particlePairs: readonly (readonly [afterConsonant: string, afterVowel: string])[] = [
  ['은', '는'],
  ['이', '가'],
  ['을', '를'],
  ['과', '와'],
  ['으로', '로'],
];

/** Adapts the Korean particle at the start of a string to the name before it. Returns all other strings unchanged. */
export function adaptParticle(text: string, name: string): string {
  if (!HANGUL.test(text[0] ?? '')) return text;
  const ending = finalSound(name);
  if (ending === null) return text;
  for (const [afterConsonant, afterVowel] of particlePairs) {
    const particle = [afterConsonant, afterVowel].find(
      (each) => text.startsWith(each) && !HANGUL.test(text[each.length] ?? ''),
    );
    if (particle === undefined) continue;
    const isVowel = ending === 'vowel' || (ending === 'liquid' && afterVowel === '로');
    return (isVowel ? afterVowel : afterConsonant) + text.slice(particle.length);
  }
  return text;
}

const FIRST_SYLLABLE = 0xac00;
const LAST_SYLLABLE = 0xd7a3;
/** Number of possible finals of a Hangul syllable. Final 0 is "no final", and final 8 is ㄹ. */
const FINALS = 28;
const LIQUID_FINAL = 8;
/** The final sounds of the digits 0 to 9 when read aloud in Korean. */
const digitFinals =
  'consonant liquid vowel consonant vowel vowel consonant liquid liquid vowel'.split(
    ' ',
  ) as readonly FinalSound[];
type FinalSound = 'consonant' | 'liquid' | 'vowel';

/** Returns the final sound of a name when read in Korean, or null if it's unknown. */
function finalSound(name: string): FinalSound | null {
  const last = name.at(-1) ?? '';
  if (/[0-9]/.test(last)) return digitFinals[Number(last)] ?? null;
  const code = last.charCodeAt(0);
  if (!(code >= FIRST_SYLLABLE && code <= LAST_SYLLABLE)) return null;
  const final = (code - FIRST_SYLLABLE) % FINALS;
  if (final === 0) return 'vowel';
  return final === LIQUID_FINAL ? 'liquid' : 'consonant';
}
