import type { CallFailure } from '@linnet/contract/client';
import { expect, test } from 'vitest';
import { LoadingPlaceholder } from '../ui/notice.tsx';
import { ListFailed, LoadMore } from './list-parts.tsx';
import { PagedList } from './paged-list.tsx';
import type { Paged } from './use-pages.ts';

const failure: CallFailure = { kind: 'timeout' };
const reload = () => {};
const loadMore = () => {};
const placeholder = <hr />;

const show = (paged: Paged<string>, lines?: number) =>
  PagedList({
    pages: { paged, reload, loadMore },
    ...(lines !== undefined && { lines }),
    empty: placeholder,
    children: (list) => <output>{list.join(' ')}</output>,
  });

test('shows a placeholder while a list is loading', () => {
  expect(show({ status: 'waiting' })).toEqual(<LoadingPlaceholder lines={4} />);
  expect(show({ status: 'waiting' }, 3)).toEqual(<LoadingPlaceholder lines={3} />);
});

test('offers a retry if a list failed to load', () => {
  expect(show({ status: 'failed', failure })).toEqual(
    <ListFailed failure={failure} onRetry={reload} />,
  );
});

test('shows the empty state for a list without entries', () => {
  expect(show({ status: 'ready', list: [], total: 0, nextPage: 'idle' })).toEqual(placeholder);
});

test.each(['idle', 'waiting', failure] as const)(
  'shows the entries of a list, and offers more while the next page is %j',
  (nextPage) => {
    expect(show({ status: 'ready', list: ['a', 'b'], total: 5, nextPage })).toEqual(
      <>
        <output>{'a b'}</output>
        <LoadMore shown={2} total={5} more={nextPage} onMore={loadMore} />
      </>,
    );
  },
);
