/** Escapes a string for use in HTML elements and quoted attributes. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/**
 * HTML in which all values are escaped. A class with a private field, because TypeScript's structural typing would
 * otherwise accept other objects.
 */
export class Html {
  readonly #text: string;
  constructor(text: string) {
    this.#text = text;
  }
  toString(): string {
    return this.#text;
  }
}

/** A value in a template. Strings are escaped, and null is omitted. */
export type HtmlValue = Html | string | number | null | readonly HtmlValue[];

/** Creates HTML from a template and escapes its values, which must be in elements or in quoted attributes. */
export function html(template: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Html(template.map((part, n) => part + render(values[n] ?? null)).join(''));
}

function render(value: HtmlValue): string {
  if (value === null) return '';
  if (value instanceof Html) return value.toString();
  if (typeof value === 'string') return escapeHtml(value);
  if (typeof value === 'number') return String(value);
  return value.map(render).join('');
}
