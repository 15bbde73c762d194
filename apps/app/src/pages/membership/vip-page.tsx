import { useCallback, useEffect, useState } from 'react';
import { describeFailure } from '../../i18n/failures.ts';
import { formatCount } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { NavRow } from '../../page-kit/nav-row.tsx';
import { Page } from '../../page-kit/page.tsx';
import { paths } from '../../page-kit/paths.ts';
import { useServerData } from '../../page-kit/server-data.ts';
import { useServerInfo, useServices } from '../../page-kit/services-context.ts';
import { Button } from '../../ui/button.tsx';
import { LoadingPlaceholder, Notice } from '../../ui/notice.tsx';
import { Comparison } from './comparison.tsx';
import { MinutesBalance } from './minutes-card.tsx';
import { NoBillingHeader, PlanHeader } from './plan-header.tsx';
import { PlanList } from './plan-list.tsx';
import './membership.css';
import './vip.css';

type RestoreState =
  | { readonly status: 'idle' | 'busy' }
  | { readonly status: 'done'; readonly message: string };

/** Restores purchases: asks the server to query the payment service, and shows the result. */
function Restore({ onRestored }: { onRestored(): void }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { membership } = useServices();
  const [restoring, setRestoring] = useState<RestoreState>({ status: 'idle' });
  const restore = async () => {
    setRestoring({ status: 'busy' });
    const outcome = await membership.restore();
    if (!outcome.ok) {
      setRestoring({ status: 'done', message: describeFailure(t, outcome.failure).message });
      return;
    }
    const restoredCount = outcome.data.length;
    const message =
      restoredCount === 0
        ? t('vip.restoredNone')
        : t('vip.restored', {
            count: restoredCount,
            formatted: formatCount(restoredCount, language),
          });
    setRestoring({ status: 'done', message });
    onRestored();
  };
  return (
    <section className="vip-restore">
      <p className="small-print">{t('vip.restoreHint')}</p>
      <Button
        busy={restoring.status === 'busy'}
        data-testid="restore"
        onClick={() => void restore()}
      >
        {t('vip.restore')}
      </Button>
      <p role="status" data-testid="restored">
        {restoring.status === 'done' && restoring.message}
      </p>
    </section>
  );
}

/** Shows plans, minutes and payment on servers with billing. */
function Shop() {
  const { t } = useTranslation();
  const { membership } = useServices();
  const { data: plans, reload: reloadPlans } = useServerData(
    useCallback(() => membership.plans(), [membership]),
  );
  const { data: balance, reload: reloadBalance } = useServerData(
    useCallback(() => membership.balance(), [membership]),
  );
  const reloadAll = () => {
    void reloadPlans();
    void reloadBalance();
  };
  return (
    <>
      <PlanHeader minutes={<MinutesBalance balance={balance} onRetry={reloadBalance} />} />
      {plans.status === 'waiting' && <LoadingPlaceholder lines={3} />}
      {plans.status === 'failed' && (
        <Notice
          message={t('vip.plansFailed')}
          detail={describeFailure(t, plans.failure).message}
          code={describeFailure(t, plans.failure).code}
          action={<Button onClick={reloadAll}>{t('common.retry')}</Button>}
        />
      )}
      {plans.status === 'ready' && <PlanList plans={plans.value} />}
      <Comparison />
      <Restore onRestored={() => void reloadBalance()} />
      <nav className="card">
        {(['purchaseRecord', 'usedMinutes'] as const).map((page) => (
          <NavRow
            key={page}
            to={paths[page]}
            label={t(page === 'purchaseRecord' ? 'orders.title' : 'used.title')}
          />
        ))}
      </nav>
    </>
  );
}

/** The membership page: current plan, plans on offer and benefits. It always uses the dark theme. */
export default function VipPage() {
  const { t } = useTranslation();
  const { account } = useServices();
  const serverInfo = useServerInfo();
  useEffect(() => {
    void account.refresh();
  }, [account]);
  return (
    <div className="vip" data-scheme="dark">
      <Page title={t('vip.title')} parent={paths.me}>
        {serverInfo?.billing === 'off' ? (
          <>
            <NoBillingHeader />
            <Comparison />
          </>
        ) : (
          <Shop />
        )}
      </Page>
    </div>
  );
}
