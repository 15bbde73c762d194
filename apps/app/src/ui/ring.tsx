import Check from 'lucide-react/icons/check';
import type { ReactNode } from 'react';
import './ring.css';

/** A progress ring. `percent` is between 0 and 100. `paused` grays out the ring, but not the number. */
export function ProgressRing({
  percent,
  label,
  size = 32,
  paused = false,
  children,
  testId,
}: {
  percent: number;
  /** Accessible description of the progress. */
  label: string;
  size?: number;
  paused?: boolean;
  children?: ReactNode;
  testId?: string;
}) {
  const bounded = Math.min(100, Math.max(0, percent));
  return (
    <span
      className="ring"
      role="progressbar"
      aria-label={label}
      aria-valuenow={Math.round(bounded)}
      aria-valuemin={0}
      aria-valuemax={100}
      data-paused={paused || undefined}
      data-testid={testId}
      style={{ inlineSize: size, blockSize: size }}
    >
      <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden="true">
        <circle className="ring-track" cx="16" cy="16" r="14.5" />
        <circle
          className="ring-arc"
          cx="16"
          cy="16"
          r="14.5"
          pathLength="100"
          strokeDasharray="100"
          strokeDashoffset={100 - bounded}
        />
      </svg>
      <span className="ring-inside tabular">{children}</span>
    </span>
  );
}

/** A check mark for a completed operation. */
export function Tick({ label }: { label: string }) {
  return (
    <span className="tick" role="img" aria-label={label} title={label}>
      <Check size={18} aria-hidden="true" />
    </span>
  );
}
