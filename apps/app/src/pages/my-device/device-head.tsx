import Bluetooth from 'lucide-react/icons/bluetooth';
import BluetoothOff from 'lucide-react/icons/bluetooth-off';
import Network from 'lucide-react/icons/network';
import Wifi from 'lucide-react/icons/wifi';
import { disconnectedReason } from '../../i18n/disconnected-reason.ts';
import { formatPercentage } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { PageLink } from '../../page-kit/navigation.tsx';
import { paths } from '../../page-kit/paths.ts';
import { useServices, useStore } from '../../page-kit/services-context.ts';
import type { FirmwareUpdate } from '../../ports/firmware.ts';
import type { ConnectedRecorder, LinkState } from '../../ports/recorder.ts';
import { Battery, RecorderDrawing, type RecorderFace } from '../../ui/recorder.tsx';
import { joinPath } from '../wifi/join-path.ts';

/** Returns the recorder's current activity. */
function currentActivity(
  { recording }: ConnectedRecorder,
  { status }: FirmwareUpdate,
): 'idle' | 'recording' | 'paused' | 'unavailable' | 'updating' {
  if (['sending', 'asking', 'restarting'].includes(status)) return 'updating';
  if (recording.state !== 'recording') return recording.state;
  return recording.pausedAt === null ? 'recording' : 'paused';
}

/** Shows the recorder's connection, activity and battery, with an illustration. */
export function DeviceHead({
  link,
  device,
}: {
  link: Exclude<LinkState, { status: 'none' }>;
  device: ConnectedRecorder | null;
}) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { firmware } = useServices().recorder;
  const update = useStore(firmware.update);
  const activity = link.status === 'connected' ? currentActivity(link.recorder, update) : null;
  const activityFaces = { unavailable: 'idle', idle: 'idle', recording: 'recording' } as const;
  const face: RecorderFace =
    activity === null
      ? link.status === 'connecting' || link.status === 'reconnecting'
        ? 'searching'
        : 'off'
      : activity === 'paused' || activity === 'updating'
        ? activity
        : activityFaces[activity];
  const disconnectReason = disconnectedReason(link);
  const battery = link.status === 'connected' ? link.recorder.battery : null;
  const batteryText =
    battery &&
    t(battery.charging ? 'me.charging' : 'me.battery', {
      percent: formatPercentage(battery.level, language),
    });
  return (
    <section className="card device-head">
      <div className="device-head-row">
        <RecorderDrawing face={face} height={148} />
        <div className="device-head-words">
          <h2 className="display" dir="auto">
            {link.name}
          </h2>
          <p className="device-link" data-testid="device-link" data-status={link.status}>
            <LinkIcon link={link} />
            <span>{t(linkStatusKey(link))}</span>
          </p>
          {battery && batteryText && (
            <p className="device-battery" data-testid="device-battery">
              <Battery level={battery.level} charging={battery.charging} label={batteryText} />
              <span aria-hidden="true">{batteryText}</span>
            </p>
          )}
          {activity && (
            <p className="device-now" data-testid="device-now" data-doing={activity}>
              {t(`myDevice.now.${activity}`)}
            </p>
          )}
        </div>
      </div>
      {link.status !== 'connected' && (
        <div className="device-away">
          {disconnectReason && <p>{t(`connect.lost.${disconnectReason}`)}</p>}
          <p>
            {link.status !== 'hotspot' && t(device ? 'myDevice.lastKnown' : 'myDevice.awayHint')}
            {link.status === 'hotspot' &&
              t(link.joining === 'asked' ? 'wifi.joiningHint' : 'wifi.join')}
          </p>
          {link.status !== 'connecting' && (
            <PageLink
              to={link.status === 'hotspot' ? joinPath(link.joining) : paths.deviceConnect}
              className="button"
              data-look="primary"
            >
              {link.status === 'hotspot'
                ? t('connect.toNetwork')
                : t('connect.reconnect', { name: link.name })}
            </PageLink>
          )}
        </div>
      )}
      {(activity === 'recording' || activity === 'paused') && (
        <p className="device-away" role="status">
          {t('myDevice.whileRecording')}
        </p>
      )}
    </section>
  );
}

function LinkIcon({ link }: { link: LinkState }) {
  if (link.status === 'hotspot' || (link.status === 'connected' && link.recorder.medium === 'wifi'))
    return <Wifi size={20} aria-hidden="true" />;
  if (link.status === 'connected' && link.recorder.medium === 'network')
    return <Network size={20} aria-hidden="true" />;
  const Icon =
    link.status === 'connected' || link.status === 'connecting' ? Bluetooth : BluetoothOff;
  return <Icon size={20} aria-hidden="true" />;
}

function linkStatusKey(link: Exclude<LinkState, { status: 'none' }>) {
  switch (link.status) {
    case 'connected':
      return `myDevice.over.${link.recorder.medium}` as const;
    case 'hotspot':
      return 'myDevice.hotspot';
    case 'connecting':
      return 'me.connecting';
    case 'idle':
    case 'unavailable':
    case 'reconnecting':
      return 'me.disconnected';
  }
}
