import type { TFunction } from 'i18next';
import { formatAge, isolate } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import type { RuleScope } from '../../ports/retention.ts';

/** Describes the recordings that a rule applies to. The tag is isolated, because its direction may differ. */
export function ruleText({ tag, after, unit }: RuleScope, t: TFunction, language: string): string {
  const age = t('retention.minimumAge', { age: formatAge(after, unit, language) });
  return `${tag === null ? t('retention.all') : isolate(tag)} · ${age}`;
}

export function RuleText({ rule }: { rule: RuleScope }) {
  const { t } = useTranslation();
  return <>{ruleText(rule, t, useLanguage())}</>;
}
