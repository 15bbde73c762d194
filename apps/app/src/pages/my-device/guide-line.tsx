import BookOpen from 'lucide-react/icons/book-open';
import { paths } from '../../app-shell/pages.ts';
import { WayLine } from '../../app-shell/way-line.tsx';
import { useTranslation } from '../../i18n/index.ts';

/** The way to what each button of the recorder does: wanted most where it does not answer. */
export function GuideLine() {
  const { t } = useTranslation();
  return (
    <div className="card">
      <WayLine
        to={paths.instructions}
        icon={BookOpen}
        label={t('me.help.guide')}
        testId="to-guide"
      />
    </div>
  );
}
