import { useTranslation } from '../../../i18n/index.ts';
import { EmptyState } from '../../../ui/notice.tsx';

/** Explains that the server has a transcript that this device hasn't received yet. */
export function TranscriptArriving() {
  const { t } = useTranslation();
  return <EmptyState title={t('detail.arriving')}>{t('detail.arrivingHint')}</EmptyState>;
}
