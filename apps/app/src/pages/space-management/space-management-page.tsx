import CalendarClock from 'lucide-react/icons/calendar-clock';
import FolderOpen from 'lucide-react/icons/folder-open';
import { useEffect } from 'react';
import { formatSize } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { NavRow } from '../../page-kit/nav-row.tsx';
import { Page, Section } from '../../page-kit/page.tsx';
import { paths } from '../../page-kit/paths.ts';
import { useServices, useStore } from '../../page-kit/services-context.ts';
import type { PhoneSpace } from '../../ports/phone-space.ts';
import { LoadingPlaceholder } from '../../ui/notice.tsx';
import { StorageChart } from '../../ui/space-picture.tsx';
import { RecorderSpace } from '../my-device/recorder-space.tsx';
import { CloudSpace } from './cloud-space.tsx';
import { FreeSection } from './free-section.tsx';
import { LocationsSection } from './locations-section.tsx';
import './space-management.css';

const parts = ['audio', 'denoised', 'database', 'rest', 'free'] as const;

/** Shows a chart of the storage that Linnet uses on this phone. */
function PhonePicture({ space }: { space: PhoneSpace }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const usedSize = formatSize(space.audio + space.denoised + space.database + space.rest, language);
  return (
    <>
      <StorageChart
        parts={parts
          .map((name) => ({ name, bytes: space[name] ?? 0 }))
          .filter(({ bytes }) => bytes > 0)
          .map(({ name, bytes }) => ({
            name,
            bytes,
            label: t(`storage.space.parts.${name}`),
            amount: formatSize(bytes, language),
          }))}
        label={t('storage.space.picture', { used: usedSize })}
        figure={usedSize}
        figureLabel={t('storage.space.taken')}
      />
      {space.free === null && <p className="space-note">{t('storage.space.unknownFree')}</p>}
    </>
  );
}

/** Shows storage on the recorder, the phone and the server, with actions that free space. */
export default function SpaceManagementPage() {
  const { t } = useTranslation();
  const { recorder, phoneSpace, library } = useServices();
  const link = useStore(recorder.link);
  const space = useStore(phoneSpace.space);
  const records = useStore(library.records);
  const isConnected = link.status === 'connected';

  useEffect(() => {
    if (isConnected) void recorder.listSessions();
  }, [isConnected, recorder]);

  return (
    <Page title={t('storage.space.title')} parent={paths.me}>
      <Section title={t('storage.space.phone')}>
        <div data-testid="phone-space">
          {space.status === 'ready' ? (
            <PhonePicture space={space.value} />
          ) : (
            <LoadingPlaceholder lines={3} />
          )}
        </div>
      </Section>
      {link.status !== 'none' && (
        <Section title={t('storage.space.recorder')}>
          <div data-testid="recorder-space">
            {isConnected ? (
              <RecorderSpace device={link.recorder} />
            ) : (
              <p className="space-note">{t('storage.space.recorderAway')}</p>
            )}
          </div>
          <NavRow to={paths.deviceFiles} icon={FolderOpen} label={t('me.openSessions')} />
        </Section>
      )}
      <CloudSpace />
      <Section>
        <NavRow
          to={paths.retention}
          icon={CalendarClock}
          label={t('retention.title')}
          hint={t('retention.hint')}
          testId="to-retention"
        />
      </Section>
      {records.status === 'ready' && (
        <>
          <LocationsSection records={records.value} />
          {space.status === 'ready' && <FreeSection space={space.value} records={records.value} />}
        </>
      )}
    </Page>
  );
}
