import type { TFunction } from 'i18next';
import { formatCount } from '../../../i18n/format.ts';
import { joinSentences } from '../../../i18n/joined.ts';

/**
 * Describes the cost of a transcription, and the balance.
 * @param remainingMinutes the balance in minutes; null if unknown
 */
export function costText(
  t: TFunction,
  language: string,
  minutes: number,
  remainingMinutes: number | null,
): string {
  const countParams = (number: number) => ({
    count: number,
    formatted: formatCount(number, language),
  });
  const balanceText = () => {
    if (remainingMinutes === null) return '';
    if (remainingMinutes === 0) return t('steps.noneLeft');
    return t(
      minutes > remainingMinutes ? 'steps.tooFew' : 'steps.ofMinutes',
      countParams(remainingMinutes),
    );
  };
  return joinSentences([t('steps.costs', countParams(minutes)), balanceText()], language);
}
