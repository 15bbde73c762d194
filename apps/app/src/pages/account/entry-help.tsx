import { useTranslation } from '../../i18n/index.ts';
import { GoLink } from '../../page-kit/navigation.tsx';
import { paths } from '../../page-kit/paths.ts';

/** Links for users without an account: the demo, the guides, and information about the app. */
export function EntryHelp() {
  const { t } = useTranslation();
  return (
    <nav className="entry-help" aria-label={t('entryHelp.help')}>
      <GoLink to={paths.demo} data-testid="to-demo">
        {t('entryHelp.demo')}
      </GoLink>
      <GoLink to={paths.feedback} data-testid="to-help">
        {t('entryHelp.help')}
      </GoLink>
      <GoLink to={paths.aboutUs} data-testid="to-about">
        {t('entryHelp.about')}
      </GoLink>
    </nav>
  );
}
