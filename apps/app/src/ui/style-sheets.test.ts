import { expect, it } from 'vitest';

// Vitest loads style sheets as empty, so the files are read directly; the app's types exclude Node's.
declare const process: {
  getBuiltinModule(name: 'node:fs'): {
    globSync(pattern: string, options: { cwd: URL }): string[];
    readFileSync(file: URL, encoding: 'utf8'): string;
  };
};
const { globSync, readFileSync } = process.getBuiltinModule('node:fs');
const source = new URL('../', import.meta.url);

const read = (pattern: string) =>
  globSync(pattern, { cwd: source }).map((file) => ({
    file,
    text: readFileSync(new URL(file, source), 'utf8').replace(/\/\*[\s\S]*?\*\//g, ''),
  }));

/**
 * Classes by the folders that style them directly. The leading parts of a longer selector may be ancestors.
 */
const folders = new Map<string, Set<string>>();
for (const { file, text } of read('**/*.css')) {
  // Print has its own document.
  if (file.endsWith('print.css')) continue;
  for (const [, selectors = ''] of text.matchAll(/(?<=^|[{}])\s*([^{}@;]+)\{/g)) {
    for (const [, name = ''] of selectors.matchAll(
      /(?<=^|,)\s*\.([\w-]+)(?=\s*(,|$|[:[>]| [.a-z>]))/g,
    )) {
      const folder = file.split('/').slice(0, -1).slice(0, 2).join('/');
      folders.set(name, (folders.get(name) ?? new Set()).add(folder));
    }
  }
}

/** Styled by other folders as well, inside classes of their own. */
const exempt = ['card', 'line', 'line-words', 'page', 'shell', 'shell-outlet', 'selection-head'];

it('styles every class in one folder, because loaded style sheets are never removed', () => {
  expect(folders.size).toBeGreaterThan(300);
  const shared = [...folders].filter(([name, { size }]) => size > 1 && !exempt.includes(name));
  expect(shared.map(([name, where]) => `${name}: ${[...where].join(', ')}`)).toEqual([]);
});

it('defines every custom property in use', () => {
  const css = read('**/*.css');
  const set = new Set(
    [...css, ...read('**/*.{ts,tsx}')].flatMap(({ text }) =>
      [...text.matchAll(/(?<=^|[\s{;'"[])(--[\w-]+)(?=['"\]]?\s*:|'|")/g)].map(
        ([, name = '']) => name,
      ),
    ),
  );
  const used = css.flatMap(({ file, text }) =>
    [...text.matchAll(/var\((--[\w-]+)/g)].map(([, name = '']) => ({ file, name })),
  );
  expect(used.length).toBeGreaterThan(500);
  // Set by Base UI: the origin of a menu's animation.
  set.add('--transform-origin');
  const unset = used.filter(({ name }) => !set.has(name));
  expect(unset.map(({ file, name }) => `${file}: ${name}`)).toEqual([]);
});
