import { describe, expect, test } from 'vitest';
import { pathsIn } from './links.mjs';
import { countTells, proseOf } from './voice.mjs';

describe('the voice count', () => {
  test('reads comments of a source, and not its strings', () => {
    const source = [
      '/** Kept by its owner. */',
      "const words = 'nobody'; // Told to whoever asks.",
      "const address = 'https://nobody.example';",
    ].join('\n');
    const counts = countTells(proseOf('a.ts', source));
    expect(counts).toMatchObject({ whoever: 1, nobody: 0, 'its owner': 1 });
  });

  test('reads all of a page, and lets a question pass', () => {
    const page = 'What it keeps is small. Nobody reads it, of which more later.\n\nWhat is it?';
    expect(countTells(proseOf('a.md', page))).toMatchObject({
      ...{ nobody: 1, 'of which': 1, 'What … (for a noun)': 1 },
    });
  });
});

test('a page names the files that it links, the map those in its text, too', () => {
  const text = 'See [it](../a.md#b), [that](https://x.example/y) and `apps/app/src/main.tsx`.';
  expect(pathsIn('docs/pages.md', text)).toEqual(['a.md']);
  expect(pathsIn('docs/architecture.md', text)).toEqual(['a.md', 'apps/app/src/main.tsx']);
});
