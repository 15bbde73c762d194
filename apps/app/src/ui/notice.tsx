import TriangleAlert from 'lucide-react/icons/triangle-alert';
import type { ReactNode } from 'react';
import { useTranslation } from '../i18n/index.ts';
import { BirdDrawing } from './bird.tsx';
import './notice.css';

/** Shows an error: the message, details, an action and, in small print, the error code. */
export function Notice({
  message,
  detail,
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
  // Emphasize only the first sentence.
  const [first, ...rest] = message.split(/(?<=[.؟?]\s+)|(?<=[。？])/);
  return (
    <section className="notice" data-tone={tone} role="alert">
      <TriangleAlert className="notice-icon" size={20} aria-hidden="true" />
      <div className="notice-words">
        <p data-testid="error">
          <strong className="notice-what">{first}</strong>
          {rest}
        </p>
        {children}
        {detail && <p>{detail}</p>}
        {action && <div className="notice-action">{action}</div>}
        {code && <p className="small-print">{t('common.code', { code })}</p>}
      </div>
    </section>
  );
}

/** Shows an empty state with an illustration, a description and an action. */
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

/** A loading placeholder. It appears with a delay, to avoid flicker during fast loads. */
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
