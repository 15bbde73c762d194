import { useMemo } from 'react';
import { barHeights, barPath } from './bars.ts';
import './trace.css';

const bars = 14;
const step = 4;
const height = 40;

/**
 * A small waveform. `filled`, from 0 to 1, is the fraction transferred, which is drawn in crimson. Time runs from left
 * to right in every language.
 */
export function Waveform({ peaks, filled }: { peaks: Uint8Array; filled: number }) {
  const path = useMemo(() => barPath(barHeights(peaks, bars), step, height), [peaks]);
  return (
    <svg
      className="trace"
      viewBox={`0 0 ${bars * step} ${height}`}
      width={bars * step}
      height={height}
      aria-hidden="true"
      data-empty={peaks.length === 0 || undefined}
    >
      {filled < 1 && <path className="trace-rest" d={path} />}
      {filled > 0 && (
        <path
          className="trace-filled"
          d={path}
          style={{ clipPath: `inset(0 ${100 - Math.min(1, filled) * 100}% 0 0)` }}
        />
      )}
    </svg>
  );
}
