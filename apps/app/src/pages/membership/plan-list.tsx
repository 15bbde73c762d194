import type { Plan } from '@linnet/contract';
import type { PlanId } from '@linnet/contract/statuses';
import { useState } from 'react';
import { formatCount, formatPercentage, formatPrice } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { planName } from '../../i18n/plan-name.ts';
import { useServerInfo, useServices, useStore } from '../../page-kit/services-context.ts';
import { Button } from '../../ui/button.tsx';
import { renewingSubscription } from './renewing-subscription.ts';
import { useCheckout } from './use-checkout.ts';

/** Length of the shortest plan in months. Longer plans also show their price per month. */
const oneMonth = 1;

/** Shows a membership with its initial price and its recurring price. */
function MembershipCard({
  plan,
  isChosen,
  onChoose,
}: {
  plan: Plan;
  isChosen: boolean;
  onChoose(): void;
}) {
  const { t } = useTranslation();
  const language = useLanguage();
  const formatPlanPrice = (amount: number) => formatPrice(amount, plan.currency, language);
  const isMultiMonth = plan.months > oneMonth;
  // Round down, to avoid overstating the saving.
  const saved = plan.compared_with ? Math.floor(100 * (1 - plan.price / plan.full_price)) : 0;
  return (
    <label className="offer" data-testid={`plan-${plan.id}`}>
      <input
        type="radio"
        name="plan"
        className="visually-hidden"
        checked={isChosen}
        onChange={onChoose}
      />
      <span className="offer-head">
        <span>{t(isMultiMonth ? 'vip.annual' : 'vip.monthly')}</span>
        {saved > 0 && (
          <span className="offer-saving">
            {t('vip.saving', { percent: formatPercentage(saved, language) })}
          </span>
        )}
      </span>
      <strong className="offer-price display tabular">
        {t(isMultiMonth ? 'vip.perYear' : 'vip.perMonth', { price: formatPlanPrice(plan.price) })}
      </strong>
      {saved > 0 && (
        <span className="offer-comparison tabular">
          {plan.compared_with === 'list'
            ? t('vip.listPrice', { price: formatPlanPrice(plan.full_price) })
            : t('vip.monthlyTotal', {
                months: formatCount(plan.months, language),
                price: formatPlanPrice(plan.full_price),
              })}
        </span>
      )}
      {isMultiMonth && (
        <span className="offer-month tabular">
          {t('vip.thatIs', { price: formatPlanPrice(Math.round(plan.price / plan.months)) })}
        </span>
      )}
    </label>
  );
}

/** Lists the memberships on offer. There are none while a subscription renews automatically. */
function Memberships({ plans }: { plans: readonly Plan[] }) {
  const { t } = useTranslation();
  const serverInfo = useServerInfo();
  const { account } = useServices();
  const [chosenPlanId, setChosenPlanId] = useState<PlanId | undefined>(plans.at(-1)?.id);
  const { buy, openingPlan } = useCheckout(() => void account.refresh());
  return (
    <section className="vip-section">
      <h2 className="display">{t('vip.become')}</h2>
      <fieldset className="offers">
        <legend className="visually-hidden">{t('vip.become')}</legend>
        {plans.map((plan) => (
          <MembershipCard
            key={plan.id}
            plan={plan}
            isChosen={plan.id === chosenPlanId}
            onChoose={() => setChosenPlanId(plan.id)}
          />
        ))}
      </fieldset>
      <Button
        variant="primary"
        wide
        busy={openingPlan !== null}
        data-testid="subscribe"
        onClick={() => chosenPlanId && void buy(chosenPlanId)}
      >
        {t('vip.checkout')}
      </Button>
      <p className="small-print">{t('vip.renewsItself')}</p>
      {serverInfo && serverInfo.billing !== 'off' && (
        <p className="small-print">{t(`vip.${serverInfo.billing}`)}</p>
      )}
    </section>
  );
}

/** Lists the minute packages. Their minutes don't expire. */
function Packages({ plans }: { plans: readonly Plan[] }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { buy, openingPlan } = useCheckout();
  return (
    <section className="vip-section">
      <h2 className="display">{t('vip.packages')}</h2>
      <p className="vip-lead">{t('vip.packagesHint')}</p>
      <ul className="packages">
        {plans.map((plan) => {
          const description = planName(plan.id, t, language);
          const cost = formatPrice(plan.price, plan.currency, language);
          return (
            <li key={plan.id}>
              <span className="tabular">{description}</span>
              <Button
                busy={openingPlan === plan.id}
                aria-label={t('vip.buy', { what: description, price: cost })}
                data-testid={`buy-${plan.id}`}
                onClick={() => void buy(plan.id)}
              >
                <span className="tabular">{cost}</span>
              </Button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** Lists all plans on offer. */
export function PlanList({ plans }: { plans: readonly Plan[] }) {
  const { t } = useTranslation();
  const { account } = useServices();
  const isRenewing = renewingSubscription(useStore(account.membership)) !== null;
  const memberships = isRenewing ? [] : plans.filter(({ kind }) => kind === 'membership');
  const packages = plans.filter(({ kind }) => kind === 'package');
  if (plans.length === 0) return <p className="vip-lead">{t('vip.notSold')}</p>;
  return (
    <>
      {memberships.length > 0 && <Memberships plans={memberships} />}
      {packages.length > 0 && <Packages plans={packages} />}
    </>
  );
}
