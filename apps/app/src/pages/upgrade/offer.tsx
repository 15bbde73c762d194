import { isOlderVersion } from '../../firmware-versions.ts';
import { describeRecorderFailure, firmwareFailureText } from '../../i18n/failures.ts';
import { formatDay, formatRoughDuration, formatSize } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { useServices } from '../../page-kit/services-context.ts';
import type { PublishedFirmware } from '../../ports/firmware.ts';
import type { ConnectedRecorder } from '../../ports/recorder.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { RecorderDrawing } from '../../ui/recorder.tsx';
import { updateObstacle } from './update-obstacle.ts';
import { UpdateRules } from './update-rules.tsx';

/** Shows the firmware version on offer: its notes, its requirements, and the update button. */
export function Offer({
  firmware,
  device,
}: {
  firmware: PublishedFirmware;
  device: ConnectedRecorder;
}) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { recorder } = useServices();
  const { version, notes, publishedAt } = firmware;
  const installedVersion = device.info.firmwareVersion;
  const isOlder = isOlderVersion(version, installedVersion);
  const obstacle = updateObstacle(device);
  const obstacleText =
    obstacle === 'battery_low'
      ? describeRecorderFailure(t, { kind: 'device', code: obstacle })
      : obstacle && firmwareFailureText(t, obstacle, obstacle);
  const facts = [
    ['size', formatSize(firmware.size, language)],
    ['takes', formatRoughDuration(firmware.seconds, language)],
    ['published', formatDay(publishedAt, language)],
  ] as const;
  return (
    <>
      <div className="upgrade-hero">
        <RecorderDrawing
          face={device.recording.state === 'recording' ? 'recording' : 'updating'}
          height={132}
        />
        <h2 className="display" data-testid="offered">
          {t('upgrade.ready', { version })}
        </h2>
        <p>
          <bdi>{t('upgrade.runs', { version: installedVersion })}</bdi>
        </p>
      </div>
      {isOlder && (
        <p className="upgrade-older" role="note">
          {t('upgrade.older')}
        </p>
      )}
      <section className="card upgrade-about">
        {notes && (
          <div className="upgrade-notes">
            <h3>{t('upgrade.notes')}</h3>
            <p dir="auto" data-testid="notes">
              {notes}
            </p>
          </div>
        )}
        <dl className="upgrade-facts">
          {facts.map(([name, fact]) => (
            <div key={name}>
              <dt>{t(`upgrade.${name}`)}</dt>
              <dd className="tabular">
                <bdi>{fact}</bdi>
              </dd>
            </div>
          ))}
        </dl>
      </section>
      {obstacleText && (
        <Notice
          message={obstacleText.message}
          detail={obstacleText.advice}
          code={obstacle && obstacleText.code}
          tone="amber"
        />
      )}
      <Button
        variant="primary"
        wide
        disabled={obstacle !== null}
        data-testid="update"
        onClick={() => void recorder.firmware.start()}
      >
        {t(isOlder ? 'upgrade.startOlder' : 'upgrade.start', { version })}
      </Button>
      <UpdateRules />
    </>
  );
}
