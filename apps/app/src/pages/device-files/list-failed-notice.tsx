import { useState } from 'react';
import { describeRecorderFailure, formatFailure } from '../../i18n/failures.ts';
import { useTranslation } from '../../i18n/index.ts';
import { useServices, useStore } from '../../page-kit/services-context.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';

/** Reports that the connected recorder's session list is unavailable, so its new recordings aren't transferred. */
export function ListFailedNotice() {
  const { t } = useTranslation();
  const { recorder } = useServices();
  const link = useStore(recorder.link);
  const [isBusy, setBusy] = useState(false);
  const code = link.status === 'connected' ? link.recorder.listFailure : null;
  if (!code) return null;
  const failureText = describeRecorderFailure(t, { kind: 'device', code });
  const retry = async () => {
    setBusy(true);
    await recorder.listSessions();
    setBusy(false);
  };
  return (
    <Notice
      message={t('sessions.listFailed')}
      detail={formatFailure(failureText)}
      code={failureText.code}
      action={
        <Button busy={isBusy} onClick={() => void retry()}>
          {t('common.retry')}
        </Button>
      }
    />
  );
}
