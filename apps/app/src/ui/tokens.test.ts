import { describe, expect, it } from 'vitest';

// Vitest replaces style sheets with empty modules, so the test reads the file directly. The app's TypeScript config
// excludes Node's types, so the ones this test needs are declared here.
declare const process: {
  getBuiltinModule(name: 'node:fs'): { readFileSync(file: URL, encoding: 'utf8'): string };
};
const css = process
  .getBuiltinModule('node:fs')
  .readFileSync(new URL('./tokens.css', import.meta.url), 'utf8');

/** The light and dark values of every token written as `light-dark(#light, #dark)`. */
const tokens = new Map(
  [...css.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\);/g)].map(
    ([, name = '', light = '', dark = '']) => [name, { light, dark }] as const,
  ),
);

/** Returns the relative luminance of `#rrggbb` as defined by WCAG 2.2. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((offset) => {
    const part = Number.parseInt(color.slice(offset, offset + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(colorA: string, colorB: string): number {
  const [darker = 0, lighter = 0] = [luminance(colorA), luminance(colorB)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** Foreground, background, and the required contrast ratio. */
const pairs: [string, string, number][] = [
  ...['paper', 'surface', 'sunken'].flatMap((ground): [string, string, number][] => [
    ['ink', ground, 7],
    ['ink-2', ground, 4.5],
    ['crimson', ground, 4.5],
    ['leaf', ground, 4.5],
  ]),
  ['amber', 'paper', 4.5],
  ['amber', 'amber-wash', 4.5],
  ['ink', 'amber-wash', 7],
  ['ink-2', 'amber-wash', 4.5],
  ['ink', 'crimson-wash', 7],
  ['ink-2', 'crimson-wash', 4.5],
  ['crimson', 'crimson-wash', 4.5],
  ['on-crimson', 'crimson', 4.5],
  ...['paper', 'surface', 'brass-wash'].map((ground): [string, string, number] => [
    'brass',
    ground,
    4.5,
  ]),
  ['on-brass', 'brass', 4.5],
  ['ink', 'brass-wash', 7],
  ['ink-2', 'brass-wash', 4.5],
  ['ink', 'map-sea', 7],
  ['ink', 'map-land', 7],
  ['ink-2', 'map-sea', 4.5],
  ['paper', 'ink', 7],
  ['paper', 'ink-2', 4.5],
  ['line-field', 'surface', 3],
  ...[0, 1, 2, 3, 4, 5].flatMap((branch): [string, string, number][] => [
    [`branch-${branch}`, 'paper', 3],
    ['ink', `branch-wash-${branch}`, 7],
    ['ink-2', `branch-wash-${branch}`, 4.5],
  ]),
];

describe('color contrast', () => {
  for (const scheme of ['light', 'dark'] as const) {
    it.each(pairs)(`is sufficient in the ${scheme} scheme for %s on %s`, (front, ground, least) => {
      const one = tokens.get(front);
      const other = tokens.get(ground);
      if (!one || !other) throw new Error(`no such token: ${front} or ${ground}`);
      expect(contrast(one[scheme], other[scheme])).toBeGreaterThanOrEqual(least);
    });
  }
});
