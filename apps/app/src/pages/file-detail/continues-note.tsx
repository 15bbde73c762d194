import { isDel } from '@linnet/sync';
import { useMemo } from 'react';
import { isolate } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { recordingName } from '../../i18n/record-name.ts';
import { useServices, useStore } from '../../page-kit/services-context.ts';

/** Names the recording that this recording continues. The two will be merged. */
export function ContinuesNote({ id }: { id: string }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { library } = useServices();
  const live = useStore(useMemo(() => library.record(id), [library, id]));
  if (live.status === 'loading' || live.value?.is_del !== isDel.kept) return null;
  const title = isolate(recordingName(live.value, t, language));
  return (
    <p className="detail-note" role="status" data-testid="continues">
      {t('merge.continues', { title })}
    </p>
  );
}
