import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const source = path.join(import.meta.dirname, '..');

/**
 * Kysely joins conditions with "and" and doesn't put raw SQL in parentheses. An "or" outside of parentheses would then apply
 * to all conditions before it, including the one that selects the account.
 */
it('puts each "or" of raw conditions in parentheses', () => {
  const files = globSync('**/*.ts', { cwd: source });
  const conditions = files.flatMap((file) =>
    findConditions(readFileSync(path.join(source, file), 'utf8')).map((text) => ({ file, text })),
  );
  expect(conditions.length).toBeGreaterThan(20);
  expect(conditions.filter(({ text }) => hasOpenOr(text))).toEqual([]);
});

it('finds an "or" outside of parentheses only', () => {
  const placeholder = ['$', '{f(`x`)}'].join('');
  const conditions = ['a = ? or b', '(c or d) and e'];
  const code = conditions.map((text) => `where(sql<boolean>\`${text.replace('?', placeholder)}\`)`);
  expect(findConditions(code.join('.'))).toEqual(conditions);
  expect(conditions.map(hasOpenOr)).toEqual([true, false]);
});

/** Returns the text of the raw conditions in code, with `?` for each parameter. */
function findConditions(code: string): string[] {
  return [...code.matchAll(/sql<(?:boolean|SqlBool)>`/g)].map(({ index, 0: start }) => {
    let text = '';
    let depth = 0;
    for (let offset = index + start.length; offset < code.length; offset += 1) {
      if (code.startsWith('${', offset)) {
        if (depth === 0) text += '?';
        depth += 1;
      } else if (depth > 0 && code[offset] === '}') depth -= 1;
      else if (depth === 0) {
        if (code[offset] === '`') break;
        text += code[offset];
      }
    }
    return text;
  });
}

function hasOpenOr(condition: string): boolean {
  let rest = condition;
  let previous: string;
  do {
    previous = rest;
    rest = rest.replace(/\([^()]*\)/g, '');
  } while (rest !== previous);
  return /\bor\b/i.test(rest);
}
