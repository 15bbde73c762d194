/**
 * The pseudo-locale: English that nobody speaks, for seeing what is not translated and what has too little
 * room. Every letter wears an accent, so that words that are not from the locale files stand out, and every
 * sentence is as long as the longest language makes it.
 */

/** How much longer than English words may become (W3C, *Text size in translation*: 20 to 80 % for phrases). */
const growth = 0.4;

const accents: Readonly<Record<string, string>> = {
  ...{
    a: 'á',
    b: 'ƀ',
    c: 'ç',
    d: 'ð',
    e: 'é',
    f: 'ƒ',
    g: 'ĝ',
    h: 'ĥ',
    i: 'í',
    j: 'ĵ',
    k: 'ķ',
    l: 'ļ',
  },
  ...{
    m: 'ɱ',
    n: 'ñ',
    o: 'ó',
    p: 'þ',
    q: 'ɋ',
    r: 'ŕ',
    s: 'š',
    t: 'ţ',
    u: 'ú',
    v: 'ṽ',
    w: 'ŵ',
    x: 'ẋ',
  },
  ...{
    y: 'ý',
    z: 'ž',
    A: 'Á',
    B: 'Ɓ',
    C: 'Ç',
    D: 'Ð',
    E: 'É',
    F: 'Ƒ',
    G: 'Ĝ',
    H: 'Ĥ',
    I: 'Í',
    J: 'Ĵ',
  },
  ...{
    K: 'Ķ',
    L: 'Ļ',
    M: 'Ṁ',
    N: 'Ñ',
    O: 'Ó',
    P: 'Þ',
    Q: 'Ɋ',
    R: 'Ŕ',
    S: 'Š',
    T: 'Ţ',
    U: 'Ú',
    V: 'Ṽ',
  },
  ...{ W: 'Ŵ', X: 'Ẋ', Y: 'Ý', Z: 'Ž' },
};

/** A text as the pseudo-locale says it; its `{{arguments}}` stay. */
export function pseudoText(text: string): string {
  const parts = text.split(/(\{\{\w+\}\})/);
  const said = parts.map((part) =>
    part.startsWith('{{') ? part : part.replace(/[a-zA-Z]/g, (letter) => accents[letter] ?? letter),
  );
  const letters = text.replace(/\{\{\w+\}\}/g, '').match(/[a-zA-Z]/g)?.length ?? 0;
  // In words of usual length, which break where others do; signs alone stay as they are.
  const more = ' öõø'.repeat(Math.ceil((letters * growth) / 4));
  return `${said.join('')}${more}`;
}

/** Words of any depth as the pseudo-locale says them. */
export function pseudoWords(words: object): object {
  return Object.fromEntries(
    Object.entries(words).map(([key, value]) => [
      key,
      typeof value === 'string' ? pseudoText(value) : pseudoWords(value),
    ]),
  );
}
