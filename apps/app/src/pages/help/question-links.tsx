import CircleHelp from 'lucide-react/icons/circle-question-mark';
import { useTranslation } from '../../i18n/index.ts';
import { NavRow } from '../../page-kit/nav-row.tsx';
import { Section } from '../../page-kit/page.tsx';
import { paths, type Question } from '../../page-kit/paths.ts';

const questions: readonly { readonly name: Question; readonly to: string }[] = [
  { name: 'bind', to: paths.questionBind },
  { name: 'record', to: paths.questionRecord },
  { name: 'sync', to: paths.questionSync },
  { name: 'read', to: paths.questionRead },
];

/** Links to the question pages, except the current one. */
export function QuestionLinks({ except }: { except?: Question }) {
  const { t } = useTranslation();
  return (
    <Section title={t(except ? 'help.more' : 'help.questions')}>
      {questions
        .filter(({ name }) => name !== except)
        .map(({ name, to }) => (
          <NavRow key={name} to={to} icon={CircleHelp} label={t(`questions.${name}.title`)} />
        ))}
    </Section>
  );
}
