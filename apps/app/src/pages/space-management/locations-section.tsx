import Cloud from 'lucide-react/icons/cloud';
import HardDrive from 'lucide-react/icons/hard-drive';
import Smartphone from 'lucide-react/icons/smartphone';
import { formatCount } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { Section } from '../../page-kit/page.tsx';
import type { ListedRecord } from '../files/row-state.ts';

const locations = [
  ['cloud', Cloud],
  ['phone', Smartphone],
  ['recorder', HardDrive],
] as const;

/**
 * Returns a recording's safest location: the cloud or the phone if the copy there is verified, or else the recorder.
 * Returns null if the recording has no audio.
 */
function findSafestLocation({ copies }: ListedRecord): (typeof locations)[number][0] | null {
  if (copies.cloud.status === 'verified') return 'cloud';
  if (copies.phone.status === 'verified') return 'phone';
  return copies.recorder.status === 'absent' ? null : 'recorder';
}

/** Shows the number of recordings by safest location. */
export function LocationsSection({ records }: { records: readonly ListedRecord[] }) {
  const { t } = useTranslation();
  const language = useLanguage();
  return (
    <Section title={t('storage.space.where')}>
      <ul>
        {locations.map(([location, Icon]) => {
          const total = records.filter((record) => findSafestLocation(record) === location).length;
          return (
            <li className="line" key={location} data-testid={`safe-${location}`}>
              <Icon size={20} aria-hidden="true" />
              <span className="line-words">
                <span>{t(`storage.space.safe.${location}`)}</span>
                <span>
                  {t('storage.space.recordings', {
                    count: total,
                    formatted: formatCount(total, language),
                  })}
                </span>
              </span>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}
