import { formatCount } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { Section } from '../../page-kit/page.tsx';
import type { ConnectedRecorder } from '../../ports/recorder.ts';
import { SegmentedControl } from '../../ui/choice.tsx';
import { SwitchLine } from '../../ui/switch-line.tsx';
import { GainChoice } from './gain-choice.tsx';
import { useSettings } from './use-settings.ts';

const scenes = ['note', 'meeting', 'call'] as const;
const modes = ['normal', 'call'] as const;

/** The selectable microphone arrays. 0 means automatic; the meaning of 1 to 3 depends on the model. */
const microphoneArrays = [0, 1, 2, 3] as const;

/** Shows the recorder's settings. */
export function SettingsSection({
  device,
  connected,
}: {
  device: ConnectedRecorder;
  connected: boolean;
}) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { settings, change } = useSettings(device.settings);
  const knownArrays: readonly number[] = microphoneArrays;
  const offeredArrays = knownArrays.includes(settings.dmicMode)
    ? knownArrays
    : [...knownArrays, settings.dmicMode];
  const { changesSettings, setsLed } = device.capabilities;
  if (!changesSettings && !setsLed) return null;
  return (
    <div className="section">
      <Section title={t('myDevice.settings')}>
        <fieldset className="device-settings" disabled={!connected}>
          <legend className="visually-hidden">{t('myDevice.settings')}</legend>
          {changesSettings && (
            <>
              <GainChoice
                value={settings.micGain}
                onChange={(value) => void change('micGain', value)}
              />
              <SegmentedControl
                label={t('myDevice.dmic')}
                value={String(settings.dmicMode)}
                options={offeredArrays.map((value) => ({
                  value: String(value),
                  label: value === 0 ? t('myDevice.dmicAutomatic') : formatCount(value, language),
                }))}
                onChange={(value) => void change('dmicMode', Number(value))}
              />
              <p className="device-hint">{t('myDevice.arraysHint')}</p>
              <SegmentedControl
                label={t('myDevice.scene')}
                value={settings.recScene}
                options={scenes.map((value) => ({ value, label: t(`record.scenes.${value}`) }))}
                onChange={(value) => void change('recScene', value)}
              />
              <SegmentedControl
                label={t('myDevice.mode')}
                value={settings.recMode}
                options={modes.map((value) => ({ value, label: t(`record.modes.${value}`) }))}
                onChange={(value) => void change('recMode', value)}
              />
              <p className="device-hint">{t(`record.modeHints.${settings.recMode}`)}</p>
            </>
          )}
          {setsLed && (
            <SwitchLine
              label={t('myDevice.light')}
              hint={t('myDevice.lightHint')}
              checked={settings.recLedStatus}
              testId="light"
              onChange={(isOn) => void change('recLedStatus', isOn)}
            />
          )}
        </fieldset>
      </Section>
      <p className="device-hint">{t('myDevice.settingsHint')}</p>
    </div>
  );
}
