import CloudOff from 'lucide-react/icons/cloud-off';
import LoaderCircle from 'lucide-react/icons/loader-circle';
import { formatCount, formatPercentage } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { joinSentences } from '../../i18n/joined.ts';
import type { SearchResults } from '../../ports/search.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState, LoadingPlaceholder } from '../../ui/notice.tsx';
import { FoundRecording } from './found-recording.tsx';
import type { DisplayedResults } from './use-results.ts';

/** Lists the results. Results found only on the server are appended, so visible results don't move. */
export function ResultList({ shown, onMore }: { shown: DisplayedResults; onMore(): void }) {
  const { t } = useTranslation();
  const { words, results } = shown;
  if (!results) return <LoadingPlaceholder lines={6} />;
  const { found, more, elsewhere } = results;
  if (found.length === 0 && elsewhere.length === 0) return <NothingFound shown={shown} />;
  return (
    <div className="results" aria-busy={shown.stale || undefined}>
      <SearchNotes results={results} />
      {found.length > 0 && (
        <ul className="found-list" aria-label={t('search.here')}>
          {found.map((record) => (
            <FoundRecording key={record.id} record={record} terms={words} isOnPhone />
          ))}
        </ul>
      )}
      {more && (
        <Button wide onClick={onMore}>
          {t('search.more')}
        </Button>
      )}
      {elsewhere.length > 0 && (
        <section className="elsewhere" aria-labelledby="elsewhere-title">
          <h2 className="search-title" id="elsewhere-title">
            {t('search.elsewhere')}
          </h2>
          <p className="small-print">{t('search.elsewhereHint')}</p>
          <ul className="found-list">
            {elsewhere.map((record) => (
              <FoundRecording
                key={record.id}
                record={record}
                terms={words}
                isOnPhone={record.onPhone}
              />
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

function NothingFound({ shown: { typed, results, stale } }: { shown: DisplayedResults }) {
  const { t } = useTranslation();
  const language = useLanguage();
  if (!results) return null;
  const isSearching = stale || results.server === 'searching' || results.indexed !== null;
  return (
    <div className="results">
      {/* Don't claim that nothing was found until the search is complete. */}
      {isSearching ? (
        <>
          <SearchNotes results={results} />
          <p className="search-note">
            <LoaderCircle className="search-turning" size={16} aria-hidden="true" />
            {t('search.looking')}
          </p>
        </>
      ) : (
        <EmptyState title={t('search.nothing', { words: typed.trim() })}>
          {joinSentences(
            [
              t(results.server === 'done' ? 'search.searchedBoth' : 'search.searchedHere'),
              t('search.nothingHint'),
            ],
            language,
          )}
        </EmptyState>
      )}
    </div>
  );
}

/** Explains any limits of the results. */
function SearchNotes({ results: { indexed, server } }: { results: SearchResults }) {
  const { t } = useTranslation();
  const language = useLanguage();
  return (
    <>
      {indexed !== null && (
        <div className="search-note search-indexing">
          <span>
            {t('search.indexing', {
              percent: formatPercentage(Math.floor(indexed * 100), language),
            })}
          </span>
          <progress value={indexed} max={1} aria-label={t('search.indexingLabel')} />
        </div>
      )}
      {server === 'unreachable' && (
        <p className="search-note" data-testid="only-phone">
          <CloudOff size={16} aria-hidden="true" />
          {t('search.onlyPhone')}
        </p>
      )}
    </>
  );
}

/** Returns the result count as a screen-reader announcement. */
export function useResultCount({ typed, results, stale }: DisplayedResults): string {
  const { t } = useTranslation();
  const language = useLanguage();
  if (typed.trim() === '' || !results || stale) return '';
  const total = results.found.length + results.elsewhere.length;
  const formatted = formatCount(total, language);
  if (results.more) return t('search.foundMore', { formatted });
  if (total === 0 && results.server === 'searching') return '';
  return total === 0
    ? t('search.nothing', { words: typed.trim() })
    : t('search.found', { count: total, formatted });
}
