import { isCapturedSerial } from '@linnet/sync';
import type { ReactNode } from 'react';
import { formatClock, formatSize } from '../../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../../i18n/index.ts';
import { useLanguageName } from '../../../i18n/language-name.ts';
import type { TabProps } from '../tab.ts';
import { CopiesSection } from './copies-section.tsx';
import { NoiseSection } from './noise-section.tsx';
import { ReceiptSection } from './receipt-section.tsx';
import { RecordedFact } from './recorded-fact.tsx';
import './audio-tab.css';

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="line sound-fact">
      <dt>{label}</dt>
      <dd className="tabular">{children}</dd>
    </div>
  );
}

/** Shows the audio's copies, denoised version, properties and receipt. */
export function AudioTab({ record, audioVersion, onSelectVersion }: TabProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const languageName = useLanguageName();
  return (
    <div className="audio-tab">
      <NoiseSection record={record} audioVersion={audioVersion} onSelectVersion={onSelectVersion} />
      <CopiesSection record={record} />
      <ReceiptSection record={record} />
      <section className="section">
        <h2 className="section-title">{t('audio.facts')}</h2>
        <dl className="card">
          <Fact label={t('audio.recorded')}>
            <RecordedFact record={record} />
          </Fact>
          <Fact label={t('audio.length')}>
            <bdi>{formatClock(record.record_time, language)}</bdi>
          </Fact>
          {record.audioBytes > 0 && (
            <Fact label={t('audio.size')}>
              <bdi>{formatSize(record.audioBytes, language)}</bdi>
            </Fact>
          )}
          <Fact label={t('audio.type')}>{t(`files.types.${record.scene}`)}</Fact>
          {record.sn && !isCapturedSerial(record.sn) && (
            <Fact label={t('audio.serial')}>
              <bdi>{record.sn}</bdi>
            </Fact>
          )}
          {record.task && (
            <Fact label={t('audio.language')}>{languageName(record.task.language)}</Fact>
          )}
        </dl>
      </section>
    </div>
  );
}
