import { getDirection } from '@linnet/contract/interface-languages';
import { useEffect } from 'react';
import { formatSize } from '../i18n/format.ts';
import { useLanguage, useTranslation } from '../i18n/index.ts';
import { paths } from '../page-kit/paths.ts';
import { useServices, useStore } from '../page-kit/services-context.ts';

/** Shows the notification that the recorder is almost full, if it is due. */
export function RecorderSpaceNotice() {
  const { t } = useTranslation();
  const language = useLanguage();
  const { recorderSpaceNotices } = useServices();
  const dueNotice = useStore(recorderSpaceNotices.due);
  useEffect(() => {
    if (!dueNotice) return;
    const space = t('myDevice.spaceRing', {
      free: formatSize(dueNotice.free, language),
      total: formatSize(dueNotice.totalSpace, language),
    });
    recorderSpaceNotices.show({
      title: t('notifications.recorderSpace'),
      body: `${dueNotice.name}\n${space}`,
      lang: language,
      dir: getDirection(language),
      path: paths.myDevice,
    });
  }, [dueNotice, t, language, recorderSpaceNotices]);
  return null;
}
