/** Matches characters that JSON doesn't escape but YAML forbids in quoted text or parses as a line break. */
const UNESCAPED_CHARACTERS = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

/** Writes text as a one-line double-quoted YAML scalar, so that it can't be parsed as a number, a date or a key. */
export function quoteYaml(text: string): string {
  return JSON.stringify(text.toWellFormed()).replace(
    UNESCAPED_CHARACTERS,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Writes a list of texts as a YAML block sequence, the form that note-taking apps use. */
export function yamlList(key: string, texts: readonly string[]): string {
  if (texts.length === 0) return `${key}: []`;
  return [`${key}:`, ...texts.map((text) => `  - ${quoteYaml(text)}`)].join('\n');
}
