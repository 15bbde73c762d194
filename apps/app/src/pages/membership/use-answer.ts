import type { CallFailure } from '@linnet/contract/client';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { Outcome } from '../../ports/store.ts';

export type Answer<T> =
  | { readonly status: 'waiting' }
  | { readonly status: 'failed'; readonly failure: CallFailure }
  | { readonly status: 'ready'; readonly value: T };

/**
 * Loads data from the server on mount and on demand. The previous answer stays visible while loading. Answers
 * to outdated requests are ignored.
 * @param load must be stable, because a new function triggers a new request
 */
export function useAnswer<T>(load: () => Promise<Outcome<T, CallFailure>>) {
  const [result, setAnswer] = useState<Answer<T>>({ status: 'waiting' });
  const latest = useRef(0);
  const reload = useCallback(async () => {
    latest.current += 1;
    const request = latest.current;
    const outcome = await load();
    if (request !== latest.current) return;
    if (outcome.ok) setAnswer({ status: 'ready', value: outcome.data });
    else setAnswer({ status: 'failed', failure: outcome.failure });
  }, [load]);
  useEffect(() => {
    void reload();
    return () => {
      latest.current += 1;
    };
  }, [reload]);
  return { answer: result, reload };
}
