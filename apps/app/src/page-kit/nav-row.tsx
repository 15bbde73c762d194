import ChevronRight from 'lucide-react/icons/chevron-right';
import type { ComponentType, ReactNode } from 'react';
import { PageLink } from './navigation.tsx';

/** A row that links to another page. Shows a label, an optional hint, and the page's current value at the end. */
export function NavRow({
  to,
  icon: Icon,
  label,
  hint,
  end,
  testId,
}: {
  to: string;
  icon?: ComponentType<{ size: number; 'aria-hidden': true }>;
  label: ReactNode;
  hint?: ReactNode;
  end?: ReactNode;
  testId?: string;
}) {
  return (
    <PageLink to={to} className="line" data-testid={testId}>
      {Icon && <Icon size={20} aria-hidden={true} />}
      <span className="line-words">
        <span>{label}</span>
        {hint && <span>{hint}</span>}
      </span>
      <span className="line-end">
        {end && <bdi className="tabular">{end}</bdi>}
        <ChevronRight className="turns" size={18} aria-hidden="true" />
      </span>
    </PageLink>
  );
}
