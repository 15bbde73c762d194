import type { ReactNode } from 'react';
import { LoadingPlaceholder } from '../ui/notice.tsx';
import { ListFailed, LoadMore } from './list-parts.tsx';
import type { Pages } from './use-pages.ts';

/**
 * Shows a paginated list in each of its states: a placeholder, a failure with a retry, the empty state, or the loaded
 * entries with a button that loads more.
 */
export function PagedList<Each>({
  pages: { paged, reload, loadMore },
  lines = 4,
  empty,
  children,
}: {
  pages: Pages<Each>;
  /** Number of lines of the placeholder. */
  lines?: number;
  /** Shown instead of a list without entries. */
  empty: ReactNode;
  /** Renders the loaded entries, at least one. */
  children: (list: readonly Each[]) => ReactNode;
}): ReactNode {
  if (paged.status === 'waiting') return <LoadingPlaceholder lines={lines} />;
  if (paged.status === 'failed') return <ListFailed failure={paged.failure} onRetry={reload} />;
  const { list, total, nextPage } = paged;
  if (list.length === 0) return empty;
  return (
    <>
      {children(list)}
      <LoadMore shown={list.length} total={total} more={nextPage} onMore={loadMore} />
    </>
  );
}
