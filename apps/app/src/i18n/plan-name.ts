import type { PlanId } from '@linnet/contract/statuses';
import type { TFunction } from 'i18next';
import { formatCount } from './format.ts';

/** Number of minutes in each package. */
const packageMinutes: Readonly<Partial<Record<PlanId, number>>> = {
  package_120: 120,
  package_600: 600,
  package_3000: 3000,
};

/** Formats a number of minutes as `600 minutes`. */
export function formatMinutes(minutes: number, t: TFunction, language: string): string {
  return t('vip.minutes', { count: minutes, formatted: formatCount(minutes, language) });
}

/** Returns a plan's name: a membership, or a number of minutes. */
export function planName(plan: PlanId, t: TFunction, language: string): string {
  const minutes = packageMinutes[plan];
  if (minutes !== undefined) return formatMinutes(minutes, t, language);
  return t(plan === 'vip_annual' ? 'me.plan.annual' : 'me.plan.monthly');
}
