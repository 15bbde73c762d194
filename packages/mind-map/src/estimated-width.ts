import type { Measure } from './wrap.ts';

/** Matches characters that are about as wide as the font size: ideographs, kana, Hangul and emoji. */
const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]|\p{Emoji_Presentation}/u;
/** Matches zero-width characters. */
const combining = /[\p{Mn}\p{Me}\p{Cf}]/u;

/** Character widths as fractions of the font size. Slightly wider than in typical fonts, so that text fits. */
const shares = { wide: 1, other: 0.58 };

/** Estimates the width of text in pixels without its font, for environments where no browser can measure it. */
export const estimateWidth: Measure = (text, font) => {
  const size = Number(/([\d.]+)px/.exec(font)?.[1] ?? 16);
  let width = 0;
  for (const character of text) {
    if (!combining.test(character)) width += wide.test(character) ? shares.wide : shares.other;
  }
  return width * size;
};
