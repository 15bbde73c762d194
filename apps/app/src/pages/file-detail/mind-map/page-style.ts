import { branchColors } from '@linnet/mind-map/colors';
import type { PictureColors } from '@linnet/mind-map/svg';
import type { Measure } from '@linnet/mind-map/wrap';

/** Creates a function that measures text in pixels in this page's fonts. Widths are cached. */
export function createTextMeasure(): Measure {
  const context = document.createElement('canvas').getContext('2d');
  const widths = new Map<string, number>();
  return (text, font) => {
    const key = `${font}\n${text}`;
    let width = widths.get(key);
    if (width === undefined) {
      if (!context) throw new Error('this browser has no 2D canvas for measuring text');
      if (context.font !== font) context.font = font;
      width = context.measureText(text).width;
      widths.set(key, width);
    }
    return width;
  };
}

/** Returns the page's font families as CSS values. */
export function pageFonts(): { text: string; display: string } {
  const style = getComputedStyle(document.documentElement);
  const fontFamily = (name: string) => style.getPropertyValue(name).replace(/\s+/g, ' ').trim();
  return { text: fontFamily('--face'), display: fontFamily('--face-display') };
}

/** Returns the light theme's color tokens. Exported pictures use them regardless of the page's theme. */
export function lightColors(): PictureColors {
  const probe = document.createElement('span');
  probe.style.colorScheme = 'light';
  document.body.append(probe);
  const color = (name: string) => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  };
  const branchIndexes = Array.from({ length: branchColors }, (_, index) => index);
  const colors = {
    paper: color('paper'),
    ink: color('ink'),
    root: color('ink'),
    onRoot: color('paper'),
    branches: branchIndexes.map((index) => color(`branch-${index}`)),
    washes: branchIndexes.map((index) => color(`branch-wash-${index}`)),
  };
  probe.remove();
  return colors;
}
