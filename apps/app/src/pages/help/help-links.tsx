import BookOpen from 'lucide-react/icons/book-open';
import CirclePlay from 'lucide-react/icons/circle-play';
import Headset from 'lucide-react/icons/headset';
import Info from 'lucide-react/icons/info';
import MessageCircle from 'lucide-react/icons/message-circle';
import { useTranslation } from '../../i18n/index.ts';
import { NavRow } from '../../page-kit/nav-row.tsx';
import { Section } from '../../page-kit/page.tsx';
import { paths } from '../../page-kit/paths.ts';
import { QuestionLinks } from './question-links.tsx';

const links = [
  { name: 'demo', to: paths.demo, Icon: CirclePlay },
  { name: 'guide', to: paths.instructions, Icon: BookOpen },
  { name: 'feedback', to: paths.feedback, Icon: MessageCircle },
  { name: 'online', to: paths.customerService, Icon: Headset },
  { name: 'about', to: paths.aboutUs, Icon: Info },
] as const;

/** Links to all help pages except the current one. */
export function HelpLinks({ except }: { except: (typeof links)[number]['name'] }) {
  const { t } = useTranslation();
  return (
    <>
      <Section title={t('help.title')}>
        {links
          .filter(({ name }) => name !== except)
          .map(({ name, to, Icon }) => (
            <NavRow key={name} to={to} icon={Icon} label={t(`help.${name}`)} />
          ))}
      </Section>
      <QuestionLinks />
    </>
  );
}
