import X from 'lucide-react/icons/x';
import { type ReactNode, useEffect, useRef } from 'react';
import { formatCount } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import './selection-bar.css';
import type { Selection } from './use-selection.ts';

/** Returns whether a key press is meant for a text field or for an overlay above the list. */
function isHandledElsewhere({ target }: KeyboardEvent): boolean {
  return (
    target instanceof Element &&
    target.closest(
      'input:not([type="checkbox"]), textarea, [role="dialog"], [role="alertdialog"], [role="menu"]',
    ) !== null
  );
}

/**
 * Replaces the list's heading in selection mode, with the count, a select-all button and a close button. Ctrl+A selects
 * all; Escape closes.
 */
export function SelectionHeader({
  selection,
  total,
}: {
  selection: Pick<Selection<{ readonly id: string }>, 'picked' | 'toggleAll' | 'end'>;
  /** Number of selectable items. */
  total: number;
}) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { picked, toggleAll, end } = selection;
  const head = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Move focus, because the focused element may have been removed. The selection's actions follow the heading in tab
    // order.
    head.current?.focus({ preventScroll: true });
  }, []);
  useEffect(() => {
    const key = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isHandledElsewhere(event)) return;
      if (event.key === 'Escape') end();
      if (event.key.toLowerCase() !== 'a' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      toggleAll();
    };
    window.addEventListener('keydown', key);
    return () => window.removeEventListener('keydown', key);
  }, [toggleAll, end]);
  return (
    <div className="selection-head" data-testid="selection-head" ref={head} tabIndex={-1}>
      <IconButton label={t('library.endPicking')} data-testid="selection-end" onClick={end}>
        <X size={22} />
      </IconButton>
      <p className="selection-count" role="status">
        {t('library.picked', {
          count: picked.length,
          formatted: formatCount(picked.length, language),
        })}
      </p>
      <Button variant="quiet" data-testid="selection-all" onClick={toggleAll}>
        {t(picked.length === total ? 'library.pickNone' : 'library.pickAll')}
      </Button>
    </div>
  );
}

/** The toolbar at the bottom of the screen, with the selection's actions. */
export function SelectionBar({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <div className="selection-bar" role="toolbar" aria-label={t('library.withPicked')}>
      {children}
    </div>
  );
}

/** An action on the selection. */
export function SelectionAction({
  icon,
  danger = false,
  disabled,
  testId,
  onClick,
  children,
}: {
  icon: ReactNode;
  danger?: boolean;
  disabled: boolean;
  testId: string;
  onClick(): void;
  children: string;
}) {
  return (
    <button
      type="button"
      className="selection-action"
      data-danger={danger || undefined}
      data-testid={testId}
      disabled={disabled}
      onClick={onClick}
    >
      {icon}
      {children}
    </button>
  );
}
