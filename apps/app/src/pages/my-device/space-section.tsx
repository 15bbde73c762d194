import ChartPie from 'lucide-react/icons/chart-pie';
import FolderOpen from 'lucide-react/icons/folder-open';
import Wifi from 'lucide-react/icons/wifi';
import { useTranslation } from '../../i18n/index.ts';
import { NavRow } from '../../page-kit/nav-row.tsx';
import { Section } from '../../page-kit/page.tsx';
import { paths } from '../../page-kit/paths.ts';
import type { ConnectedRecorder } from '../../ports/recorder.ts';
import { RecorderSpace } from './recorder-space.tsx';

/** Shows the recorder's storage as a chart with a legend, and links to its contents. */
export function SpaceSection({ device }: { device: ConnectedRecorder }) {
  const { t } = useTranslation();
  const isRecording = device.recording.state === 'recording';
  return (
    <Section title={t('sessions.title')}>
      <RecorderSpace device={device} />
      <NavRow to={paths.deviceFiles} icon={FolderOpen} label={t('me.openSessions')} />
      {device.capabilities.hasWifi && (
        <NavRow
          to={paths.wifiTransmission}
          icon={Wifi}
          label={t('myDevice.wifi')}
          hint={t(isRecording ? 'myDevice.wifiBusy' : 'myDevice.wifiHint')}
          testId="to-wifi"
        />
      )}
      <NavRow to={paths.spaceManagement} icon={ChartPie} label={t('storage.space.title')} />
    </Section>
  );
}
