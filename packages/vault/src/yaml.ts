/** Matches the characters that YAML doesn't allow in a quoted text, or takes for a line break, but JSON doesn't escape. */
const UNESCAPED = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

/** Writes a text as a double-quoted YAML scalar in one line, so that no text is taken for a number, a date or a key. */
export function quoteYaml(text: string): string {
  return JSON.stringify(text.toWellFormed()).replace(
    UNESCAPED,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Writes a list of texts in the form in which note-taking apps write it. */
export function yamlList(key: string, texts: readonly string[]): string {
  if (texts.length === 0) return `${key}: []`;
  return [`${key}:`, ...texts.map((text) => `  - ${quoteYaml(text)}`)].join('\n');
}
