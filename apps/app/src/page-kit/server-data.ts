import type { CallFailure } from '@linnet/contract/client';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { Outcome } from '../ports/store.ts';

export type ServerData<T, F = CallFailure> =
  | { readonly status: 'waiting' }
  | { readonly status: 'failed'; readonly failure: F }
  | { readonly status: 'ready'; readonly value: T };

/**
 * Loads data from the server on mount and on demand. The previous result stays visible while new data is loading.
 * Results of outdated requests are ignored.
 * @param load must be stable, because a new function triggers a new request
 */
export function useServerData<T, F = CallFailure>(load: () => Promise<Outcome<T, F>>) {
  const [data, setData] = useState<ServerData<T, F>>({ status: 'waiting' });
  const latest = useRef(0);
  const reload = useCallback(async () => {
    latest.current += 1;
    const request = latest.current;
    const outcome = await load();
    if (request !== latest.current) return;
    if (outcome.ok) setData({ status: 'ready', value: outcome.data });
    else setData({ status: 'failed', failure: outcome.failure });
  }, [load]);
  useEffect(() => {
    void reload();
    return () => {
      latest.current += 1;
    };
  }, [reload]);
  return { data, reload };
}
