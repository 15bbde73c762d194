import type { ReactNode } from 'react';
import { formatCount, formatDurationInSentence } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { Page, Section } from '../../page-kit/page.tsx';
import { useHome } from '../../page-kit/services-context.ts';
import { Press, RecorderMap } from './drawings.tsx';
import { QuestionLinks } from './question-links.tsx';
import './help.css';

/**
 * Button presses and what they do, with durations in seconds (specification, section 4). A duration of 0 is a short
 * press.
 */
const presses = [
  { action: 'wake', part: 'power', seconds: 0, face: 'idle' },
  { action: 'record', part: 'power', seconds: 2, face: 'recording' },
  { action: 'forceStop', part: 'power', seconds: 9, face: 'idle' },
  { action: 'restart', part: 'corner', seconds: 15, face: 'idle' },
  { action: 'clear', part: 'corner', seconds: 3, face: 'dark' },
] as const;

/** The recorder's timeouts in seconds (specification, section 4). */
const timeouts = [
  { after: 'screenOff', seconds: 10 },
  { after: 'sleep', seconds: 30 * 60 },
  { after: 'searching', seconds: 60 },
  { after: 'disconnected', seconds: 15 },
] as const;

const parts = ['power', 'corner', 'wifi', 'screen'] as const;

function Line({ drawing, title, text }: { drawing: ReactNode; title: string; text: string }) {
  return (
    <div className="line guide-line">
      {drawing}
      <div className="guide-words">
        <h3>{title}</h3>
        <p>{text}</p>
      </div>
    </div>
  );
}

/** Instructions for the recorder: its buttons and automatic timeouts. */
export default function InstructionsPage() {
  const { t } = useTranslation();
  const language = useLanguage();
  const time = (seconds: number) => formatDurationInSentence(seconds, language);
  const number = (index: number) => formatCount(index + 1, language);
  return (
    <Page title={t('help.guide')} parent={useHome()}>
      <section className="card guide-parts">
        <RecorderMap numbers={[number(0), number(1), number(2), number(3)]} />
        <ol>
          {parts.map((part, index) => (
            <li key={part}>
              <span className="step-number display" aria-hidden="true">
                {number(index)}
              </span>
              {t(`handbook.parts.${part}`)}
            </li>
          ))}
        </ol>
      </section>
      <Section title={t('handbook.buttons')}>
        {presses.map(({ action, part, seconds, face }) => (
          <Line
            key={action}
            drawing={<Press part={part} seconds={seconds} face={face} />}
            title={t(`handbook.${action}.title`)}
            text={t(`handbook.${action}.text`, { time: time(seconds) })}
          />
        ))}
      </Section>
      <Section title={t('handbook.timeouts')}>
        {timeouts.map(({ after, seconds }) => (
          <div className="line guide-timeout" key={after}>
            <strong className="guide-time tabular">{time(seconds)}</strong>
            <p>{t(`handbook.${after}`)}</p>
          </div>
        ))}
      </Section>
      <Section title={t('handbook.wifi')}>
        <Line
          drawing={<Press part="wifi" seconds={0} face="wifi" />}
          title={t('handbook.wifiLeave.title')}
          text={t('handbook.wifiLeave.text')}
        />
        <Line
          drawing={<Press part="power" seconds={0} face="idle" />}
          title={t('handbook.wifiDrop.title')}
          text={t('handbook.wifiDrop.text')}
        />
      </Section>
      <QuestionLinks />
    </Page>
  );
}
