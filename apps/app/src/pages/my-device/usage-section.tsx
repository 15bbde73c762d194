import type { RecorderUsage } from '@linnet/device/session';
import { count, roughDuration, size } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { Section } from '../../page-kit/page.tsx';

/** Shows the recorder's lifetime counters, or nothing until they are loaded. */
export function UsageSection({ usage }: { usage: RecorderUsage | null }) {
  const { t } = useTranslation();
  const language = useLanguage();
  if (!usage) return null;
  const times = (amount: number) =>
    t('myDevice.times', { count: amount, formatted: count(amount, language) });
  const facts = [
    ['recordings', count(usage.recordings, language)],
    ['recorded', roughDuration(usage.recordedSeconds, language)],
    ['transferred', size(usage.transferredBytes, language)],
    ['powered', roughDuration(usage.poweredSeconds, language)],
    ['starts', times(usage.starts)],
    ['charges', times(usage.charges)],
  ] as const;
  return (
    <Section title={t('myDevice.used')}>
      <dl className="device-usage" data-testid="usage">
        {facts.map(([name, text]) => (
          <div key={name}>
            <dt>{t(`myDevice.usage.${name}`)}</dt>
            <dd className="tabular">
              <bdi>{text}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}
