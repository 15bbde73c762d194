import ChartColumn from 'lucide-react/icons/chart-column';
import ChevronRight from 'lucide-react/icons/chevron-right';
import Crown from 'lucide-react/icons/crown';
import Receipt from 'lucide-react/icons/receipt-text';
import type { ReactNode } from 'react';
import { GoLink } from '../../app-shell/navigation.tsx';
import { Section } from '../../app-shell/page.tsx';
import { paths } from '../../app-shell/pages.ts';
import { useTranslation } from '../../i18n/index.ts';

function Way({ to, icon, children }: { to: string; icon: ReactNode; children: ReactNode }) {
  return (
    <GoLink to={to} className="line">
      {icon}
      <span className="line-words">
        <span>{children}</span>
      </span>
      <span className="line-end">
        <ChevronRight className="turns" size={18} aria-hidden="true" />
      </span>
    </GoLink>
  );
}

/** The ways to membership, and to what was bought and used. */
export function MembershipSection() {
  const { t } = useTranslation();
  return (
    <Section title={t('me.membership')}>
      <Way to={paths.vip} icon={<Crown className="me-brass" size={20} aria-hidden="true" />}>
        {t('me.toVip')}
      </Way>
      <Way to={paths.purchaseRecord} icon={<Receipt size={20} aria-hidden="true" />}>
        {t('me.toOrders')}
      </Way>
      <Way to={paths.transliterationRecord} icon={<ChartColumn size={20} aria-hidden="true" />}>
        {t('me.toUsed')}
      </Way>
    </Section>
  );
}
