import Crown from 'lucide-react/icons/crown';
import { type ReactNode, useState } from 'react';
import { describeFailure } from '../../i18n/failures.ts';
import { formatDay } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { useServices, useStore } from '../../page-kit/services-context.ts';
import type { Membership } from '../../ports/account.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { useToast } from '../../ui/toast.tsx';
import { renewingSubscription } from './renewing-subscription.ts';

/** Shows when the plan renews or expires. */
function Term({ membership }: { membership: Membership }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { isVip, expiresAt } = membership;
  const subscription = renewingSubscription(membership);
  if (subscription?.status === 'past_due') return <p data-testid="term">{t('vip.late')}</p>;
  if (subscription) {
    const date = formatDay(subscription.period_end, language);
    return <p data-testid="term">{t('vip.renewsOn', { date })}</p>;
  }
  if (!isVip) return <p>{t('vip.freeHint')}</p>;
  if (expiresAt === null) return null;
  return <p data-testid="term">{t('vip.runsOut', { date: formatDay(expiresAt, language) })}</p>;
}

/** Turns off auto-renewal after confirmation. */
function CancelRenewal({ until }: { until: string }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { membership } = useServices();
  const show = useToast();
  const [confirmation, setConfirmation] = useState<'asked' | 'busy' | null>(null);
  const cancel = async () => {
    setConfirmation('busy');
    const outcome = await membership.cancelRenewal();
    setConfirmation(null);
    if (outcome.ok) {
      show({ message: t('vip.canceled') });
      return;
    }
    const { message, sticky } = describeFailure(t, outcome.failure);
    show({ message, kind: 'error', sticky });
  };
  return (
    <>
      <Button variant="quiet" data-testid="cancel-renewal" onClick={() => setConfirmation('asked')}>
        {t('vip.cancel')}
      </Button>
      {confirmation && (
        <Confirm
          title={t('vip.cancelTitle')}
          confirmLabel={t('vip.cancel')}
          busy={confirmation === 'busy'}
          onConfirm={() => void cancel()}
          onCancel={() => setConfirmation(null)}
        >
          {t('vip.cancelText', { date: formatDay(until, language) })}
        </Confirm>
      )}
    </>
  );
}

/** Shows the account's current plan, period and minutes. */
export function PlanHeader({ minutes }: { minutes: ReactNode }) {
  const { t } = useTranslation();
  const { account } = useServices();
  const membership = useStore(account.membership);
  if (!membership) return null;
  const subscription = renewingSubscription(membership);
  return (
    <section className="plan" aria-label={t('vip.now')} data-vip={membership.isVip || undefined}>
      <div className="plan-words">
        <Crown size={28} aria-hidden="true" />
        <h2 className="display" data-testid="plan">
          {t(`me.plan.${membership.plan ?? 'none'}`)}
        </h2>
        <Term membership={membership} />
        {subscription && <CancelRenewal until={membership.expiresAt ?? subscription.period_end} />}
      </div>
      {minutes}
    </section>
  );
}

/** Shown on servers without billing, where everything is available. */
export function NoBillingHeader() {
  const { t } = useTranslation();
  return (
    <section className="plan" data-vip data-testid="open">
      <div className="plan-words">
        <Crown size={28} aria-hidden="true" />
        <h2 className="display">{t('vip.open')}</h2>
        <p>{t('vip.openHint')}</p>
      </div>
    </section>
  );
}
