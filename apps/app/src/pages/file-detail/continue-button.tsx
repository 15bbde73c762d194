import Mic from 'lucide-react/icons/mic';
import { useTranslation } from '../../i18n/index.ts';
import { useRecording } from '../../page-kit/recording.tsx';
import { IconButton } from '../../ui/button.tsx';
import type { OpenRecord } from './open-record.ts';

/**
 * Starts a recording that continues this one. Shown only while the recorder is idle and this recording's audio is on
 * this device; otherwise, the two couldn't be merged.
 */
export function ContinueButton({ record }: { record: OpenRecord }) {
  const { t } = useTranslation();
  const { recorder, state, isBusy, startContinuing } = useRecording();
  const isPossible = recorder.capabilities.continuesRecordings && state === 'idle';
  if (!isPossible || record.copies.phone.status !== 'verified') return null;
  return (
    <IconButton
      label={t('merge.continue')}
      data-testid="continue-recording"
      disabled={isBusy}
      onClick={() => startContinuing(record)}
    >
      <Mic size={20} />
    </IconButton>
  );
}
