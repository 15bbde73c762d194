import { useTranslation } from '../i18n/index.ts';
import { GoLink } from './navigation.tsx';
import { paths } from './paths.ts';

/** A link to membership, for features that require it. */
export function MembershipLink() {
  const { t } = useTranslation();
  return (
    <GoLink to={paths.vip} className="button" data-look="plain" data-testid="to-vip">
      {t('me.seeMembership')}
    </GoLink>
  );
}
