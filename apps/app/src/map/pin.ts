/** A pin whose tip is in the middle of the bottom edge of its 24 × 30 box. */
export const pin = {
  viewBox: '0 0 24 30',
  body: 'M12 29C8.2 22.6 3 17.2 3 10.9a9 9 0 0 1 18 0C21 17.2 15.8 22.6 12 29z',
  hole: { cx: 12, cy: 11, r: 3.2 },
} as const;

/** Rendered size in pixels. */
export const pinSize = { width: 40, height: 50 } as const;
