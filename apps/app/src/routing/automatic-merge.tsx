import { useEffect, useMemo } from 'react';
import { useLocation, useSearchParams } from 'react-router';
import { isolate } from '../i18n/format.ts';
import { useLanguage, useTranslation } from '../i18n/index.ts';
import { recordingName } from '../i18n/record-name.ts';
import { useNavigateTo } from '../page-kit/navigation.tsx';
import { paths, recordingPath } from '../page-kit/paths.ts';
import { useSave } from '../page-kit/saving.ts';
import { useServices, useStore } from '../page-kit/services-context.ts';
import { useToast } from '../ui/toast.tsx';

/**
 * Shows a toast after a recording was merged with the recording that it continues, with an Undo button. If either
 * recording is open, opens the merged recording instead.
 */
export function AutomaticMergeToast() {
  const { t } = useTranslation();
  const language = useLanguage();
  const { merging, library } = useServices();
  const save = useSave();
  const show = useToast();
  const navigateTo = useNavigateTo();
  const { pathname } = useLocation();
  const [parameters] = useSearchParams();
  const latest = useStore(merging.latest);
  const live = useStore(useMemo(() => library.record(latest?.id ?? ''), [library, latest]));
  const record = live.status === 'ready' ? live.value : null;
  useEffect(() => {
    if (!latest || record?.id !== latest.id) return;
    merging.markReported();
    const { id, parts } = latest;
    const openId = pathname === paths.fileDetail ? parameters.get('id') : null;
    if (openId !== null && parts.includes(openId)) {
      void navigateTo(recordingPath(id), { replace: true });
    }
    show({
      message: t('merge.added', { title: isolate(recordingName(record, t, language)) }),
      action: { label: t('common.undo'), run: () => save(() => merging.undo(id, parts)) },
    });
  });
  return null;
}
