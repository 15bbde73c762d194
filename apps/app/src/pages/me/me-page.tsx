import Bell from 'lucide-react/icons/bell';
import BookA from 'lucide-react/icons/book-a';
import ChevronRight from 'lucide-react/icons/chevron-right';
import FolderInput from 'lucide-react/icons/folder-input';
import Trash2 from 'lucide-react/icons/trash-2';
import UserRoundCheck from 'lucide-react/icons/user-round-check';
import { useEffect } from 'react';
import { formatCount, formatDay } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { NavRow } from '../../page-kit/nav-row.tsx';
import { PageLink, useFocusOnArrival } from '../../page-kit/navigation.tsx';
import { Section } from '../../page-kit/page.tsx';
import { paths } from '../../page-kit/paths.ts';
import { useServices, useStore } from '../../page-kit/services-context.ts';
import type { Membership } from '../../ports/account.ts';
import { BirdMark } from '../../ui/bird.tsx';
import { AccountPicture } from '../account/account-picture.tsx';
import { AccountSection } from './account-section.tsx';
import { HelpSection } from './help-section.tsx';
import { MembershipSection } from './membership-section.tsx';
import { RecorderCard } from './recorder-card.tsx';
import { SpeechRecognition } from './speech-recognition.tsx';
import { StorageSection } from './storage-section.tsx';
import './me.css';

function AccountCard({ membership, isOpen }: { membership: Membership | null; isOpen: boolean }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const state = useStore(useServices().account.state);
  if (state.status !== 'signed-in') return null;
  const { user } = state;
  const name = user.nickname || user.email;
  return (
    <section className="card account-card">
      <PageLink to={paths.personalInformation} className="account-who" data-testid="to-personal">
        <AccountPicture user={user} size={56} />
        <span className="account-words">
          <strong dir="auto">{name}</strong>
          {user.nickname && <bdi>{user.email}</bdi>}
        </span>
        <ChevronRight className="turns" size={18} aria-hidden="true" />
      </PageLink>
      {isOpen ? (
        <p className="account-plan">{t('me.unlimited')}</p>
      ) : (
        membership && (
          <p className="account-plan">
            <span>
              {membership.expiresAt
                ? t('me.planUntil', {
                    plan: t(`me.plan.${membership.plan ?? 'none'}`),
                    until: t('me.until', { date: formatDay(membership.expiresAt, language) }),
                  })
                : t(`me.plan.${membership.plan ?? 'none'}`)}
            </span>
            <span className="tabular">
              {t('me.minutes', {
                count: membership.remainingMinutes,
                formatted: formatCount(membership.remainingMinutes, language),
              })}
            </span>
          </p>
        )
      )}
    </section>
  );
}

/** The user's page: account, recorder and settings. */
export default function MePage() {
  const { t } = useTranslation();
  const { account, server, notifications } = useServices();
  const membership = useStore(account.membership);
  const serverState = useStore(server);
  const serverInfo = serverState.status === 'unknown' ? null : serverState.info;
  const heading = useFocusOnArrival<HTMLHeadingElement>();

  useEffect(() => {
    void account.refresh();
  }, [account]);

  return (
    <main className="me">
      <title>{`${t('me.title')} · Linnet`}</title>
      <div className="me-body">
        <h1 className="display" ref={heading} tabIndex={-1}>
          {t('me.title')}
        </h1>
        <AccountCard membership={membership} isOpen={serverInfo?.billing === 'off'} />
        <RecorderCard />
        <MembershipSection />
        <StorageSection />
        <AccountSection />
        <Section title={t('me.settings')}>
          <NavRow
            to={paths.vocabulary}
            icon={BookA}
            label={t('vocabulary.title')}
            hint={t('vocabulary.hint')}
            testId="to-vocabulary"
          />
          <NavRow
            to={paths.voices}
            icon={UserRoundCheck}
            label={t('voices.title')}
            hint={t('voices.hint')}
            testId="to-voices"
          />
          <NavRow
            to={paths.notifications}
            icon={Bell}
            label={t('notifications.title')}
            hint={t(
              notifications.place === 'phone' ? 'notifications.deviceHint' : 'notifications.hint',
            )}
            testId="to-notifications"
          />
          <NavRow to={paths.folders} icon={FolderInput} label={t('folders.title')} />
          <NavRow to={paths.recycleBin} icon={Trash2} label={t('bin.title')} testId="to-bin" />
        </Section>
        {serverInfo && <SpeechRecognition serverInfo={serverInfo} />}
        <HelpSection />
        <footer className="me-about">
          <BirdMark size={28} />
          <bdi>{t('me.about', { version: __APP_VERSION__ })}</bdi>
        </footer>
      </div>
    </main>
  );
}
