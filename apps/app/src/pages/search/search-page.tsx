import ArrowLeft from 'lucide-react/icons/arrow-left';
import Search from 'lucide-react/icons/search';
import X from 'lucide-react/icons/x';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import { useTranslation } from '../../i18n/index.ts';
import { useBack } from '../../page-kit/navigation.tsx';
import { paths } from '../../page-kit/paths.ts';
import { IconButton } from '../../ui/button.tsx';
import { useRecent } from './recent.ts';
import { RecentSearches } from './recent-searches.tsx';
import { ResultList, useFoundWords } from './result-list.tsx';
import { useResults } from './use-results.ts';
import { useReturn } from './use-return.ts';
import './search.css';

/** Number of recordings shown at first, and added each time. */
const STEP = 30;

/** The search is kept in the address, so that it survives navigation. */
const parameter = 'q';

/** Finds recordings by transcript and metadata. */
export default function SearchPage() {
  const { t } = useTranslation();
  const back = useBack(paths.files);
  const [parameters, setParameters] = useSearchParams();
  const typed = parameters.get(parameter) ?? '';
  const { returns, limit, setLimit, page, onOpen, arrived } = useReturn(typed, STEP);
  const [composing, setComposing] = useState<string | null>(null);
  const input = useRef<HTMLInputElement>(null);
  const shown = useResults(typed, limit);
  const { recent, remember, forget, clear } = useRecent();
  const nothingTyped = typed.trim() === '';

  const search = (words: string) => {
    setParameters(words === '' ? {} : { [parameter]: words }, { replace: true });
  };
  const returned = useRef(returns);
  useEffect(() => {
    if (!returned.current) input.current?.focus();
  }, []);
  /** The query for which Enter was pressed before its results arrived. */
  const awaited = useRef<string | null>(null);
  useEffect(() => {
    if (!shown.results || shown.stale) return;
    arrived();
    if (awaited.current === typed)
      page.current?.querySelector<HTMLElement>('[data-result]')?.click();
    awaited.current = null;
  }, [shown, arrived, typed, page]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') {
      event.preventDefault();
      if (nothingTyped) back();
      else {
        search('');
        input.current?.focus();
      }
      return;
    }
    const way = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (way === 0 && event.key !== 'Enter') return;
    const results = [...(page.current?.querySelectorAll<HTMLElement>('[data-result]') ?? [])];
    const at = results.indexOf(document.activeElement as HTMLElement);
    if (event.key === 'Enter') {
      // Enter on a link opens it; in the field, it opens the first result.
      if (document.activeElement !== input.current || nothingTyped) return;
      if (shown.stale) awaited.current = typed;
      else results[0]?.click();
      return;
    }
    event.preventDefault();
    (at + way < 0 ? input.current : results[Math.min(at + way, results.length - 1)])?.focus();
  };

  return (
    <main className="search-page" ref={page} onKeyDown={onKeyDown}>
      <title>{`${t('search.title')} · Linnet`}</title>
      <h1 className="visually-hidden">{t('search.title')}</h1>
      <header className="search-bar">
        <IconButton label={t('common.back')} data-testid="back" onClick={back}>
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
            value={composing ?? typed}
            onCompositionStart={(event) => setComposing(event.currentTarget.value)}
            onCompositionEnd={(event) => {
              setComposing(null);
              search(event.currentTarget.value);
            }}
            onChange={({ currentTarget: { value } }) => {
              if (composing !== null) setComposing(value);
              search(value);
            }}
          />
          {typed && (
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
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: keyboards trigger a link's click as well. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: only the links inside are interactive. */}
      <div
        className="search-body"
        onClick={(event) => {
          const link = event.target instanceof Element && event.target.closest('a[data-result]');
          if (!link) return;
          remember(typed);
          onOpen(link.getAttribute('href') ?? '');
        }}
      >
        {nothingTyped ? (
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
          <ResultList shown={shown} onMore={() => setLimit(limit + STEP)} />
        )}
      </div>
      <p className="visually-hidden" role="status" data-testid="found-words">
        {useFoundWords(shown)}
      </p>
    </main>
  );
}
