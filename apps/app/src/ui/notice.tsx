import TriangleAlert from 'lucide-react/icons/triangle-alert';
import type { ReactNode } from 'react';
import { useTranslation } from '../i18n/index.ts';
import { BirdDrawing } from './bird.tsx';
import './notice.css';

/** An error notice: the problem, its consequence and a remedy, with the error code in small print. */
export function Notice({
  message: what,
  detail: means,
  code,
  action,
  tone = 'amber',
  children,
}: {
  message: string;
  detail?: string | null;
  code?: string | null;
  action?: ReactNode;
  tone?: 'amber' | 'plain';
  children?: ReactNode;
}) {
  const { t } = useTranslation();
  // Only the first sentence is emphasized.
  const [first, ...rest] = what.split(/(?<=[.؟?]\s+)|(?<=[。？])/);
  return (
    <section className="notice" data-tone={tone} role="alert">
      <TriangleAlert className="notice-icon" size={20} aria-hidden="true" />
      <div className="notice-words">
        <p data-testid="error">
          <strong className="notice-what">{first}</strong>
          {rest}
        </p>
        {children}
        {means && <p>{means}</p>}
        {action && <div className="notice-action">{action}</div>}
        {code && <p className="small-print">{t('common.code', { code })}</p>}
      </div>
    </section>
  );
}

/** An empty state with an illustration, a description and an action. */
export function EmptyState({
  title,
  children,
  action,
  drawing = <BirdDrawing />,
  level: Heading = 'h2',
}: {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
  drawing?: ReactNode;
  /** `h1` on screens without another heading. */
  level?: 'h1' | 'h2';
}) {
  return (
    <div className="empty">
      {drawing}
      <Heading className="display">{title}</Heading>
      {children && <p>{children}</p>}
      {action && <div className="empty-action">{action}</div>}
    </div>
  );
}

/** A loading placeholder. It appears with a delay, so that fast loads don't flicker. */
export function LoadingPlaceholder({ lines = 5 }: { lines?: number }) {
  const { t } = useTranslation();
  return (
    <div className="waiting" role="status" aria-label={t('common.loading')}>
      {Array.from({ length: lines }, (_, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines are identical and never reordered.
        <span className="waiting-line" key={line} />
      ))}
    </div>
  );
}
