import type { RecorderSettings } from '@linnet/device/session';
import { useTranslation } from '../../i18n/index.ts';
import { SegmentedControl } from '../../ui/choice.tsx';
import './my-device.css';

type Gain = RecorderSettings['micGain'];

const gains = ['low', 'normal', 'high'] as const satisfies readonly Gain[];

/** Selects the microphone sensitivity, with a hint for each level. */
export function GainChoice({ value, onChange }: { value: Gain; onChange(gain: Gain): void }) {
  const { t } = useTranslation();
  return (
    <>
      <SegmentedControl
        label={t('myDevice.gain')}
        value={value}
        options={gains.map((gain) => ({ value: gain, label: t(`myDevice.gains.${gain}`) }))}
        onChange={onChange}
      />
      <p className="device-hint">{t(`myDevice.gainHints.${value}`)}</p>
    </>
  );
}
