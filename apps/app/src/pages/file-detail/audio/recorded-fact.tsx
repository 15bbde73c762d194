import { AlertDialog } from '@base-ui/react/alert-dialog';
import Pencil from 'lucide-react/icons/pencil';
import { useState } from 'react';
import { formatLongDate } from '../../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../../i18n/index.ts';
import { useSave } from '../../../page-kit/saving.ts';
import { useServices } from '../../../page-kit/services-context.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { useToast } from '../../../ui/toast.tsx';
import type { OpenRecord } from '../open-record.ts';
import { fromLocalInput, toLocalInput } from './local-input.ts';

/** Shows when the recording was made, which can be corrected: the clock of a recorder may have been wrong. */
export function RecordedFact({ record }: { record: OpenRecord }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { library } = useServices();
  const save = useSave();
  const show = useToast();
  const [isOpen, setOpen] = useState(false);
  const correct = (recorded_at: string) =>
    library.edit({ type: 'recording.date', recording: record.id, recorded_at });
  return (
    <>
      <span className="recorded">
        {formatLongDate(record.create_date, language)}
        <IconButton
          label={t('audio.changeDate')}
          data-testid="change-date"
          onClick={() => setOpen(true)}
        >
          <Pencil size={18} />
        </IconButton>
      </span>
      {isOpen && (
        <DateDialog
          date={record.create_date}
          onCancel={() => setOpen(false)}
          onSave={(date) => {
            setOpen(false);
            if (date === record.create_date) return;
            const previous = record.create_date;
            save(async () => {
              await correct(date);
              show({
                message: t('audio.dateChanged'),
                action: { label: t('common.undo'), run: () => save(() => correct(previous)) },
              });
            });
          }}
        />
      )}
    </>
  );
}

/** Asks for a date and time in this phone's time zone. @param date ISO 8601 in UTC */
function DateDialog(props: {
  readonly date: string;
  onCancel(): void;
  onSave(date: string): void;
}) {
  const { t } = useTranslation();
  const initial = toLocalInput(props.date);
  const [value, setValue] = useState(initial);
  const date = fromLocalInput(value);
  return (
    <AlertDialog.Root open onOpenChange={(open) => !open && props.onCancel()}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="dialog-backdrop" />
        <AlertDialog.Popup className="dialog">
          <AlertDialog.Title className="dialog-title display">
            {t('audio.changeDate')}
          </AlertDialog.Title>
          <form
            className="dialog-form"
            onSubmit={(event) => {
              event.preventDefault();
              // The field has no seconds, so an unchanged value keeps them.
              if (date !== null) props.onSave(value === initial ? props.date : date);
            }}
          >
            <Field
              label={t('audio.recordedAt')}
              type="datetime-local"
              value={value}
              data-testid="recorded-at"
              onChange={(event) => setValue(event.currentTarget.value)}
            />
            <div className="dialog-actions">
              <Button onClick={props.onCancel}>{t('common.cancel')}</Button>
              <Button variant="primary" type="submit" disabled={date === null}>
                {t('common.save')}
              </Button>
            </div>
          </form>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
