import { branchColours } from '../../../mind-map/colours.ts';
import type { Measure } from '../../../mind-map/wrap.ts';
import type { PictureColors } from '../../../ports/analysis-files.ts';

/** Measures text in pixels, as this page renders it. */
export function pageMeasure(): Measure {
  const context = document.createElement('canvas').getContext('2d');
  const known = new Map<string, number>();
  return (text, font) => {
    const key = `${font}\n${text}`;
    let width = known.get(key);
    if (width === undefined) {
      if (!context) throw new Error('this browser has no 2D canvas for measuring text');
      if (context.font !== font) context.font = font;
      width = context.measureText(text).width;
      known.set(key, width);
    }
    return width;
  };
}

/** The page's font families, as CSS values. */
export function pageFaces(): { text: string; display: string } {
  const style = getComputedStyle(document.documentElement);
  const face = (name: string) => style.getPropertyValue(name).replace(/\s+/g, ' ').trim();
  return { text: face('--face'), display: face('--face-display') };
}

/** The light variants of the color tokens, for pictures, whatever the page's theme. */
export function paperColours(): PictureColors {
  const probe = document.createElement('span');
  probe.style.colorScheme = 'light';
  document.body.append(probe);
  const colour = (name: string) => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  };
  const each = Array.from({ length: branchColours }, (_, index) => index);
  const colours = {
    ...{ paper: colour('paper'), ink: colour('ink'), root: colour('ink'), onRoot: colour('paper') },
    branches: each.map((index) => colour(`branch-${index}`)),
    washes: each.map((index) => colour(`branch-wash-${index}`)),
  };
  probe.remove();
  return colours;
}
