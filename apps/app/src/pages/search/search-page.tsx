import ArrowLeft from 'lucide-react/icons/arrow-left';
import MessageCircleQuestion from 'lucide-react/icons/message-circle-question-mark';
import Search from 'lucide-react/icons/search';
import X from 'lucide-react/icons/x';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { isolate } from '../../i18n/format.ts';
import { useTranslation } from '../../i18n/index.ts';
import { PageLink, useBack } from '../../page-kit/navigation.tsx';
import { askPath, paths } from '../../page-kit/paths.ts';
import { IconButton } from '../../ui/button.tsx';
import { useRecent } from './recent.ts';
import { RecentSearches } from './recent-searches.tsx';
import { RelatedPassages } from './related-passages.tsx';
import { ResultList, useResultCount } from './result-list.tsx';
import { useRestoredSearch } from './use-restored-search.ts';
import { useResults } from './use-results.ts';
import './search.css';

/** Number of recordings shown initially, and added by each "more". */
const STEP = 30;

/** The query parameter that preserves the search across navigation. */
const parameter = 'q';

/** Searches recordings by transcript and metadata. */
export default function SearchPage() {
  const { t } = useTranslation();
  const goBack = useBack(paths.files);
  const [parameters, setParameters] = useSearchParams();
  const query = parameters.get(parameter) ?? '';
  const { isRestored, limit, setLimit, page, onOpen, restorePosition } = useRestoredSearch(
    query,
    STEP,
  );
  const [composedText, setComposedText] = useState<string | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const displayed = useResults(query, limit);
  const { recent, remember, forget, clear } = useRecent();
  const isEmpty = query.trim() === '';

  const search = (text: string) => {
    setParameters(text === '' ? {} : { [parameter]: text }, { replace: true });
  };
  const wasRestored = useRef(isRestored);
  useEffect(() => {
    if (!wasRestored.current) input.current?.focus();
  }, []);
  /** The query whose first result opens once its results have loaded. Set if the user presses Enter before then. */
  const openOnResults = useRef<string | null>(null);
  useEffect(() => {
    if (!displayed.results || displayed.stale) return;
    restorePosition();
    if (openOnResults.current === query)
      page.current?.querySelector<HTMLElement>('[data-result]')?.click();
    openOnResults.current = null;
  }, [displayed, restorePosition, query, page]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') {
      event.preventDefault();
      if (isEmpty) goBack();
      else {
        search('');
        input.current?.focus();
      }
      return;
    }
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step === 0 && event.key !== 'Enter') return;
    const results = [...(page.current?.querySelectorAll<HTMLElement>('[data-result]') ?? [])];
    const index = results.indexOf(document.activeElement as HTMLElement);
    if (event.key === 'Enter') {
      // Enter in the field opens the first result. On a link, the browser handles Enter.
      if (document.activeElement !== input.current || isEmpty) return;
      if (displayed.stale) openOnResults.current = query;
      else results[0]?.click();
      return;
    }
    event.preventDefault();
    (index + step < 0
      ? input.current
      : results[Math.min(index + step, results.length - 1)]
    )?.focus();
  };

  return (
    <main className="search-page" ref={page} onKeyDown={onKeyDown}>
      <title>{`${t('search.title')} · Linnet`}</title>
      <h1 className="visually-hidden">{t('search.title')}</h1>
      <header className="search-bar">
        <IconButton label={t('common.back')} data-testid="back" onClick={goBack}>
          <ArrowLeft className="turns" size={22} />
        </IconButton>
        <search className="search-frame">
          <Search size={18} aria-hidden="true" />
          <input
            ref={input}
            type="text"
            enterKeyHint="search"
            autoComplete="off"
            dir="auto"
            data-testid="search-input"
            aria-label={t('search.label')}
            placeholder={t('search.label')}
            value={composedText ?? query}
            onCompositionStart={(event) => setComposedText(event.currentTarget.value)}
            onCompositionEnd={(event) => {
              setComposedText(null);
              search(event.currentTarget.value);
            }}
            onChange={({ currentTarget: { value } }) => {
              if (composedText !== null) setComposedText(value);
              search(value);
            }}
          />
          {query && (
            <IconButton
              label={t('search.clear')}
              onClick={() => {
                search('');
                input.current?.focus();
              }}
            >
              <X size={18} />
            </IconButton>
          )}
        </search>
      </header>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the keyboard also triggers a link's click. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: only the links inside are interactive. */}
      <div
        className="search-body"
        onClick={(event) => {
          const link = event.target instanceof Element && event.target.closest('a[data-result]');
          if (!link) return;
          remember(query);
          onOpen(link.getAttribute('href') ?? '');
        }}
      >
        {isEmpty ? (
          <RecentSearches
            recent={recent}
            onSearch={(words) => {
              search(words);
              input.current?.focus();
            }}
            onForget={forget}
            onClear={clear}
          />
        ) : (
          <>
            <PageLink
              className="search-ask"
              to={askPath({ q: query.trim() })}
              data-testid="ask-query"
            >
              <MessageCircleQuestion size={18} aria-hidden="true" />
              <span>{t('search.ask', { words: isolate(query.trim()) })}</span>
            </PageLink>
            <ResultList shown={displayed} onMore={() => setLimit(limit + STEP)} />
            <RelatedPassages shown={displayed} />
          </>
        )}
      </div>
      <p className="visually-hidden" role="status" data-testid="found-words">
        {useResultCount(displayed)}
      </p>
    </main>
  );
}
