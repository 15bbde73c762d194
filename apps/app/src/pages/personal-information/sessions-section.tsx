import type { Session } from '@linnet/contract';
import LogOut from 'lucide-react/icons/log-out';
import { useCallback, useEffect, useState } from 'react';
import { describeFailure, type FailureText } from '../../i18n/failures.ts';
import { formatLongDate, formatTimeOfDay, isolate } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { Section } from '../../page-kit/page.tsx';
import { useServices } from '../../page-kit/services-context.ts';
import { Confirm } from '../../ui/dialog.tsx';
import { useToast } from '../../ui/toast.tsx';

type Sessions =
  | { readonly status: 'loading' }
  | { readonly status: 'failed'; readonly failureText: FailureText }
  | { readonly status: 'ready'; readonly list: readonly Session[] };

/** Lists the devices where the account is signed in, with a button to sign out each device but this one. */
export function SessionsSection() {
  const { t } = useTranslation();
  const { profile } = useServices();
  const show = useToast();
  const [sessions, setSessions] = useState<Sessions>({ status: 'loading' });
  const [sessionToEnd, setSessionToEnd] = useState<Session | null>(null);
  const [isBusy, setBusy] = useState(false);

  const load = useCallback(async (): Promise<Sessions> => {
    const result = await profile.sessions();
    return result.ok
      ? { status: 'ready', list: result.data }
      : { status: 'failed', failureText: describeFailure(t, result.failure) };
  }, [profile, t]);

  useEffect(() => {
    let isCurrent = true;
    void load().then((loaded) => isCurrent && setSessions(loaded));
    return () => {
      isCurrent = false;
    };
  }, [load]);

  const getName = ({ device }: Session) => isolate(device || t('signedIn.unknown'));
  const signOut = async (session: Session) => {
    setBusy(true);
    const result = await profile.endSession(session.id);
    if (result.ok) show({ message: t('signedIn.ended', { device: getName(session) }) });
    else show({ message: describeFailure(t, result.failure).message });
    setSessions(await load());
    setBusy(false);
    setSessionToEnd(null);
  };

  return (
    <Section title={t('signedIn.title')}>
      {sessions.status === 'loading' && (
        <p className="line" role="status">
          {t('signedIn.loading')}
        </p>
      )}
      {sessions.status === 'failed' && (
        <p className="line" role="alert">
          <span className="line-words">
            <span>{t('signedIn.failed')}</span>
            <span>{sessions.failureText.message}</span>
          </span>
        </p>
      )}
      {sessions.status === 'ready' &&
        sessions.list.map((session) =>
          session.current ? (
            <div key={session.id} className="line" data-testid="session-here">
              <SessionText session={session} />
            </div>
          ) : (
            <button
              key={session.id}
              type="button"
              className="line"
              data-testid="session"
              onClick={() => setSessionToEnd(session)}
            >
              <SessionText session={session} />
              <LogOut className="turns" size={20} aria-hidden="true" />
              <span className="visually-hidden">{t('signedIn.end')}</span>
            </button>
          ),
        )}
      {sessionToEnd && (
        <Confirm
          title={t('signedIn.endTitle', { device: getName(sessionToEnd) })}
          confirmLabel={t('signedIn.end')}
          busy={isBusy}
          onCancel={() => setSessionToEnd(null)}
          onConfirm={() => void signOut(sessionToEnd)}
        >
          {t('signedIn.endText')}
        </Confirm>
      )}
    </Section>
  );
}

/** Shows a device's name and last activity. */
function SessionText({ session }: { session: Session }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { device, current, last_seen_at: lastSeenAt } = session;
  const when = `${formatLongDate(lastSeenAt, language)}, ${formatTimeOfDay(lastSeenAt, language)}`;
  return (
    <span className="line-words">
      <span>{device ? <bdi>{device}</bdi> : t('signedIn.unknown')}</span>
      <span>{current ? t('signedIn.here') : t('signedIn.lastSeen', { when })}</span>
    </span>
  );
}
