import ChartColumn from 'lucide-react/icons/chart-column';
import Crown from 'lucide-react/icons/crown';
import Receipt from 'lucide-react/icons/receipt-text';
import type { ComponentProps } from 'react';
import { Section } from '../../app-shell/page.tsx';
import { paths } from '../../app-shell/pages.ts';
import { WayLine } from '../../app-shell/way-line.tsx';
import { useTranslation } from '../../i18n/index.ts';

/** What belongs to membership is of brass. */
function BrassCrown(props: ComponentProps<typeof Crown>) {
  return <Crown className="me-brass" {...props} />;
}

/** The ways to membership, and to what was bought and used. */
export function MembershipSection() {
  const { t } = useTranslation();
  return (
    <Section title={t('me.membership')}>
      <WayLine to={paths.vip} icon={BrassCrown} label={t('me.toVip')} />
      <WayLine to={paths.purchaseRecord} icon={Receipt} label={t('me.toOrders')} />
      <WayLine to={paths.transliterationRecord} icon={ChartColumn} label={t('me.toUsed')} />
    </Section>
  );
}
