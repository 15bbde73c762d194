import ChevronRight from 'lucide-react/icons/chevron-right';
import FolderOpen from 'lucide-react/icons/folder-open';
import Wifi from 'lucide-react/icons/wifi';
import { GoLink } from '../../app-shell/navigation.tsx';
import { Section } from '../../app-shell/page.tsx';
import { paths } from '../../app-shell/pages.ts';
import { count, percentage, size } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import type { ConnectedRecorder } from '../../services.ts';
import { type SpacePart, shares, spaceParts } from './space.ts';

/** Units of the ring between two parts. */
const GAP = 0.8;

/** The storage as a ring: what is safe here too, what is there alone, and what is free. */
function SpaceRing({ parts, label }: { parts: readonly SpacePart[]; label: string }) {
  const widths = shares(parts);
  const gap = parts.length > 1 ? GAP : 0;
  return (
    <svg className="space-ring" viewBox="0 0 120 120" role="img" aria-label={label}>
      <title>{label}</title>
      {parts.map(({ name }, index) => {
        const start = widths.slice(0, index).reduce((sum, width) => sum + width, 0);
        const width = Math.max(0, (widths[index] ?? 0) - gap);
        return (
          <circle
            key={name}
            cx="60"
            cy="60"
            r="51"
            pathLength="100"
            data-part={name}
            strokeDasharray={`${width} ${100 - width}`}
            strokeDashoffset={-start}
          />
        );
      })}
    </svg>
  );
}

/** What fills the recorder, as a picture and in words, and the ways to what lies on it. */
export function SpaceSection({ device }: { device: ConnectedRecorder }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { storage, recording } = device;
  const parts = spaceParts(device);
  const freeShare = percentage((100 * storage.free) / Math.max(1, storage.totalSpace), language);
  // Units are in Latin letters: set apart, they stay beside their number among words of any script.
  const apart = (bytes: number) => `\u2068${size(bytes, language)}\u2069`;
  const amount = ({ name, bytes, recordings }: SpacePart) => {
    if (recordings !== null) {
      return t('myDevice.holds', {
        count: recordings,
        formatted: count(recordings, language),
        size: apart(bytes),
      });
    }
    return name === 'free'
      ? t('myDevice.ofTotal', {
          size: apart(bytes),
          total: apart(storage.totalSpace),
        })
      : apart(bytes);
  };
  return (
    <Section title={t('myDevice.space')}>
      <div className="space">
        <div className="space-picture">
          <SpaceRing
            parts={parts}
            label={t('myDevice.spaceRing', {
              free: size(storage.free, language),
              total: size(storage.totalSpace, language),
            })}
          />
          <p className="space-free" aria-hidden="true">
            <strong className="tabular">{freeShare}</strong>
            <span>{t('myDevice.freeShare')}</span>
          </p>
        </div>
        <dl className="space-parts">
          {parts.map((part) => (
            <div key={part.name} data-part={part.name} data-testid={`space-${part.name}`}>
              <dt>{t(`myDevice.parts.${part.name}`)}</dt>
              <dd className="tabular">{amount(part)}</dd>
            </div>
          ))}
        </dl>
        {storage.isFull && <p className="space-full">{t('me.full')}</p>}
      </div>
      <GoLink to={paths.deviceFiles} className="line">
        <FolderOpen size={20} aria-hidden="true" />
        <span className="line-words">{t('me.openSessions')}</span>
        <span className="line-end">
          <ChevronRight className="turns" size={18} aria-hidden="true" />
        </span>
      </GoLink>
      <GoLink to={paths.deviceFiles} className="line" data-testid="to-wifi">
        <Wifi size={20} aria-hidden="true" />
        <span className="line-words">
          <span>{t('myDevice.wifi')}</span>
          <span>
            {t(recording.state === 'recording' ? 'myDevice.wifiBusy' : 'myDevice.wifiHint')}
          </span>
        </span>
        <span className="line-end">
          <ChevronRight className="turns" size={18} aria-hidden="true" />
        </span>
      </GoLink>
    </Section>
  );
}
