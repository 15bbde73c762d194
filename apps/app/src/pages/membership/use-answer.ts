import type { CallFailure } from '@linnet/contract/client';
import { useCallback, useEffect, useRef, useState } from 'react';
import type { Outcome } from '../../ports/store.ts';

export type Answer<T> =
  | { readonly status: 'waiting' }
  | { readonly status: 'failed'; readonly failure: CallFailure }
  | { readonly status: 'ready'; readonly value: T };

/**
 * Asks the server when the screen comes, and again on demand; what was shown stays meanwhile, and an answer
 * that comes after a later one is passed over.
 * @param ask the same function until something else is asked
 */
export function useAnswer<T>(ask: () => Promise<Outcome<T, CallFailure>>) {
  const [answer, setAnswer] = useState<Answer<T>>({ status: 'waiting' });
  const turn = useRef(0);
  const again = useCallback(async () => {
    turn.current += 1;
    const mine = turn.current;
    const outcome = await ask();
    if (mine !== turn.current) return;
    if (outcome.ok) setAnswer({ status: 'ready', value: outcome.data });
    else setAnswer({ status: 'failed', failure: outcome.failure });
  }, [ask]);
  useEffect(() => {
    void again();
    return () => {
      turn.current += 1;
    };
  }, [again]);
  return { answer, again };
}
