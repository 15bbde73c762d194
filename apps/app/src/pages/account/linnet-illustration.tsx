/** Bar heights: speech, a pause, speech. */
const barHeights = [
  6, 10, 8, 16, 28, 40, 26, 44, 60, 38, 52, 30, 18, 24, 12, 8, 6, 6, 8, 6, 6, 8, 6, 6, 10, 20, 34,
  26, 46, 58, 40, 30, 44, 22, 14, 18, 10, 6,
];

/** Illustration of a linnet on a branch drawn as a waveform. */
export function LinnetIllustration() {
  const step = 8;
  const middle = 150;
  const line = barHeights
    .map((length, index) => `M${index * step + 6} ${middle - length / 2}v${length}`)
    .join('');
  return (
    <svg className="perch" viewBox="0 0 312 190" aria-hidden="true">
      <path className="perch-line" d={line} />
      <g transform="translate(96 18) scale(2.18)">
        <path
          className="perch-body"
          d="M59.5 21.2 51.4 17.3C49.4 12.2 44.9 9 39.7 9c-6.4 0-11 3.9-13.7 9.6C22.1 26.9 15.9 34.2 4 44.8l5.6 1.3-1.5 4.7c6.9-2 12.1-3.7 16-4.2 3.3 3 7 4.3 11.2 4.1 9.6-.4 16.5-7.9 16.8-18.3.1-2.9 0-5.1-.5-7.300z"
        />
        <path
          className="perch-wing"
          d="M28.2 23.4c-.4 8.1-4.6 14.3-12.4 19.7 9.7-.6 17.3-5.4 20.6-13.4"
        />
        <path className="perch-legs" d="M32.6 50.200l1.3 6.800h3.600M39 49.300l2.6 7.700h3.6" />
        <circle className="perch-eye" cx="43.6" cy="18.4" r="1.7" />
      </g>
    </svg>
  );
}
