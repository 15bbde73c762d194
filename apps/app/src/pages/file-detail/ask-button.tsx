import MessageCircleQuestion from 'lucide-react/icons/message-circle-question-mark';
import { useTranslation } from '../../i18n/index.ts';
import { canAsk } from '../../page-kit/live-note.ts';
import { useNavigateTo } from '../../page-kit/navigation.tsx';
import { askPath } from '../../page-kit/paths.ts';
import { useServices, useStore } from '../../page-kit/services-context.ts';
import { IconButton } from '../../ui/button.tsx';
import type { OpenRecord } from './open-record.ts';

/**
 * Opens the questions about a recording. Only offered if the server has it, and it has a transcript, or if the recording
 * is in progress or has live text. While one without text is in progress, the page says why it can't be asked about.
 */
export function AskButton({ record }: { record: OpenRecord }) {
  const text = useStore(useServices().liveText.texts).get(record.id) ?? null;
  const isTranscribed = record.server_id !== null && record.content.length > 0;
  const isInProgress = canAsk(text) || record.movement?.step === 'record';
  return isTranscribed || isInProgress ? <AskLink id={record.id} /> : null;
}

/** Opens the questions about a recording. */
export function AskLink({ id }: { id: string }) {
  const { t } = useTranslation();
  const navigateTo = useNavigateTo();
  return (
    <IconButton
      label={t('detail.ask')}
      data-testid="ask-recording"
      onClick={() => void navigateTo(askPath({ recording: id }))}
    >
      <MessageCircleQuestion size={20} />
    </IconButton>
  );
}
