import { expect, it } from 'vitest';

// Vitest replaces style sheets with empty modules, so the test reads the files directly. The app's TypeScript config
// excludes Node's types, so the ones this test needs are declared here.
declare const process: {
  getBuiltinModule(name: 'node:fs'): {
    globSync(pattern: string, options: { cwd: URL }): string[];
    readFileSync(file: URL, encoding: 'utf8'): string;
  };
};
const { globSync, readFileSync } = process.getBuiltinModule('node:fs');
const source = new URL('../', import.meta.url);

const readFiles = (pattern: string) =>
  globSync(pattern, { cwd: source }).map((file) => ({
    file,
    text: readFileSync(new URL(file, source), 'utf8').replace(/\/\*[\s\S]*?\*\//g, ''),
  }));

/**
 * Maps each class to the folders that have a selector starting with it. Classes later in a selector don't count.
 */
const folders = new Map<string, Set<string>>();
for (const { file, text } of readFiles('**/*.css')) {
  // The print style sheet applies only inside a shadow tree.
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

/**
 * Shared classes that selectors in several folders may start with, usually as ancestors of the folder's own elements.
 */
const exempt = ['card', 'line', 'line-words', 'page', 'shell', 'shell-outlet', 'selection-head'];

it('styles every class in only one folder, because loaded style sheets are never removed', () => {
  expect(folders.size).toBeGreaterThan(300);
  const shared = [...folders].filter(([name, { size }]) => size > 1 && !exempt.includes(name));
  expect(shared.map(([name, where]) => `${name}: ${[...where].join(', ')}`)).toEqual([]);
});

it('defines every custom property in use', () => {
  const css = readFiles('**/*.css');
  const defined = new Set(
    [...css, ...readFiles('**/*.{ts,tsx}')].flatMap(({ text }) =>
      [...text.matchAll(/(?<=^|[\s{;'"[])(--[\w-]+)(?=['"\]]?\s*:|'|")/g)].map(
        ([, name = '']) => name,
      ),
    ),
  );
  const used = css.flatMap(({ file, text }) =>
    [...text.matchAll(/var\((--[\w-]+)/g)].map(([, name = '']) => ({ file, name })),
  );
  expect(used.length).toBeGreaterThan(500);
  // Base UI sets these properties on a menu: its animation's origin, and the available height.
  for (const name of ['--transform-origin', '--available-height']) defined.add(name);
  const unset = used.filter(({ name }) => !defined.has(name));
  expect(unset.map(({ file, name }) => `${file}: ${name}`)).toEqual([]);
});
