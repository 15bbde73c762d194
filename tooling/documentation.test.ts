import { describe, expect, test } from 'vitest';
import { citedTests, referencedPaths } from './links.mjs';
import { countPhrases, extractProse } from './voice.mjs';

describe('countPhrases', () => {
  test('counts phrases in the comments of a source file, but not in its strings', () => {
    const source = [
      '/** Kept by its owner. */',
      "const words = 'nobody'; // Told to whoever asks.",
      "const address = 'https://nobody.example';",
    ].join('\n');
    const counts = countPhrases(extractProse('a.ts', source));
    expect(counts).toMatchObject({ whoever: 1, nobody: 0, 'its owner': 1 });
  });

  test('counts phrases in the full text of a page, and ignores questions', () => {
    const page = 'What it keeps is small. Nobody reads it, of which more later.\n\nWhat is it?';
    expect(countPhrases(extractProse('a.md', page))).toMatchObject({
      nobody: 1,
      'of which': 1,
      'What … (for a noun)': 1,
    });
  });
});

test('referencedPaths returns linked files, and file paths in inline code of the architecture page', () => {
  const text = 'See [it](../a.md#b), [that](https://x.example/y) and `apps/app/src/main.tsx`.';
  expect(referencedPaths('docs/pages.md', text)).toEqual(['a.md']);
  expect(referencedPaths('docs/architecture.md', text)).toEqual(['a.md', 'apps/app/src/main.tsx']);
});

test('citedTests returns the tests that a page cites by name', () => {
  const text =
    '`a/b.test.ts`: “counts”, “turns "%s" into…”; `e2e/tests/c.spec.ts` “waits” and “ends”. “No test”';
  expect(citedTests(text)).toEqual([
    { file: 'a/b.test.ts', name: 'counts' },
    { file: 'a/b.test.ts', name: 'turns "%s" into' },
    { file: 'e2e/tests/c.spec.ts', name: 'waits' },
    { file: 'e2e/tests/c.spec.ts', name: 'ends' },
  ]);
});
