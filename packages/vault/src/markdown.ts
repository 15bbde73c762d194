/** Escapes every character that Markdown would interpret, and joins the lines. */
export function escapeMarkdown(text: string): string {
  return text
    .replace(/[\\`*_[\]<>|~]/g, '\\$&')
    .replace(/\s*\n\s*/g, ' ')
    .replace(
      /^(\s*)([#+-]|\d+[.)])(?=\s|$)/,
      (_, space: string, mark: string) =>
        // Escape a numbered list item at its dot, and other markers at their first character.
        `${space}${/^\d/.test(mark) ? `${mark.slice(0, -1)}\\${mark.at(-1)}` : `\\${mark}`}`,
    );
}

/**
 * Escapes text, keeping its line breaks.
 * @param escapeLine escapes a line
 * @param indent the indentation of all lines except the first
 */
export function escapeLines(text: string, escapeLine = escapeMarkdown, indent = ''): string {
  return text.split('\n').map(escapeLine).join(`  \n${indent}`);
}

/** Matches the syntax that note-taking apps add to Markdown: tags, comments, highlights, formulas and block IDs. */
const NOTE_MARKS = /#(?=[^\s#])|%%|==|[$^&]/g;
/** Matches the start of a line that Markdown would parse as a thematic break or as the underline of a heading. */
const THEMATIC_BREAK_OR_UNDERLINE = /^(?=(?:-+|=+)$)/;

/** Escapes a line of Markdown, including the syntax that note-taking apps add. */
export function escapeNoteText(text: string): string {
  return escapeMarkdown(text.replace(/[\s\p{Cc}]+/gu, ' ').trim())
    .replace(NOTE_MARKS, (mark) => `\\${[...mark].join('\\')}`)
    .replace(THEMATIC_BREAK_OR_UNDERLINE, '\\');
}
