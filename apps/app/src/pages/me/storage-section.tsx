import ChartPie from 'lucide-react/icons/chart-pie';
import CloudUpload from 'lucide-react/icons/cloud-upload';
import Cpu from 'lucide-react/icons/cpu';
import HardDrive from 'lucide-react/icons/hard-drive';
import RefreshCw from 'lucide-react/icons/refresh-cw';
import { useTranslation } from '../../i18n/index.ts';
import { NavRow } from '../../page-kit/nav-row.tsx';
import { Section } from '../../page-kit/page.tsx';
import { paths } from '../../page-kit/paths.ts';
import { useServices, useStore } from '../../page-kit/services-context.ts';

/** Links to the storage location, backup, synchronization and firmware pages. */
export function StorageSection() {
  const { t } = useTranslation();
  const link = useStore(useServices().recorder.link);
  const version = link.status === 'connected' ? link.recorder.info.firmwareVersion : undefined;
  return (
    <Section title={t('storage.section')}>
      <NavRow
        to={paths.storageLocation}
        icon={HardDrive}
        label={t('storage.location.title')}
        hint={t('storage.location.line')}
        testId="to-storage-location"
      />
      <NavRow
        to={paths.cloudBackup}
        icon={CloudUpload}
        label={t('storage.backup.title')}
        testId="to-cloud-backup"
      />
      <NavRow
        to={paths.dataSynchronization}
        icon={RefreshCw}
        label={t('storage.sync.title')}
        testId="to-data-sync"
      />
      <NavRow
        to={paths.spaceManagement}
        icon={ChartPie}
        label={t('storage.space.title')}
        testId="to-space"
      />
      <NavRow
        to={paths.upgrade}
        icon={Cpu}
        label={t('myDevice.firmware')}
        end={version}
        testId="to-firmware"
      />
    </Section>
  );
}
