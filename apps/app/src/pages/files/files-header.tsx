import MessageCircleQuestion from 'lucide-react/icons/message-circle-question-mark';
import Search from 'lucide-react/icons/search';
import { type ReactNode, useEffect } from 'react';
import { formatCount, formatRoughDuration } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { PageLink, useFocusOnArrival, useNavigateTo } from '../../page-kit/navigation.tsx';
import { paths } from '../../page-kit/paths.ts';
import { ImportButton } from './import-button.tsx';
import { LinkChip } from './link-chip.tsx';
import type { ListedRecord } from './row-state.ts';

/** Shows the page's heading with its actions. */
export function FilesHeader({
  isPage,
  menu,
  children,
}: {
  /** Whether the list is the page itself rather than a side panel. */
  isPage: boolean;
  menu: ReactNode;
  children: ReactNode;
}) {
  const { t } = useTranslation();
  const heading = useFocusOnArrival<HTMLHeadingElement>(isPage);
  return (
    <header className="files-head">
      <div className="files-line">
        <h1 className="display" ref={heading} tabIndex={-1}>
          {t('files.title')}
        </h1>
        <LinkChip />
        <span className="files-buttons">
          <ImportButton />
          {menu}
        </span>
      </div>
      {children}
    </header>
  );
}

/** Shows the number of recordings, or of filtered recordings, and their total duration. */
export function FilesTotal({
  allRecords,
  shownRecords,
}: {
  allRecords: readonly ListedRecord[];
  shownRecords: readonly ListedRecord[];
}) {
  const { t } = useTranslation();
  const language = useLanguage();
  const seconds = shownRecords.reduce((sum, { record_time }) => sum + record_time, 0);
  const time = formatRoughDuration(seconds, language);
  return (
    <p className="files-total" data-testid="files-total">
      {shownRecords.length === allRecords.length
        ? t('files.total', {
            count: allRecords.length,
            formatted: formatCount(allRecords.length, language),
            time,
          })
        : t('library.some', {
            count: allRecords.length,
            formatted: formatCount(allRecords.length, language),
            shown: formatCount(shownRecords.length, language),
            time,
          })}
    </p>
  );
}

/** Links to the search, which looks like a search field, and to questions. The `/` key also opens the search. */
export function SearchEntry() {
  const { t } = useTranslation();
  const navigateTo = useNavigateTo();
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const isHandled =
        event.target instanceof Element &&
        event.target.closest(
          'input, textarea, [role="dialog"], [role="alertdialog"], [role="menu"]',
        );
      if (event.key !== '/' || isHandled || event.defaultPrevented) return;
      event.preventDefault();
      void navigateTo(paths.search);
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  });
  return (
    <div className="files-search">
      <PageLink to={paths.search} className="files-search-entry" data-testid="to-search">
        <Search size={18} aria-hidden="true" />
        {t('library.search')}
      </PageLink>
      <PageLink to={paths.ask} className="button files-ask" data-look="plain" data-testid="to-ask">
        <MessageCircleQuestion size={18} aria-hidden="true" />
        {t('library.ask')}
      </PageLink>
    </div>
  );
}
