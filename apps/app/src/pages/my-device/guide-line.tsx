import BookOpen from 'lucide-react/icons/book-open';
import { useTranslation } from '../../i18n/index.ts';
import { NavRow } from '../../page-kit/nav-row.tsx';
import { paths } from '../../page-kit/paths.ts';

/**
 * Links to the button guide, even while the recorder is disconnected, because the guide helps with a recorder that
 * doesn't respond.
 */
export function GuideLine() {
  const { t } = useTranslation();
  return (
    <div className="card">
      <NavRow
        to={paths.instructions}
        icon={BookOpen}
        label={t('me.help.guide')}
        testId="to-guide"
      />
    </div>
  );
}
