import { markerId } from '@linnet/sync';
import Flag from 'lucide-react/icons/flag';
import { formatClock } from '../i18n/format.ts';
import { useLanguage, useTranslation } from '../i18n/index.ts';
import { useSave } from '../page-kit/saving.ts';
import { useServices } from '../page-kit/services-context.ts';
import { Button } from '../ui/button.tsx';
import { useToast } from '../ui/toast.tsx';

/** Adds a marker at the current time of the recording. */
export function RecordingMarker({
  recording,
  elapsed,
}: {
  recording: string;
  /** Seconds. */
  elapsed: number;
}) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { library } = useServices();
  const save = useSave();
  const show = useToast();
  const add = () => {
    const marker = markerId();
    const value = { id: marker, time: elapsed, label: '' };
    save(
      () => library.edit({ type: 'recording.marker', recording, marker, value }),
      () => show({ message: t('markers.added', { time: formatClock(elapsed, language) }) }),
    );
  };
  return (
    <Button icon={<Flag size={18} />} data-testid="record-marker" onClick={add}>
      {t('record.addMarker')}
    </Button>
  );
}
