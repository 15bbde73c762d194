import { formatCount } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { Page } from '../../page-kit/page.tsx';
import type { Question } from '../../page-kit/paths.ts';
import { useHome } from '../../page-kit/services-context.ts';
import { Scene, type SceneName } from './drawings.tsx';
import { QuestionLinks } from './question-links.tsx';
import './help.css';

const steps = ['first', 'second', 'third', 'fourth'] as const;

/** The illustration for each step of an answer. */
const illustrations = {
  bind: ['wake', 'near', 'choose', 'confirm'],
  record: ['wake', 'hold', 'tap', 'stop'],
  sync: ['near', 'fetch', 'wifi', 'kept'],
  read: ['upload', 'choose', 'read', 'understand'],
} as const satisfies Record<Question, readonly SceneName[]>;

/** Answers a question in four illustrated steps. */
export default function QuestionPage({ question }: { question: Question }) {
  const { t } = useTranslation();
  const language = useLanguage();
  return (
    <Page key={question} title={t(`questions.${question}.title`)} parent={useHome()}>
      <ol className="steps">
        {steps.map((step, index) => (
          <li className="card step" key={step}>
            <Scene name={illustrations[question][index] ?? 'wake'} />
            <p>
              <span className="step-number display" aria-hidden="true">
                {formatCount(index + 1, language)}
              </span>
              {t(`questions.${question}.${step}`)}
            </p>
          </li>
        ))}
      </ol>
      <p className="help-note">{t(`questions.${question}.note`)}</p>
      <QuestionLinks except={question} />
    </Page>
  );
}
