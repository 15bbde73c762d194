import { useTranslation } from '../i18n/index.ts';
import { PageLink } from './navigation.tsx';
import { paths } from './paths.ts';

/** Links from a members-only feature to the membership page. */
export function MembershipLink() {
  const { t } = useTranslation();
  return (
    <PageLink to={paths.vip} className="button" data-look="plain" data-testid="to-vip">
      {t('me.seeMembership')}
    </PageLink>
  );
}
