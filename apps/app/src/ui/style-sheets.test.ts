import { expect, it } from 'vitest';

// Style sheets are empty to tests, so the files themselves are read; the app's types know no Node.
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

/** Classes by the rooms whose rules are about them alone; what comes first in a longer selector may be a place. */
const rooms = new Map<string, Set<string>>();
for (const { file, text } of read('**/*.css')) {
  // Print has a document of its own.
  if (file.endsWith('print.css')) continue;
  for (const [, selectors = ''] of text.matchAll(/(?<=^|[{}])\s*([^{}@;]+)\{/g)) {
    for (const [, name = ''] of selectors.matchAll(
      /(?<=^|,)\s*\.([\w-]+)(?=\s*(,|$|[:[>]| [.a-z>]))/g,
    )) {
      const room = file.split('/').slice(0, -1).slice(0, 2).join('/');
      rooms.set(name, (rooms.get(name) ?? new Set()).add(room));
    }
  }
}

/** Rules about what stands inside of another room's class. */
const guests = ['card', 'line', 'line-words', 'page', 'shell', 'shell-outlet', 'selection-head'];

it('every class has one room: style sheets stay once they were loaded', () => {
  expect(rooms.size).toBeGreaterThan(300);
  const shared = [...rooms].filter(([name, { size }]) => size > 1 && !guests.includes(name));
  expect(shared.map(([name, where]) => `${name}: ${[...where].join(', ')}`)).toEqual([]);
});

it('every custom property that is used is set somewhere', () => {
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
  // Base UI says where a menu grows from.
  set.add('--transform-origin');
  const unset = used.filter(({ name }) => !set.has(name));
  expect(unset.map(({ file, name }) => `${file}: ${name}`)).toEqual([]);
});
