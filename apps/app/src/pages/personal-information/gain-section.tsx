import { useTranslation } from '../../i18n/index.ts';
import { PageLink } from '../../page-kit/navigation.tsx';
import { Section } from '../../page-kit/page.tsx';
import { paths } from '../../page-kit/paths.ts';
import { useServices, useStore } from '../../page-kit/services-context.ts';
import type { ConnectedRecorder } from '../../ports/recorder.ts';
import { GainChoice } from '../my-device/gain-choice.tsx';
import { useSettings } from '../my-device/use-settings.ts';

function Gain({ device }: { device: ConnectedRecorder }) {
  const { settings, change } = useSettings(device.settings);
  return (
    <div className="gain">
      <GainChoice value={settings.micGain} onChange={(value) => void change('micGain', value)} />
    </div>
  );
}

/** Sets the connected recorder's microphone sensitivity. */
export function GainSection() {
  const { t } = useTranslation();
  const link = useStore(useServices().recorder.link);
  return (
    <Section title={t('me.recorder')}>
      {link.status === 'connected' ? (
        <Gain device={link.recorder} />
      ) : (
        <div className="gain">
          <p>{t('personal.noRecorder')}</p>
          <PageLink to={paths.deviceConnect} className="button" data-look="plain">
            {link.status === 'none'
              ? t('files.connect')
              : t('connect.reconnect', { name: link.name })}
          </PageLink>
        </div>
      )}
    </Section>
  );
}
