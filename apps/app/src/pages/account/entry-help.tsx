import { useTranslation } from '../../i18n/index.ts';
import { PageLink } from '../../page-kit/navigation.tsx';
import { paths } from '../../page-kit/paths.ts';

/** Links for users without an account: the demo, the guides, and information about the app. */
export function EntryHelp() {
  const { t } = useTranslation();
  return (
    <nav className="entry-help" aria-label={t('entryHelp.help')}>
      <PageLink to={paths.demo} data-testid="to-demo">
        {t('entryHelp.demo')}
      </PageLink>
      <PageLink to={paths.feedback} data-testid="to-help">
        {t('entryHelp.help')}
      </PageLink>
      <PageLink to={paths.aboutUs} data-testid="to-about">
        {t('entryHelp.about')}
      </PageLink>
    </nav>
  );
}
