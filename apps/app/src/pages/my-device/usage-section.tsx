import type { RecorderUsage } from '@linnet/device/session';
import { formatCount, formatRoughDuration, formatSize } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { Section } from '../../page-kit/page.tsx';

/** Shows the recorder's lifetime counters, or nothing until they have loaded. */
export function UsageSection({ usage }: { usage: RecorderUsage | null }) {
  const { t } = useTranslation();
  const language = useLanguage();
  if (!usage) return null;
  const times = (amount: number) =>
    t('myDevice.times', { count: amount, formatted: formatCount(amount, language) });
  const facts = [
    ['recordings', formatCount(usage.recordings, language)],
    ['recorded', formatRoughDuration(usage.recordedSeconds, language)],
    ['transferred', formatSize(usage.transferredBytes, language)],
    ['powered', formatRoughDuration(usage.poweredSeconds, language)],
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
