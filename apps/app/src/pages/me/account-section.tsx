import Globe from 'lucide-react/icons/globe';
import KeyRound from 'lucide-react/icons/key-round';
import Server from 'lucide-react/icons/server';
import User from 'lucide-react/icons/user';
import { NavLine, Section } from '../../app-shell/page.tsx';
import { paths } from '../../app-shell/pages.ts';
import { useVisitorServices } from '../../app-shell/services-context.ts';
import { interfaceLanguages, useLanguage, useTranslation } from '../../i18n/index.ts';
import { SignOutLine } from '../account/sign-out-line.tsx';

/** Who one is, how the app speaks, and to whom. */
export function AccountSection() {
  const { t } = useTranslation();
  const language = useLanguage();
  const { address } = useVisitorServices();
  const other = address.current !== address.own;
  return (
    <Section title={t('me.account')}>
      <NavLine to={paths.personalInformation} icon={<User size={20} />}>
        {t('personal.title')}
      </NavLine>
      <NavLine to={paths.changePassword} icon={<KeyRound size={20} />}>
        {t('password.title')}
      </NavLine>
      <NavLine
        to={paths.language}
        icon={<Globe size={20} />}
        end={interfaceLanguages.find((known) => known.language === language)?.name}
        testId="language"
      >
        {t('me.language')}
      </NavLine>
      <NavLine
        to={paths.serverAddress}
        icon={<Server size={20} />}
        end={other ? new URL(address.current).host : undefined}
      >
        {t('account.server')}
      </NavLine>
      <SignOutLine />
    </Section>
  );
}
