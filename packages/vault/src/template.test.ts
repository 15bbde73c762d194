import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  defaultTemplate,
  describeProblem,
  isTemplate,
  parseTemplate,
  placeholderNames,
  templateMaxLength,
} from './template.ts';

/** Returns the message about a template's problem, or null if the template is valid. */
function findProblem(text: string): string | null {
  const parsed = parseTemplate(text);
  return isTemplate(parsed) ? null : describeProblem(parsed);
}

describe('a template', () => {
  it('may have every placeholder', () => {
    expect(findProblem(defaultTemplate)).toBeNull();
    expect(findProblem(placeholderNames.map((name) => `{{${name}}}`).join('\n'))).toBeNull();
    expect(findProblem('A { brace } and {{ title }}')).toBeNull();
  });

  it('is rejected with a message that names the position', () => {
    expect(findProblem(' \n')).toBe('The template is empty.');
    expect(findProblem('x'.repeat(templateMaxLength + 1))).toBe(
      'The template is longer than 10000 characters.',
    );
    expect(findProblem('# {{title}}\n\n{{titel}}')).toBe(
      'Line 3 has an unknown placeholder: {{titel}}.',
    );
    expect(findProblem('# {{title')).toBe(
      "Line 1 has a placeholder that isn't complete. Write it like {{title}}.",
    );
    expect(findProblem('\n> {{transcript}}')).toBe(
      '{{transcript}} in line 2 needs a line of its own.',
    );
    expect(findProblem('{{__proto__}}')).toContain('unknown placeholder');
  });

  it('is parsed or rejected for any input', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('{', '}', 'title', '\n', ' ', 'a') }),
        (text) => {
          const problem = findProblem(text);
          expect(problem === null || /^[A-Z{].*\.$/s.test(problem)).toBe(true);
        },
      ),
    );
  });
});
