import ChevronRight from 'lucide-react/icons/chevron-right';
import type { ComponentType } from 'react';
import { GoLink } from './navigation.tsx';

/** A line that leads on: what is there, and how it stands. */
export function WayLine({
  to,
  icon: Icon,
  label,
  hint,
  end,
  testId,
}: {
  to: string;
  icon: ComponentType<{ size: number; 'aria-hidden': true }>;
  label: string;
  hint?: string | undefined;
  end?: string | undefined;
  testId?: string;
}) {
  return (
    <GoLink to={to} className="line" data-testid={testId}>
      <Icon size={20} aria-hidden={true} />
      <span className="line-words">
        <span>{label}</span>
        {hint && <span>{hint}</span>}
      </span>
      <span className="line-end">
        {end && <bdi className="tabular">{end}</bdi>}
        <ChevronRight className="turns" size={18} aria-hidden="true" />
      </span>
    </GoLink>
  );
}
