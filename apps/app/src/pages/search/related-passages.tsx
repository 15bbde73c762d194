import type { Quote } from '@linnet/contract';
import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from '../../i18n/index.ts';
import { QuoteCard } from '../../page-kit/quote-card.tsx';
import { useServices, useStore } from '../../page-kit/services-context.ts';
import type { DisplayedResults } from './use-results.ts';

/** Debounce delay in milliseconds from the last keystroke to the request. */
const debounceMs = 600;
/** Maximum number of passages shown. */
const maxPassages = 3;

interface RelatedResult {
  readonly query: string;
  readonly quotes: readonly Quote[];
}
const noResult: RelatedResult = { query: '', quotes: [] };

/** Shows passages from other recordings that contain words from the query or inflected forms of them. */
export function RelatedPassages({ shown: { typed, results, stale } }: { shown: DisplayedResults }) {
  const { t } = useTranslation();
  const { questions } = useServices();
  const [related, setRelated] = useState(noResult);
  const query = typed.trim();
  useEffect(() => {
    if (query === '' || stale) return;
    const stop = new AbortController();
    const timer = setTimeout(async () => {
      const result = await questions.passages(query, stop.signal);
      // The search results already say why the server is unreachable.
      if (!stop.signal.aborted) setRelated({ query, quotes: result.ok ? result.data : [] });
    }, debounceMs);
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [query, stale, questions]);
  const { quotes } = related;
  const serverIds = useMemo(() => quotes.map((quote) => quote.radio_file_id), [quotes]);
  const named = useStore(useMemo(() => questions.recordings(serverIds), [questions, serverIds]));
  if (related.query !== query || named.status !== 'ready' || !results) return null;
  const exact = new Set([...results.found, ...results.elsewhere].map(({ id }) => id));
  const others = quotes.filter((quote) => {
    const record = named.value.get(quote.radio_file_id);
    return record !== undefined && !exact.has(record.id);
  });
  if (others.length === 0) return null;
  return (
    <section className="related" aria-labelledby="related-title" data-testid="related">
      <h2 className="search-title" id="related-title">
        {t('search.related')}
      </h2>
      <ul className="related-quotes">
        {others.slice(0, maxPassages).map((quote) => (
          <li key={quote.paragraph_id}>
            <QuoteCard quote={quote} records={named.value} number={null} />
          </li>
        ))}
      </ul>
    </section>
  );
}
