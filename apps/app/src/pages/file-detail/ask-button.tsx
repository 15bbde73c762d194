import MessageCircleQuestion from 'lucide-react/icons/message-circle-question-mark';
import { useTranslation } from '../../i18n/index.ts';
import { canAsk } from '../../page-kit/live-note.ts';
import { useNavigateTo } from '../../page-kit/navigation.tsx';
import { askPath } from '../../page-kit/paths.ts';
import { useServices, useStore } from '../../page-kit/services-context.ts';
import { IconButton } from '../../ui/button.tsx';
import { hasTranscript, type OpenRecord } from './open-record.ts';

/**
 * Opens a conversation about a recording. Shown if the server has the recording and its transcript, if the recording is
 * in progress, or if it has live text. While a recording in progress has no text yet, the conversation page explains
 * why no question can be asked.
 */
export function AskButton({ record }: { record: OpenRecord }) {
  const text = useStore(useServices().liveText.texts).get(record.id) ?? null;
  const isTranscribed = record.server_id !== null && hasTranscript(record);
  const isInProgress = canAsk(text) || record.movement?.step === 'record';
  return isTranscribed || isInProgress ? <AskLink id={record.id} /> : null;
}

/** A link that opens a conversation about a recording. */
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
