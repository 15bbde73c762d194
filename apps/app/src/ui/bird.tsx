import './bird.css';

const body =
  'M59.5 21.2 51.4 17.3C49.4 12.2 44.9 9 39.7 9c-6.4 0-11 3.9-13.7 9.6C22.1 26.9 15.9 34.2 4 44.8l5.6 1.3-1.5 4.7c6.9-2 12.1-3.7 16-4.2 3.3 3 7 4.3 11.2 4.1 9.6-.4 16.5-7.9 16.8-18.3.1-2.9 0-5.1-.5-7.3z';
const wing = 'M28.2 23.4c-.4 8.1-4.6 14.3-12.4 19.7 9.7-.6 17.3-5.4 20.6-13.4';
const legs = 'M32.6 50.2l1.3 6.8h3.6M39 49.3l2.6 7.7h3.6';

/** Renders the single-color logo. Hidden from screen readers, because the product name is always beside it. */
export function BirdMark({ size = 40 }: { size?: number }) {
  return (
    <svg className="bird-mark" viewBox="0 0 64 64" width={size} height={size} aria-hidden="true">
      <path className="bird-body" d={body} />
      <path className="bird-cut" d={wing} />
      <circle className="bird-eye" cx="43.6" cy="18.4" r="1.9" />
      <path className="bird-legs" d={legs} />
    </svg>
  );
}

/** Illustrates empty pages: the bird on a branch shaped like a quiet waveform. */
export function BirdDrawing({ width = 220 }: { width?: number }) {
  return (
    <svg
      className="bird-drawing"
      viewBox="0 0 220 132"
      width={width}
      height={(width * 132) / 220}
      aria-hidden="true"
    >
      <path
        className="bird-branch"
        d="M8 108v0M18 106v4M28 104v8M38 106v4M48 100v16M58 94v28M68 101v14M78 105v6M88 107v2M98 108v0M108 108v0M118 108v0M128 107v2M138 104v8M148 97v22M158 103v10M168 106v4M178 99v18M188 105v6M198 106v4M208 108v0"
      />
      <g transform="translate(72 9) scale(1.72)">
        <path
          className="bird-breast"
          d="M50.9 26.2c1.6 8.7-1.4 17-8.3 21-4-3.6-4.6-10.3-1.6-15.4 2-3.4 5.4-5.6 9.9-5.600z"
        />
        <path className="bird-line" d={body} />
        <path className="bird-line" d={wing} />
        <path className="bird-line" d={legs} />
        <circle className="bird-dot" cx="43.6" cy="18.4" r="1.5" />
      </g>
    </svg>
  );
}
