import Globe from 'lucide-react/icons/globe';
import KeyRound from 'lucide-react/icons/key-round';
import Server from 'lucide-react/icons/server';
import User from 'lucide-react/icons/user';
import { interfaceLanguages, useLanguage, useTranslation } from '../../i18n/index.ts';
import { NavRow } from '../../page-kit/nav-row.tsx';
import { Section } from '../../page-kit/page.tsx';
import { paths } from '../../page-kit/paths.ts';
import { useSignedOutServices } from '../../page-kit/services-context.ts';
import { SignOutLine } from '../account/sign-out-line.tsx';

/** Links to the account, language and server address pages. */
export function AccountSection() {
  const { t } = useTranslation();
  const language = useLanguage();
  const { address } = useSignedOutServices();
  const usesOtherServer = address.current !== address.own;
  return (
    <Section title={t('me.account')}>
      <NavRow to={paths.personalInformation} icon={User} label={t('personal.title')} />
      <NavRow to={paths.changePassword} icon={KeyRound} label={t('password.title')} />
      <NavRow
        to={paths.language}
        icon={Globe}
        label={t('me.language')}
        end={interfaceLanguages.find((entry) => entry.language === language)?.name}
        testId="language"
      />
      <NavRow
        to={paths.serverAddress}
        icon={Server}
        label={t('account.server')}
        end={usesOtherServer ? new URL(address.current).host : undefined}
      />
      <SignOutLine />
    </Section>
  );
}
