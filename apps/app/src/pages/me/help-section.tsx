import BookOpen from 'lucide-react/icons/book-open';
import CirclePlay from 'lucide-react/icons/circle-play';
import CircleHelp from 'lucide-react/icons/circle-question-mark';
import Headset from 'lucide-react/icons/headset';
import Info from 'lucide-react/icons/info';
import MessageCircle from 'lucide-react/icons/message-circle';
import { Section } from '../../app-shell/page.tsx';
import { paths } from '../../app-shell/pages.ts';
import { useServerFacts } from '../../app-shell/services-context.ts';
import { WayLine } from '../../app-shell/way-line.tsx';
import { useTranslation } from '../../i18n/index.ts';

const ways = [
  { name: 'guide', to: paths.instructions, Icon: BookOpen },
  { name: 'questions', to: paths.questionBind, Icon: CircleHelp },
  { name: 'demo', to: paths.demo, Icon: CirclePlay },
  { name: 'feedback', to: paths.feedback, Icon: MessageCircle },
  { name: 'online', to: paths.customerService, Icon: Headset },
  { name: 'about', to: paths.aboutUs, Icon: Info },
] as const;

/** The ways to what helps. Customer service is one where whoever runs the server has named it. */
export function HelpSection() {
  const { t } = useTranslation();
  const { facts } = useServerFacts();
  const shown = ways.filter(({ name }) => name !== 'online' || facts?.supportUrl);
  return (
    <Section title={t('me.help.title')}>
      {shown.map(({ name, to, Icon }) => (
        <WayLine
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
