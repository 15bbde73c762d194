import Braces from 'lucide-react/icons/braces';
import CalendarDays from 'lucide-react/icons/calendar-days';
import FileText from 'lucide-react/icons/file-text';
import KeyRound from 'lucide-react/icons/key-round';
import Link2 from 'lucide-react/icons/link-2';
import Webhook from 'lucide-react/icons/webhook';
import { useEffect } from 'react';
import { useTranslation } from '../../i18n/index.ts';
import { NavRow } from '../../page-kit/nav-row.tsx';
import { Page, Section } from '../../page-kit/page.tsx';
import { paths } from '../../page-kit/paths.ts';
import { useServices, useStore } from '../../page-kit/services-context.ts';
import { SignOutLine } from '../account/sign-out-line.tsx';
import { CloseAccount } from './close-account.tsx';
import { GainSection } from './gain-section.tsx';
import { NameLine } from './name-line.tsx';
import { PictureSection } from './picture-section.tsx';
import { SessionsSection } from './sessions-section.tsx';
import './personal-information.css';

/** Shows the user's profile, sign-out, and account deletion. */
export default function PersonalInformationPage() {
  const { t } = useTranslation();
  const { account } = useServices();
  const state = useStore(account.state);

  useEffect(() => {
    void account.refresh();
  }, [account]);

  if (state.status !== 'signed-in') return null;
  const { user } = state;
  return (
    <Page title={t('personal.title')} parent={paths.me}>
      <PictureSection user={user} />
      <Section>
        <NameLine nickname={user.nickname} />
        <div className="line">
          <span className="line-words">
            <span>{t('account.email')}</span>
            <bdi className="personal-email">{user.email}</bdi>
          </span>
        </div>
      </Section>
      <GainSection />
      <Section>
        <NavRow to={paths.changePassword} icon={KeyRound} label={t('password.title')} />
        <NavRow
          to={paths.shareLinks}
          icon={Link2}
          label={t('shareLinks.title')}
          hint={t('shareLinks.hint')}
          testId="to-share-links"
        />
        <NavRow
          to={paths.apiKeys}
          icon={Braces}
          label={t('keys.title')}
          hint={t('keys.hint')}
          testId="to-api-keys"
        />
        <NavRow
          to={paths.calendar}
          icon={CalendarDays}
          label={t('calendar.title')}
          hint={t('calendar.hint')}
          testId="to-calendar"
        />
        <NavRow
          to={paths.vault}
          icon={FileText}
          label={t('vault.title')}
          hint={t('vault.hint')}
          testId="to-vault"
        />
        <NavRow
          to={paths.webhooks}
          icon={Webhook}
          label={t('webhooks.title')}
          hint={t('webhooks.hint')}
          testId="to-webhooks"
        />
        <SignOutLine />
      </Section>
      <SessionsSection />
      <Section>
        <CloseAccount email={user.email} />
      </Section>
    </Page>
  );
}
