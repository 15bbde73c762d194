import type { CallFailure } from '@linnet/contract/client';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { Outcome } from '../../ports/store.ts';

export type Answer<T> =
  | { readonly status: 'waiting' }
  | { readonly status: 'failed'; readonly failure: CallFailure }
  | { readonly status: 'ready'; readonly value: T };

/**
 * Loads data from the server on mount and on demand. The previous answer stays visible while loading, and an
 * answer older than the latest request is ignored.
 * @param ask must be stable; a new function triggers a new request
 */
export function useAnswer<T>(ask: () => Promise<Outcome<T, CallFailure>>) {
  const [answer, setAnswer] = useState<Answer<T>>({ status: 'waiting' });
  const latest = useRef(0);
  const again = useCallback(async () => {
    latest.current += 1;
    const mine = latest.current;
    const outcome = await ask();
    if (mine !== latest.current) return;
    if (outcome.ok) setAnswer({ status: 'ready', value: outcome.data });
    else setAnswer({ status: 'failed', failure: outcome.failure });
  }, [ask]);
  useEffect(() => {
    void again();
    return () => {
      latest.current += 1;
    };
  }, [again]);
  return { answer, again };
}
