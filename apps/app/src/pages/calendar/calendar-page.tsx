import type { CallFailure } from '@linnet/contract/client';
import CalendarPlus from 'lucide-react/icons/calendar-plus';
import { useState } from 'react';
import { describeFailure } from '../../i18n/failures.ts';
import { useTranslation } from '../../i18n/index.ts';
import { Page } from '../../page-kit/page.tsx';
import { paths } from '../../page-kit/paths.ts';
import { useServerData } from '../../page-kit/server-data.ts';
import { useServices } from '../../page-kit/services-context.ts';
import type { Outcome } from '../../ports/store.ts';
import { Button } from '../../ui/button.tsx';
import { CopyableText } from '../../ui/copyable-text.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { LoadingPlaceholder, Notice } from '../../ui/notice.tsx';
import { useToast } from '../../ui/toast.tsx';
import './calendar.css';

/** Shows the secret URL that gives calendar apps the to-dos and dates of all recordings. */
export default function CalendarPage() {
  const { t } = useTranslation();
  const { calendarAddress } = useServices();
  const show = useToast();
  const { data, reload } = useServerData(calendarAddress.get);
  const [isBusy, setBusy] = useState(false);
  const [isConfirming, setConfirming] = useState(false);

  const change = async (
    request: () => Promise<Outcome<unknown, CallFailure>>,
    message: string,
  ): Promise<void> => {
    setBusy(true);
    const result = await request();
    if (result.ok) show({ message });
    else show({ message: describeFailure(t, result.failure).message, kind: 'error' });
    await reload();
    setBusy(false);
    setConfirming(false);
  };

  return (
    <Page title={t('calendar.title')} parent={paths.personalInformation}>
      <p className="calendar-lead">{t('calendar.lead')}</p>
      {data.status === 'waiting' && <LoadingPlaceholder lines={3} />}
      {data.status === 'failed' && (
        <Notice
          message={t('calendar.failed')}
          detail={describeFailure(t, data.failure).message}
          action={<Button onClick={() => void reload()}>{t('common.retry')}</Button>}
        />
      )}
      {data.status === 'ready' && data.value === null && (
        <Button
          variant="primary"
          wide
          icon={<CalendarPlus size={18} />}
          busy={isBusy}
          data-testid="create-calendar"
          onClick={() => void change(calendarAddress.create, t('calendar.created'))}
        >
          {t('calendar.create')}
        </Button>
      )}
      {data.status === 'ready' && data.value !== null && (
        <div className="calendar-address">
          <CopyableText
            text={data.value}
            copyLabel={t('calendar.copy')}
            testId="calendar-address"
          />
          <Button wide data-testid="revoke-calendar" onClick={() => setConfirming(true)}>
            {t('calendar.revoke')}
          </Button>
        </div>
      )}
      {isConfirming && (
        <Confirm
          title={t('calendar.revokeTitle')}
          confirmLabel={t('calendar.revoke')}
          danger
          busy={isBusy}
          onCancel={() => setConfirming(false)}
          onConfirm={() => void change(calendarAddress.revoke, t('calendar.revoked'))}
        >
          {t('calendar.revokeText')}
        </Confirm>
      )}
    </Page>
  );
}
