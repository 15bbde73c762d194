import { ringShares } from './shares.ts';
import './space-picture.css';

/** Gap between two parts, as a percentage of the ring. */
const GAP_PERCENT = 0.8;

/** Maximum length, in characters, of a figure shown in large type. */
const MAX_LARGE_FIGURE_LENGTH = 6;

/** A part of the used space. `name` selects its color, and `amount` is its formatted size. */
export type ChartPart = {
  readonly name: string;
  readonly bytes: number;
  readonly label: string;
  readonly amount: string;
};

/** A ring chart of used space, with a figure in the center and a legend beside it. */
export function StorageChart({
  parts,
  label,
  figure,
  figureLabel,
}: {
  parts: readonly ChartPart[];
  /** Describes the ring for screen readers. */
  label: string;
  figure: string;
  figureLabel: string;
}) {
  const widths = ringShares(parts);
  const gap = parts.length > 1 ? GAP_PERCENT : 0;
  return (
    <div className="space">
      <div className="space-picture">
        <svg className="space-ring" viewBox="0 0 120 120" role="img" aria-label={label}>
          <title>{label}</title>
          {parts.map(({ name }, index) => {
            const start = widths.slice(0, index).reduce((sum, width) => sum + width, 0);
            const width = Math.max(0, (widths[index] ?? 0) - gap);
            return (
              <circle
                key={name}
                cx="60"
                cy="60"
                r="54"
                pathLength="100"
                data-part={name}
                strokeDasharray={`${width} ${100 - width}`}
                strokeDashoffset={-start}
              />
            );
          })}
        </svg>
        <p className="space-free" aria-hidden="true">
          <strong
            className="tabular"
            data-long={figure.length > MAX_LARGE_FIGURE_LENGTH || undefined}
          >
            {figure}
          </strong>
          <span>{figureLabel}</span>
        </p>
      </div>
      <dl className="space-parts">
        {parts.map(({ name, label, amount }) => (
          <div key={name} data-part={name} data-testid={`space-${name}`}>
            <dt>{label}</dt>
            <dd className="tabular">{amount}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
