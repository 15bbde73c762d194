import type { RecorderSettings } from '@linnet/device/session';
import { useRef, useState } from 'react';
import { Section } from '../../app-shell/page.tsx';
import { useServices } from '../../app-shell/services-context.ts';
import { inOneLine, recorderWords } from '../../i18n/failures.ts';
import { count } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import type { ConnectedRecorder } from '../../services.ts';
import { Choice } from '../../ui/choice.tsx';
import { SwitchLine } from '../../ui/switch-line.tsx';
import { useToast } from '../../ui/toast.tsx';
import { afterAnswer, type Chosen, withChosen } from './chosen.ts';

const scenes = ['note', 'meeting', 'call'] as const;
const modes = ['normal', 'call'] as const;
const gains = ['low', 'normal', 'high'] as const;

/** The microphone arrays that are offered; 0 is automatic, what the others are each model knows. */
const arrays = [0, 1, 2, 3] as const;

/**
 * What an owner may set. A change shows at once and is the recorder's once it says so; where it does not,
 * it goes back with the reason.
 */
export function SettingsSection({
  device,
  connected,
}: {
  device: ConnectedRecorder;
  connected: boolean;
}) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { recorder } = useServices();
  const show = useToast();
  const [chosen, setChosen] = useState<Chosen>({});
  const requests = useRef(0);
  const settings = withChosen(device.settings, chosen);

  const change = async <Name extends keyof RecorderSettings>(
    name: Name,
    value: RecorderSettings[Name],
  ) => {
    const request = requests.current++;
    setChosen((before) => ({ ...before, [name]: { value, request } }));
    const answer = await recorder.changeSettings({ [name]: value });
    setChosen((before) => afterAnswer(before, name, request));
    if (answer.ok) return;
    const words = recorderWords(t, answer.failure);
    const why = inOneLine(words);
    show({ words: t('myDevice.notSet', { why }), kind: 'error', sticky: words.sticky });
  };

  const known: readonly number[] = arrays;
  const offered = known.includes(settings.dmicMode) ? known : [...known, settings.dmicMode];
  return (
    <div className="section">
      <Section title={t('myDevice.settings')}>
        <fieldset className="device-settings" disabled={!connected}>
          <legend className="visually-hidden">{t('myDevice.settings')}</legend>
          <Choice
            label={t('myDevice.gain')}
            value={settings.micGain}
            options={gains.map((value) => ({ value, label: t(`myDevice.gains.${value}`) }))}
            onChange={(value) => void change('micGain', value)}
          />
          <p className="device-hint">{t(`myDevice.gainHints.${settings.micGain}`)}</p>
          <Choice
            label={t('myDevice.dmic')}
            value={String(settings.dmicMode)}
            options={offered.map((value) => ({
              value: String(value),
              label: value === 0 ? t('myDevice.dmicAutomatic') : count(value, language),
            }))}
            onChange={(value) => void change('dmicMode', Number(value))}
          />
          <Choice
            label={t('myDevice.scene')}
            value={settings.recScene}
            options={scenes.map((value) => ({ value, label: t(`record.scenes.${value}`) }))}
            onChange={(value) => void change('recScene', value)}
          />
          <Choice
            label={t('myDevice.mode')}
            value={settings.recMode}
            options={modes.map((value) => ({ value, label: t(`record.modes.${value}`) }))}
            onChange={(value) => void change('recMode', value)}
          />
          <p className="device-hint">{t(`record.modeHints.${settings.recMode}`)}</p>
          <SwitchLine
            label={t('myDevice.light')}
            hint={t('myDevice.lightHint')}
            checked={settings.recLedStatus}
            testId="light"
            onChange={(on) => void change('recLedStatus', on)}
          />
        </fieldset>
      </Section>
      <p className="device-hint">{t('myDevice.settingsHint')}</p>
    </div>
  );
}
