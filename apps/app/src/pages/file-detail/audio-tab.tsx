import Cloud from 'lucide-react/icons/cloud';
import HardDrive from 'lucide-react/icons/hard-drive';
import Smartphone from 'lucide-react/icons/smartphone';
import type { ReactNode } from 'react';
import { Section } from '../../app-shell/page.tsx';
import { clock, longDate, percentage, size } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { useLanguageName } from '../../i18n/language-name.ts';
import { kindOf } from '../../i18n/record-name.ts';
import { NoiseSection } from './noise-section.tsx';
import type { OpenRecord } from './open-record.ts';
import type { TabProps } from './tab.ts';
import './audio-tab.css';

const places = [
  { place: 'recorder', icon: <HardDrive size={20} aria-hidden="true" /> },
  { place: 'phone', icon: <Smartphone size={20} aria-hidden="true" /> },
  { place: 'cloud', icon: <Cloud size={20} aria-hidden="true" /> },
] as const;

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="line sound-fact">
      <dt>{label}</dt>
      <dd className="tabular">{children}</dd>
    </div>
  );
}

/** Bytes of a copy; on the phone the cleaner version, as large as the original, counts too. */
function bytesAt(record: OpenRecord, place: keyof OpenRecord['copies']): number {
  const copy = record.copies[place];
  if (copy.status === 'absent') return 0;
  const cleaner = place === 'phone' && record.local_noise_file !== '';
  return copy.bytes + (cleaner ? record.audioBytes : 0);
}

/** Where the sound lies, what is known of it, and a cleaner version of it. */
export function AudioTab({ record, heard, onHear }: TabProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const languageName = useLanguageName();
  return (
    <div className="audio-tab">
      <NoiseSection record={record} heard={heard} onHear={onHear} />
      <Section title={t('audio.where')}>
        {places.map(({ place, icon }) => {
          const copy = record.copies[place];
          const part =
            copy.status === 'partial' && record.audioBytes > 0
              ? percentage((100 * copy.bytes) / record.audioBytes, language)
              : percentage(0, language);
          return (
            <div className="line" key={place} data-there={copy.status !== 'absent' || undefined}>
              {icon}
              <span className="line-words">
                <span>{t(`steps.places.${place}`)}</span>
                <span>
                  {copy.status === 'partial'
                    ? t('audio.partial', { percent: part })
                    : t(`audio.${copy.status}`)}
                </span>
              </span>
              {copy.status !== 'absent' && (
                <bdi className="line-end tabular">{size(bytesAt(record, place), language)}</bdi>
              )}
            </div>
          );
        })}
      </Section>
      <section className="section">
        <h2 className="section-title">{t('audio.facts')}</h2>
        <dl className="card">
          <Fact label={t('audio.recorded')}>{longDate(record.create_date, language)}</Fact>
          <Fact label={t('audio.length')}>
            <bdi>{clock(record.record_time, language)}</bdi>
          </Fact>
          {record.audioBytes > 0 && (
            <Fact label={t('audio.size')}>
              <bdi>{size(record.audioBytes, language)}</bdi>
            </Fact>
          )}
          <Fact label={t('audio.source')}>{kindOf(record, t)}</Fact>
          {record.sn && (
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
