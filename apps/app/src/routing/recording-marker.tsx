import { limits } from '@linnet/contract/limits';
import type { LiveSound } from '@linnet/recorders';
import { markerId } from '@linnet/sync';
import Flag from 'lucide-react/icons/flag';
import { type FormEvent, useState } from 'react';
import { formatClock } from '../i18n/format.ts';
import { useLanguage, useTranslation } from '../i18n/index.ts';
import { useSave } from '../page-kit/saving.ts';
import { useServices } from '../page-kit/services-context.ts';
import type { Store } from '../ports/store.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { useToast } from '../ui/toast.tsx';

/** Adds a marker at the current time of the recording, with an optional written note. */
export function RecordingMarker({
  elapsed,
  sound,
}: {
  /** Seconds. */
  elapsed: number;
  sound: Store<LiveSound>;
}) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { library } = useServices();
  const save = useSave();
  const show = useToast();
  const [note, setNote] = useState('');

  const add = (event: FormEvent) => {
    event.preventDefault();
    const recording = sound.get().recordId;
    if (recording === null) return;
    const id = markerId();
    const value = { id, time: elapsed, label: note.trim() };
    save(
      () => library.edit({ type: 'recording.marker', recording, marker: id, value }),
      () => {
        setNote('');
        show({ message: t('markers.added', { time: formatClock(elapsed, language) }) });
      },
    );
  };
  return (
    <form className="recording-marker" onSubmit={add}>
      <Field
        label={t('record.note')}
        value={note}
        maxLength={limits.recording.nameMaxLength}
        autoComplete="off"
        data-testid="record-note"
        onChange={({ target }) => setNote(target.value)}
      />
      <Button type="submit" icon={<Flag size={18} />} data-testid="record-marker">
        {t('record.addMarker')}
      </Button>
    </form>
  );
}
