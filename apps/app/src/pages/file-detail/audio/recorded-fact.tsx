import Pencil from 'lucide-react/icons/pencil';
import { useState } from 'react';
import { formatLongDate } from '../../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../../i18n/index.ts';
import { useSave } from '../../../page-kit/saving.ts';
import { useServices } from '../../../page-kit/services-context.ts';
import { IconButton } from '../../../ui/button.tsx';
import { Prompt } from '../../../ui/dialog.tsx';
import { useToast } from '../../../ui/toast.tsx';
import type { OpenRecord } from '../open-record.ts';
import { fromLocalInput, toLocalInput } from './local-input.ts';

/** Shows when the recording was made. The user can correct this, because a recorder's clock may have been wrong. */
export function RecordedFact({ record }: { record: OpenRecord }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { library } = useServices();
  const save = useSave();
  const show = useToast();
  const [isOpen, setOpen] = useState(false);
  const correct = (recorded_at: string) =>
    library.edit({ type: 'recording.date', recording: record.id, recorded_at });
  const shownDate = toLocalInput(record.create_date);
  const change = (date: string) => {
    const previous = record.create_date;
    save(async () => {
      await correct(date);
      show({
        message: t('audio.dateChanged'),
        action: { label: t('common.undo'), run: () => save(() => correct(previous)) },
      });
    });
  };
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
        <Prompt
          title={t('audio.changeDate')}
          label={t('audio.recordedAt')}
          type="datetime-local"
          value={shownDate}
          submitLabel={t('common.save')}
          onCancel={() => setOpen(false)}
          onSubmit={(value) => {
            setOpen(false);
            // The field has no seconds, so don't write back an unchanged value.
            if (value !== shownDate) change(fromLocalInput(value));
          }}
        />
      )}
    </>
  );
}
