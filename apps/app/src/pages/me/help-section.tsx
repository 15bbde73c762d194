import BookOpen from 'lucide-react/icons/book-open';
import ChevronRight from 'lucide-react/icons/chevron-right';
import CirclePlay from 'lucide-react/icons/circle-play';
import CircleHelp from 'lucide-react/icons/circle-question-mark';
import Info from 'lucide-react/icons/info';
import MessageCircle from 'lucide-react/icons/message-circle';
import { GoLink } from '../../app-shell/navigation.tsx';
import { Section } from '../../app-shell/page.tsx';
import { paths } from '../../app-shell/pages.ts';
import { useTranslation } from '../../i18n/index.ts';

const ways = [
  { name: 'guide', to: paths.instructions, Icon: BookOpen },
  { name: 'questions', to: paths.questionBind, Icon: CircleHelp },
  { name: 'demo', to: paths.demo, Icon: CirclePlay },
  { name: 'feedback', to: paths.feedback, Icon: MessageCircle },
  { name: 'about', to: paths.aboutUs, Icon: Info },
] as const;

/** The ways to what helps. */
export function HelpSection() {
  const { t } = useTranslation();
  return (
    <Section title={t('me.help.title')}>
      {ways.map(({ name, to, Icon }) => (
        <GoLink key={name} to={to} className="line" data-testid={`help-${name}`}>
          <Icon size={20} aria-hidden="true" />
          <span className="line-words">
            <span>{t(`me.help.${name}`)}</span>
          </span>
          <span className="line-end">
            <ChevronRight className="turns" size={18} aria-hidden="true" />
          </span>
        </GoLink>
      ))}
    </Section>
  );
}
