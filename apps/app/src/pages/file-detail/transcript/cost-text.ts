import type { TFunction } from 'i18next';
import { formatCount } from '../../../i18n/format.ts';
import { joinSentences } from '../../../i18n/joined.ts';

/**
 * Describes the cost of a transcription, and the balance.
 * @param leftMinutes the balance in minutes; null if unknown
 */
export function costText(
  t: TFunction,
  language: string,
  minutes: number,
  leftMinutes: number | null,
): string {
  const countParams = (number: number) => ({
    count: number,
    formatted: formatCount(number, language),
  });
  const balanceText = () => {
    if (leftMinutes === null) return '';
    if (leftMinutes === 0) return t('steps.noneLeft');
    return t(minutes > leftMinutes ? 'steps.tooFew' : 'steps.ofMinutes', countParams(leftMinutes));
  };
  return joinSentences([t('steps.costs', countParams(minutes)), balanceText()], language);
}
