import { type NotificationEvent, todosHour } from '@linnet/contract/notifications';
import Bell from 'lucide-react/icons/bell';
import { useEffect, useRef, useState } from 'react';
import { describeFailure } from '../../i18n/failures.ts';
import { formatTimeOfDay } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { Page, Section } from '../../page-kit/page.tsx';
import { paths } from '../../page-kit/paths.ts';
import { useServerData } from '../../page-kit/server-data.ts';
import { useServices } from '../../page-kit/services-context.ts';
import type {
  NotificationChoices,
  NotificationsFailure,
  NotificationsState,
} from '../../ports/notifications.ts';
import type { Outcome } from '../../ports/store.ts';
import { Button } from '../../ui/button.tsx';
import { LoadingPlaceholder, Notice } from '../../ui/notice.tsx';
import { SwitchLine } from '../../ui/switch-line.tsx';
import { useToast } from '../../ui/toast.tsx';
import { BlockedNotice } from './blocked-notice.tsx';
import { MailSection } from './mail-section.tsx';
import { RecorderSpaceSection } from './recorder-space-section.tsx';
import './notifications.css';

/** Turns notifications on this device and by email on or off, and selects their events. */
export default function NotificationsPage() {
  const { t } = useTranslation();
  const { notifications } = useServices();
  const { data, reload } = useServerData(notifications.get);
  const describe = useFailureText();
  const language = useLanguage();
  const isPhone = notifications.place === 'phone';
  const morning = formatTimeOfDay(new Date(2026, 0, 1, todosHour).toISOString(), language);
  return (
    <Page title={t('notifications.title')} parent={paths.me}>
      <p className="notifications-lead">
        {t(isPhone ? 'notifications.deviceLead' : 'notifications.lead')}
      </p>
      {data.status === 'waiting' && <LoadingPlaceholder lines={3} />}
      {data.status === 'failed' && (
        <Notice
          message={t('notifications.failed')}
          detail={describe(data.failure)}
          action={<Button onClick={() => void reload()}>{t('common.retry')}</Button>}
        />
      )}
      {data.status === 'ready' && <Switches loaded={data.value} morning={morning} />}
      <RecorderSpaceSection />
      <MailSection morning={morning} />
    </Page>
  );
}

/** The switches, which show the state returned by the last change, or read since the page is visible again. */
function Switches({ loaded, morning }: { loaded: NotificationsState; morning: string }) {
  const { t } = useTranslation();
  const { notifications } = useServices();
  const show = useToast();
  const describe = useFailureText();
  const [state, setState] = useState(loaded);
  const [isBusy, setBusy] = useState(false);
  /** Counts the starts and ends of requests. A state that was read meanwhile is outdated. */
  const steps = useRef(0);

  // The user may return from the settings.
  useEffect(() => {
    const readState = async () => {
      if (document.visibilityState !== 'visible') return;
      const before = steps.current;
      const result = await notifications.get();
      if (result.ok && steps.current === before) setState(result.data);
    };
    const onVisibility = () => void readState();
    document.addEventListener('visibilitychange', onVisibility);
    return () => document.removeEventListener('visibilitychange', onVisibility);
  }, [notifications]);

  const run = async <T,>(
    request: () => Promise<Outcome<T, NotificationsFailure>>,
    onDone: (data: T) => void,
  ): Promise<void> => {
    setBusy(true);
    steps.current += 1;
    try {
      const result = await request();
      if (result.ok) onDone(result.data);
      else show({ message: describe(result.failure), kind: 'error' });
    } finally {
      steps.current += 1;
      setBusy(false);
    }
  };

  if (state.status === 'unsupported') {
    return (
      <Notice
        tone="plain"
        message={t('notifications.unsupported')}
        detail={t('notifications.unsupportedHint')}
      />
    );
  }
  if (state.status === 'blocked') {
    return <BlockedNotice />;
  }
  return (
    <>
      <div className="card">
        <SwitchLine
          icon={<Bell size={20} aria-hidden="true" />}
          label={t(
            notifications.place === 'phone' ? 'notifications.deviceHere' : 'notifications.here',
          )}
          checked={state.status === 'on'}
          disabled={isBusy}
          testId="notifications-on"
          onChange={(isOn) =>
            void run(isOn ? notifications.turnOn : notifications.turnOff, setState)
          }
        />
      </div>
      {state.status === 'on' && (
        <>
          <Choices
            choices={state.choices}
            isBusy={isBusy}
            morning={morning}
            onChange={(choices) => void run(() => notifications.change(choices), setState)}
          />
          <Button
            wide
            busy={isBusy}
            data-testid="test-notification"
            onClick={() =>
              void run(notifications.test, () => show({ message: t('notifications.tested') }))
            }
          >
            {t('notifications.test')}
          </Button>
        </>
      )}
    </>
  );
}

/** Selects the events, and whether their notifications name recordings and to-dos. */
function Choices({
  choices,
  isBusy,
  morning,
  onChange,
}: {
  choices: NotificationChoices;
  isBusy: boolean;
  /** The time of day at which due to-dos are notified. */
  morning: string;
  onChange(choices: NotificationChoices): void;
}) {
  const { t } = useTranslation();
  const { events } = choices;
  const setEvent = (event: NotificationEvent) => (isOn: boolean) =>
    onChange({
      ...choices,
      events: isOn ? [...events, event] : events.filter((each) => each !== event),
    });
  return (
    <Section title={t('notifications.events')}>
      <SwitchLine
        label={t('notifications.transcript')}
        checked={events.includes('transcript')}
        disabled={isBusy}
        testId="notify-transcript"
        onChange={setEvent('transcript')}
      />
      <SwitchLine
        label={t('notifications.todos')}
        hint={t('notifications.todosHint', { time: morning })}
        checked={events.includes('todos')}
        disabled={isBusy}
        testId="notify-todos"
        onChange={setEvent('todos')}
      />
      <SwitchLine
        label={t('notifications.titles')}
        hint={t('notifications.titlesHint')}
        checked={choices.showsTitles}
        disabled={isBusy}
        testId="notify-titles"
        onChange={(showsTitles) => onChange({ ...choices, showsTitles })}
      />
    </Section>
  );
}

function useFailureText(): (failure: NotificationsFailure) => string {
  const { t } = useTranslation();
  return (failure) => {
    switch (failure.kind) {
      case 'push-service':
        return t('notifications.pushService');
      case 'device':
        return t('system.crashTitle');
      case 'not-stored':
        return t('common.notSaved');
      default:
        return describeFailure(t, failure).message;
    }
  };
}
