import type { NotificationEvent } from '@linnet/contract/notifications';
import { useState } from 'react';
import { describeFailure } from '../../i18n/failures.ts';
import { isolate } from '../../i18n/format.ts';
import { useTranslation } from '../../i18n/index.ts';
import { Section } from '../../page-kit/page.tsx';
import { useServerData } from '../../page-kit/server-data.ts';
import { useServices } from '../../page-kit/services-context.ts';
import type { NotificationEmails } from '../../ports/notification-emails.ts';
import { Button } from '../../ui/button.tsx';
import { LoadingPlaceholder, Notice } from '../../ui/notice.tsx';
import { SwitchLine } from '../../ui/switch-line.tsx';
import { useToast } from '../../ui/toast.tsx';

/** Selects the events that the account receives emails about. */
export function MailSection({ morning }: { morning: string }) {
  const { t } = useTranslation();
  const { notificationEmails } = useServices();
  const { data, reload } = useServerData(notificationEmails.get);
  return (
    <>
      {data.status === 'waiting' && <LoadingPlaceholder lines={2} />}
      {data.status === 'failed' && (
        <Notice
          message={t('notifications.mailsFailed')}
          detail={describeFailure(t, data.failure).message}
          action={<Button onClick={() => void reload()}>{t('common.retry')}</Button>}
        />
      )}
      {data.status === 'ready' && <Switches loaded={data.value} morning={morning} />}
    </>
  );
}

/** The switches, which show the state returned by the last change. */
function Switches({ loaded, morning }: { loaded: NotificationEmails; morning: string }) {
  const { t } = useTranslation();
  const { notificationEmails } = useServices();
  const show = useToast();
  const [mails, setMails] = useState(loaded);
  const [isBusy, setBusy] = useState(false);
  if (mails.status === 'unavailable') {
    return <p className="notifications-lead">{t('notifications.mailsUnavailable')}</p>;
  }
  const { email, events } = mails;

  const setEvent = (event: NotificationEvent) => async (isOn: boolean) => {
    setBusy(true);
    const others = events.filter((each) => each !== event);
    const result = await notificationEmails.set(isOn ? [...others, event] : others);
    if (result.ok) setMails(result.data);
    else show({ message: describeFailure(t, result.failure).message, kind: 'error' });
    setBusy(false);
  };
  return (
    <>
      <Section title={t('notifications.mails')}>
        <SwitchLine
          label={t('notifications.transcript')}
          hint={t('notifications.mailsHourly')}
          checked={events.includes('transcript')}
          disabled={isBusy}
          testId="mail-transcript"
          onChange={(isOn) => void setEvent('transcript')(isOn)}
        />
        <SwitchLine
          label={t('notifications.todos')}
          hint={t('notifications.todosHint', { time: morning })}
          checked={events.includes('todos')}
          disabled={isBusy}
          testId="mail-todos"
          onChange={(isOn) => void setEvent('todos')(isOn)}
        />
      </Section>
      <p className="notifications-lead">{t('notifications.mailsTo', { email: isolate(email) })}</p>
    </>
  );
}
