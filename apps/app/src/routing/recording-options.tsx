import type { MicrophoneInput } from '@linnet/sync';
import { useEffect, useState } from 'react';
import { useTranslation } from '../i18n/index.ts';
import { useRecording } from '../page-kit/recording.tsx';
import { useServices, useStore } from '../page-kit/services-context.ts';
import { useThisDeviceName } from '../page-kit/this-device.ts';
import { SegmentedControl } from '../ui/choice.tsx';

/** Lets the user choose a microphone if there are several and their names are known. */
function InputChoice() {
  const { t } = useTranslation();
  const { microphone } = useServices().recorders;
  const chosen = useStore(microphone.input);
  const [inputs, setInputs] = useState<readonly MicrophoneInput[]>([]);
  useEffect(() => {
    microphone.inputs().then(setInputs).catch(reportError);
  }, [microphone]);
  const named = inputs.filter(({ id, name }) => name && id !== 'default');
  if (named.length < 2) return null;
  return (
    <label className="field recording-input">
      {t('record.input')}
      <select
        value={chosen ?? ''}
        data-testid="record-input"
        onChange={({ target }) => microphone.chooseInput(target.value || null)}
      >
        <option value="">{t('record.defaultInput')}</option>
        {named.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

/** The options for the next recording, limited to those that the chosen recorder supports. */
export function RecordingOptions() {
  const { t } = useTranslation();
  const { recorder: link, recorders, omi } = useServices();
  const linkState = useStore(link.link);
  const omiState = useStore(omi.state);
  const { recorder, mode, scene, setOptions } = useRecording();
  const { modes, scenes, choosesInput } = recorder.capabilities;
  const thisDevice = useThisDeviceName();
  const knownRecorders = [
    linkState.status !== 'none' && { value: 'linnet' as const, label: linkState.name },
    omiState.status !== 'none' && { value: 'omi' as const, label: omiState.name },
  ].filter((option) => option !== false);
  return (
    <>
      {knownRecorders.length > 0 && (
        <SegmentedControl
          label={t('record.recorder')}
          value={recorder.kind}
          options={[...knownRecorders, { value: 'this-device', label: thisDevice }]}
          onChange={recorders.choose}
        />
      )}
      <SegmentedControl
        label={t('record.scene')}
        value={scene}
        options={scenes.map((value) => ({ value, label: t(`record.scenes.${value}`) }))}
        onChange={(value) => setOptions({ scene: value })}
      />
      {modes.length > 1 && (
        <SegmentedControl
          label={t('record.mode')}
          value={mode}
          options={modes.map((value) => ({ value, label: t(`record.modes.${value}`) }))}
          onChange={(value) => setOptions({ mode: value })}
        />
      )}
      {choosesInput && <InputChoice />}
    </>
  );
}
