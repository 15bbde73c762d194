import BookOpen from 'lucide-react/icons/book-open';
import { useTranslation } from '../../i18n/index.ts';
import { NavRow } from '../../page-kit/nav-row.tsx';
import { paths } from '../../page-kit/paths.ts';

/** The way to what each button of the recorder does: wanted most where it does not answer. */
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
