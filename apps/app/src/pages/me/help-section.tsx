import BookOpen from 'lucide-react/icons/book-open';
import CirclePlay from 'lucide-react/icons/circle-play';
import CircleHelp from 'lucide-react/icons/circle-question-mark';
import Headset from 'lucide-react/icons/headset';
import Info from 'lucide-react/icons/info';
import MessageCircle from 'lucide-react/icons/message-circle';
import { useTranslation } from '../../i18n/index.ts';
import { NavRow } from '../../page-kit/nav-row.tsx';
import { Section } from '../../page-kit/page.tsx';
import { paths } from '../../page-kit/paths.ts';
import { useServerInfo } from '../../page-kit/services-context.ts';

const helpLinks = [
  { name: 'guide', to: paths.instructions, Icon: BookOpen },
  { name: 'questions', to: paths.questionBind, Icon: CircleHelp },
  { name: 'demo', to: paths.demo, Icon: CirclePlay },
  { name: 'feedback', to: paths.feedback, Icon: MessageCircle },
  { name: 'online', to: paths.customerService, Icon: Headset },
  { name: 'about', to: paths.aboutUs, Icon: Info },
] as const;

/** Links to the help pages. Customer service appears only if the operator has configured it. */
export function HelpSection() {
  const { t } = useTranslation();
  const serverInfo = useServerInfo();
  const visibleLinks = helpLinks.filter(({ name }) => name !== 'online' || serverInfo?.supportUrl);
  return (
    <Section title={t('me.help.title')}>
      {visibleLinks.map(({ name, to, Icon }) => (
        <NavRow
          key={name}
          to={to}
          icon={Icon}
          label={t(`me.help.${name}`)}
          testId={`help-${name}`}
        />
      ))}
    </Section>
  );
}
