import { cloudSetting, transcriptionSetting } from '@linnet/contract/statuses';
import AudioLines from 'lucide-react/icons/audio-lines';
import CloudUpload from 'lucide-react/icons/cloud-upload';
import Network from 'lucide-react/icons/network';
import RefreshCw from 'lucide-react/icons/refresh-cw';
import Smartphone from 'lucide-react/icons/smartphone';
import Wifi from 'lucide-react/icons/wifi';
import { formatCount, formatPercentage } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { NavRow } from '../../page-kit/nav-row.tsx';
import { PageLink } from '../../page-kit/navigation.tsx';
import { Page, Section } from '../../page-kit/page.tsx';
import { paths } from '../../page-kit/paths.ts';
import {
  useChangeSetting,
  useCloudSetting,
  useStorageSetting,
  useTranscriptionSetting,
} from '../../page-kit/saving.ts';
import { useMember, useServices, useStore } from '../../page-kit/services-context.ts';
import { LoadingPlaceholder, Notice } from '../../ui/notice.tsx';
import { ProgressRing } from '../../ui/ring.tsx';
import { SwitchLine } from '../../ui/switch-line.tsx';
import './cloud-backup.css';

/** Shows the proportion of recordings backed up as a ring chart. */
function BackupChart({ backedUp, total }: { backedUp: number; total: number }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const label =
    total === 0
      ? t('storage.backup.empty')
      : backedUp === total
        ? t('storage.backup.all')
        : t('storage.backup.count', {
            done: formatCount(backedUp, language),
            total: formatCount(total, language),
          });
  const percent = total === 0 ? 0 : Math.floor((100 * backedUp) / total);
  return (
    <div className="backup-hero">
      <ProgressRing percent={percent} size={148} label={label}>
        <span className="backup-inside">
          <CloudUpload size={28} aria-hidden="true" />
          {total > 0 && <strong>{formatPercentage(percent, language)}</strong>}
        </span>
      </ProgressRing>
      <h2 className="display" data-testid="backed-up">
        {label}
      </h2>
    </div>
  );
}

/** Shows automatic upload: its switch, the allowed networks, and the progress. */
export default function CloudBackupPage() {
  const { t } = useTranslation();
  const language = useLanguage();
  const { library, network: networks, pendingWork } = useServices();
  const setSetting = useChangeSetting();
  const isMember = useMember();
  const setting = useCloudSetting();
  const transcription = useTranscriptionSetting();
  const savesToCloud = useStorageSetting()?.cloudSave !== 0;
  const network = useStore(networks);
  const records = useStore(library.records);
  const pendingState = useStore(pendingWork.state);

  const changeSetting = (key: keyof typeof cloudSetting.keys, isOn: boolean) =>
    setSetting(cloudSetting.group, cloudSetting.keys[key], isOn ? '1' : '0');
  const allRecords = records.status === 'ready' ? records.value : [];
  const inCloud = allRecords.filter(({ copies }) => copies.cloud.status !== 'absent').length;
  const uploads =
    pendingState.status === 'ready'
      ? pendingState.value.records.filter(({ step }) => step === 'upload')
      : [];
  const waitsForWifi = uploads.some(({ cause }) => cause.reason === 'wifi_only');
  const isAutomatic = isMember && setting?.autoSync === true;
  const isLive = isAutomatic && transcription?.live === true;
  return (
    <Page title={t('storage.backup.title')} parent={paths.me}>
      {records.status === 'loading' || !setting ? (
        <LoadingPlaceholder lines={5} />
      ) : (
        <>
          <BackupChart backedUp={inCloud} total={allRecords.length} />
          {!savesToCloud && (
            <Notice
              tone="plain"
              message={t('storage.backup.cloudOff')}
              detail={t('storage.backup.cloudOffHint')}
              action={
                <PageLink to={paths.storageLocation} className="button" data-look="plain">
                  {t('storage.location.title')}
                </PageLink>
              }
            />
          )}
          <div className="section">
            <div className="card">
              <SwitchLine
                icon={<RefreshCw size={20} aria-hidden="true" />}
                label={t('storage.backup.auto')}
                hint={t(
                  !isMember
                    ? 'storage.backup.autoMember'
                    : isAutomatic
                      ? 'storage.backup.autoOn'
                      : 'storage.backup.autoOff',
                )}
                checked={isAutomatic}
                disabled={!isMember}
                testId="auto-sync"
                onChange={(isOn) => changeSetting('autoSync', isOn)}
              />
              <SwitchLine
                icon={<AudioLines size={20} aria-hidden="true" />}
                label={t('live.title')}
                hint={t(!isMember ? 'live.member' : isLive ? 'live.on' : 'live.off')}
                checked={isLive}
                disabled={!isAutomatic}
                testId="live-text-switch"
                onChange={(isOn) => {
                  const { group, keys } = transcriptionSetting;
                  setSetting(group, keys.live, isOn ? '1' : '0');
                }}
              />
              <SwitchLine
                icon={<Wifi size={20} aria-hidden="true" />}
                label={t('storage.backup.wifiOnly')}
                hint={t(
                  setting.wifiOnly ? 'storage.backup.wifiOnlyOn' : 'storage.backup.wifiOnlyOff',
                )}
                checked={setting.wifiOnly}
                testId="wifi-only"
                onChange={(isOn) => changeSetting('wifiOnly', isOn)}
              />
            </div>
            {setting.wifiOnly && network === 'unknown' && (
              <p className="page-note" role="note" data-testid="wifi-only-unknown">
                {t('storage.backup.unknownHint')}
              </p>
            )}
          </div>
          <Section title={t('storage.backup.network')}>
            <p className="line" data-testid="network" data-kind={network}>
              <NetworkIcon kind={network} />
              <span className="line-words">
                <span>{t(`storage.backup.networks.${network}`)}</span>
                {waitsForWifi && <span>{t('storage.backup.held')}</span>}
              </span>
            </p>
            <NavRow
              to={paths.dataSynchronization}
              icon={RefreshCw}
              label={t('storage.sync.title')}
              hint={
                uploads.length === 0
                  ? t('storage.backup.nothingWaits')
                  : t('storage.backup.waits', {
                      count: uploads.length,
                      formatted: formatCount(uploads.length, language),
                    })
              }
              testId="to-sync"
            />
          </Section>
        </>
      )}
    </Page>
  );
}

function NetworkIcon({ kind }: { kind: 'fixed' | 'mobile' | 'unknown' }) {
  const Icon = { fixed: Wifi, mobile: Smartphone, unknown: Network }[kind];
  return <Icon size={20} aria-hidden="true" />;
}
