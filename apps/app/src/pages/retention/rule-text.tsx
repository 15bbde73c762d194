import { formatAge } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import type { RuleScope } from '../../ports/retention.ts';

/** Describes the recordings that a rule is about. */
export function RuleText({ rule }: { rule: RuleScope }) {
  const { t } = useTranslation();
  const language = useLanguage();
  return (
    <>
      {rule.tag === null ? t('retention.all') : <bdi>{rule.tag}</bdi>}
      {' · '}
      {t('retention.minimumAge', { age: formatAge(rule.after, rule.unit, language) })}
    </>
  );
}
