import ChevronRight from 'lucide-react/icons/chevron-right';
import type { ReactNode } from 'react';
import { GoLink } from '../../app-shell/navigation.tsx';

/** A line that leads to another page. */
export function WayOn({
  to,
  icon,
  hint,
  children,
}: {
  to: string;
  icon: ReactNode;
  hint?: string;
  children: ReactNode;
}) {
  return (
    <GoLink to={to} className="line">
      {icon}
      <span className="line-words">
        <span>{children}</span>
        {hint && <span>{hint}</span>}
      </span>
      <span className="line-end">
        <ChevronRight className="turns" size={18} aria-hidden="true" />
      </span>
    </GoLink>
  );
}
