import { AlertDialog } from '@base-ui/react/alert-dialog';
import { useState } from 'react';
import { useTranslation } from '../../i18n/index.ts';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import type { DayRange } from './files-view.ts';
import '../../ui/dialog.css';

export type DayRangeProps = {
  readonly range: DayRange | null;
  onApply(range: DayRange | null): void;
  onCancel(): void;
};

/** Selects the first and last day of a range. Either may stay open. */
export function DayRangeDialog({ range, onApply, onCancel }: DayRangeProps) {
  const { t } = useTranslation();
  const [from, setFrom] = useState(range?.from ?? '');
  const [to, setTo] = useState(range?.to ?? '');
  const isReversed = from !== '' && to !== '' && from > to;
  return (
    <AlertDialog.Root open onOpenChange={(open) => !open && onCancel()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="dialog-backdrop" />
        <AlertDialog.Popup className="dialog">
          <AlertDialog.Title className="dialog-title display">
            {t('library.chooseDays')}
          </AlertDialog.Title>
          <form
            className="dialog-form"
            onSubmit={(event) => {
              event.preventDefault();
              if (!isReversed) onApply(from || to ? { from, to } : null);
            }}
          >
            <Field
              label={t('library.firstDay')}
              type="date"
              value={from}
              data-testid="first-day"
              onChange={(event) => setFrom(event.currentTarget.value)}
            />
            <Field
              label={t('library.lastDay')}
              type="date"
              value={to}
              error={isReversed ? t('library.daysTurned') : null}
              data-testid="last-day"
              onChange={(event) => setTo(event.currentTarget.value)}
            />
            <div className="dialog-actions">
              <Button onClick={onCancel}>{t('common.cancel')}</Button>
              <Button variant="primary" type="submit" disabled={isReversed}>
                {t('library.show')}
              </Button>
            </div>
          </form>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
