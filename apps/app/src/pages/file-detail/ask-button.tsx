import MessageCircleQuestion from 'lucide-react/icons/message-circle-question-mark';
import { useTranslation } from '../../i18n/index.ts';
import { useNavigateTo } from '../../page-kit/navigation.tsx';
import { askPath } from '../../page-kit/paths.ts';
import { IconButton } from '../../ui/button.tsx';
import type { OpenRecord } from './open-record.ts';

/** Opens the questions about a recording. Only offered if the server has it, and it has a transcript. */
export function AskButton({ record }: { record: OpenRecord }) {
  const { t } = useTranslation();
  const navigateTo = useNavigateTo();
  if (record.server_id === null || record.content.length === 0) return null;
  return (
    <IconButton
      label={t('detail.ask')}
      data-testid="ask-recording"
      onClick={() => void navigateTo(askPath({ recording: record.id }))}
    >
      <MessageCircleQuestion size={20} />
    </IconButton>
  );
}
