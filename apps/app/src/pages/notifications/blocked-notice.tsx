import { useTranslation } from '../../i18n/index.ts';
import { useServices } from '../../page-kit/services-context.ts';
import { Notice } from '../../ui/notice.tsx';

/** Explains how to allow notifications again. */
export function BlockedNotice() {
  const { t } = useTranslation();
  const { place } = useServices().notifications;
  const hint = place === 'phone' ? 'notifications.deviceBlockedHint' : 'notifications.blockedHint';
  return <Notice message={t('notifications.blocked')} detail={t(hint)} />;
}
