import ChartColumn from 'lucide-react/icons/chart-column';
import Crown from 'lucide-react/icons/crown';
import Receipt from 'lucide-react/icons/receipt-text';
import type { ComponentProps } from 'react';
import { useTranslation } from '../../i18n/index.ts';
import { NavRow } from '../../page-kit/nav-row.tsx';
import { Section } from '../../page-kit/page.tsx';
import { paths } from '../../page-kit/paths.ts';

/** The crown icon in brass, the color that stands for membership. */
function BrassCrown(props: ComponentProps<typeof Crown>) {
  return <Crown className="me-brass" {...props} />;
}

/** Links to the membership, purchases and usage pages. */
export function MembershipSection() {
  const { t } = useTranslation();
  return (
    <Section title={t('me.membership')}>
      <NavRow to={paths.vip} icon={BrassCrown} label={t('me.toVip')} />
      <NavRow to={paths.purchaseRecord} icon={Receipt} label={t('me.toOrders')} />
      <NavRow to={paths.usedMinutes} icon={ChartColumn} label={t('me.toUsed')} />
    </Section>
  );
}
