import { limits } from '@linnet/contract/limits';

/** The placeholders of a note template. True marks a block, which needs a line of its own. */
const placeholders = {
  title: false,
  date: false,
  time: false,
  duration: false,
  language: false,
  place: false,
  link: false,
  facts: false,
  people: false,
  tags: false,
  summary: true,
  todos: true,
  mindmap: true,
  transcript: true,
} as const;
export type Placeholder = keyof typeof placeholders;

export const placeholderNames: readonly string[] = Object.keys(placeholders);

export const defaultTemplate = `# {{title}}

{{facts}}

{{people}}

{{tags}}

{{summary}}

{{todos}}

{{mindmap}}

{{transcript}}
`;

/** Maximum length of a template in UTF-16 code units. */
export const { templateMaxLength } = limits.vaults;

/** Why a template is invalid. Lines count from 1. */
export type TemplateProblem =
  | { readonly kind: 'empty' | 'tooLong' }
  /** A placeholder without its closing braces. */
  | { readonly kind: 'unclosed'; readonly line: number }
  | { readonly kind: 'unknown'; readonly line: number; readonly name: string }
  /** A block, such as the transcript, on a line with other text. */
  | { readonly kind: 'notAlone'; readonly line: number; readonly name: string };

/** A parsed template: a sequence of texts and placeholders. */
export type Template = readonly (string | { readonly placeholder: Placeholder })[];

const isPlaceholder = (name: string): name is Placeholder => Object.hasOwn(placeholders, name);

/** Parses a template, or returns its first problem. */
export function parseTemplate(text: string): Template | TemplateProblem {
  if (text.length > templateMaxLength) return { kind: 'tooLong' };
  if (text.trim() === '') return { kind: 'empty' };
  const parts: (string | { placeholder: Placeholder })[] = [];
  for (const [index, content] of text.replace(/\r\n?/g, '\n').split('\n').entries()) {
    const line = index + 1;
    if (index > 0) parts.push('\n');
    // Texts and names alternate.
    for (const [position, piece] of content.split(/\{\{([^{}]*)\}\}/).entries()) {
      if (position % 2 === 0) {
        if (/\{\{|\}\}/.test(piece)) return { kind: 'unclosed', line };
        parts.push(piece);
        continue;
      }
      const name = piece.trim().toLowerCase();
      if (!isPlaceholder(name)) return { kind: 'unknown', line, name: piece.trim() };
      if (placeholders[name] && !/^\s*\{\{[^{}]*\}\}\s*$/.test(content)) {
        return { kind: 'notAlone', line, name };
      }
      parts.push({ placeholder: name });
    }
  }
  return parts;
}

/** Describes a problem in a sentence. */
export function describeProblem(problem: TemplateProblem): string {
  switch (problem.kind) {
    case 'empty':
      return 'The template is empty.';
    case 'tooLong':
      return `The template is longer than ${templateMaxLength} characters.`;
    case 'unclosed':
      return `Line ${problem.line} has a placeholder that isn't complete. Write it like {{title}}.`;
    case 'unknown':
      return `Line ${problem.line} has an unknown placeholder: {{${problem.name}}}.`;
    case 'notAlone':
      return `{{${problem.name}}} in line ${problem.line} needs a line of its own.`;
  }
}

/** Distinguishes a parsed template from a problem. */
export const isTemplate = (parsed: Template | TemplateProblem): parsed is Template =>
  Array.isArray(parsed);

/** Replaces the placeholders with values. Placeholders inside values aren't expanded. */
export function fillTemplate(
  template: Template,
  values: Readonly<Record<Placeholder, string>>,
): string {
  const text = template
    .map((part) => (typeof part === 'string' ? part : values[part.placeholder]))
    .join('');
  // Empty values leave blank lines.
  return `${text.replace(/\n(?:[ \t]*\n){2,}/g, '\n\n').trim()}\n`;
}
