import { useMemo } from 'react';
import { barHeights, barPath } from '../../../ui/bars.ts';

const bars = 150;
const step = 4;
const height = 48;

/** A section of the recording, in seconds. `color` is an index into the branch colors. */
export type Segment = {
  readonly id: string;
  readonly start: number;
  readonly end: number;
  readonly color: number;
};

/**
 * Shows the recording as a strip with colored segments or marked moments. As in the player, time runs from left to
 * right in every language. A click reports the time at the pointer.
 */
export function Strip({
  peaks,
  duration,
  segments = [],
  moments = [],
  onPress,
}: {
  peaks: Uint8Array;
  /** Seconds. */
  duration: number;
  segments?: readonly Segment[];
  moments?: readonly { readonly id: string; readonly time: number }[];
  onPress(time: number): void;
}) {
  const path = useMemo(() => barPath(barHeights(peaks, bars), step, height), [peaks]);
  const toFraction = (time: number) =>
    duration > 0 ? Math.min(1, Math.max(0, time / duration)) : 0;
  return (
    <div
      className="strip"
      dir="ltr"
      aria-hidden="true"
      data-testid="strip"
      onClick={(event) => {
        const box = event.currentTarget.getBoundingClientRect();
        onPress(((event.clientX - box.left) / box.width) * duration);
      }}
    >
      <svg viewBox={`0 0 ${bars * step} ${height}`} preserveAspectRatio="none" aria-hidden="true">
        <path className="strip-rest" d={path} />
        {segments.map(({ id, start, end, color }) => (
          <path
            key={id}
            className="strip-stretch"
            data-color={color}
            d={path}
            style={{
              clipPath: `inset(0 ${100 - toFraction(end) * 100}% 0 ${toFraction(start) * 100}%)`,
            }}
          />
        ))}
      </svg>
      {segments.map(({ id, start, end, color }) => (
        <span
          key={id}
          className="strip-rule"
          data-color={color}
          style={{
            left: `${toFraction(start) * 100}%`,
            width: `${(toFraction(end) - toFraction(start)) * 100}%`,
          }}
        />
      ))}
      {moments.map(({ id, time }) => (
        <span key={id} className="strip-moment" style={{ left: `${toFraction(time) * 100}%` }} />
      ))}
    </div>
  );
}
