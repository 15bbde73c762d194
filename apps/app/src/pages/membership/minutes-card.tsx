import { describeFailure } from '../../i18n/failures.ts';
import { formatCount } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import type { ServerData } from '../../page-kit/server-data.ts';
import type { Balance } from '../../ports/membership.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';

/** Shows the available minutes by source, in the order they are used up. */
function MinutesCard({ balance }: { balance: Balance }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const sources = [
    { name: 'vip', minutes: balance.vip_minutes },
    { name: 'free', minutes: balance.free_minutes },
    { name: 'package', minutes: balance.package_minutes },
  ] as const;
  const nonEmpty = sources.filter(({ minutes }) => minutes > 0);
  return (
    <div className="minutes" data-testid="minutes">
      <p className="minutes-left">
        <span>{t('vip.left')}</span>
        <strong className="display tabular" data-testid="minutes-left">
          {formatCount(balance.left_minutes, language)}
        </strong>
      </p>
      <div className="minutes-bar" aria-hidden="true">
        {nonEmpty.map(({ name, minutes }) => (
          <span key={name} data-purse={name} style={{ flexGrow: minutes }} />
        ))}
      </div>
      {nonEmpty.length > 0 && (
        <dl className="minutes-purses">
          {nonEmpty.map(({ name, minutes }) => (
            <div key={name}>
              <dt>
                <span className="minutes-dot" data-purse={name} aria-hidden="true" />
                {t(`vip.purses.${name}`)}
              </dt>
              <dd className="tabular">{formatCount(minutes, language)}</dd>
            </div>
          ))}
        </dl>
      )}
    </div>
  );
}

/** Shows the balance reported by the server, or why it failed to load. */
export function MinutesBalance({
  balance,
  onRetry,
}: {
  balance: ServerData<Balance>;
  onRetry(): void;
}) {
  const { t } = useTranslation();
  switch (balance.status) {
    case 'waiting':
      return null;
    case 'ready':
      return <MinutesCard balance={balance.value} />;
    case 'failed': {
      const { message, code } = describeFailure(t, balance.failure);
      return (
        <div data-testid="minutes-failed">
          <Notice
            message={t('vip.minutesFailed')}
            detail={message}
            code={code}
            action={<Button onClick={onRetry}>{t('common.retry')}</Button>}
          />
        </div>
      );
    }
  }
}
