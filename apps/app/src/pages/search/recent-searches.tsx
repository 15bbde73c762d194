import History from 'lucide-react/icons/history';
import X from 'lucide-react/icons/x';
import { useTranslation } from '../../i18n/index.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/notice.tsx';

/** The search's empty state: recent searches, or a hint about what can be searched. */
export function RecentSearches({
  recent,
  onSearch,
  onForget,
  onClear,
}: {
  recent: readonly string[];
  onSearch(search: string): void;
  onForget(words: string): void;
  onClear(): void;
}) {
  const { t } = useTranslation();
  if (recent.length === 0)
    return <EmptyState title={t('search.empty')}>{t('search.emptyHint')}</EmptyState>;
  return (
    <section className="recent" aria-labelledby="recent-title">
      <div className="recent-head">
        <h2 className="search-title" id="recent-title">
          {t('search.recent')}
        </h2>
        <Button variant="quiet" onClick={onClear}>
          {t('search.clearRecent')}
        </Button>
      </div>
      <ul>
        {recent.map((words) => (
          <li className="recent-row" key={words} data-testid="recent-search">
            <button
              type="button"
              className="recent-words"
              data-result=""
              onClick={() => onSearch(words)}
            >
              <History size={18} aria-hidden="true" />
              <bdi>{words}</bdi>
            </button>
            <IconButton label={t('search.forget', { words })} onClick={() => onForget(words)}>
              <X size={18} />
            </IconButton>
          </li>
        ))}
      </ul>
    </section>
  );
}
