import type { Order } from '@linnet/contract';
import type { CallFailure } from '@linnet/contract/client';
import { codes } from '@linnet/contract/codes';
import { useCallback, useEffect, useState } from 'react';
import { useServices } from '../../page-kit/services-context.ts';

/** Polling interval while a payment is pending, in milliseconds. */
const askEveryMs = 2000;
/**
 * Number of polls. The payment service normally notifies the server within seconds; after that, the server
 * asks the service once.
 */
const askTimes = 15;

export type OrderState =
  | { readonly status: 'reading' }
  | { readonly status: 'none' }
  | { readonly status: 'unread'; readonly failure: CallFailure }
  /** `waiting`: the payment may arrive at any moment. */
  | { readonly status: 'known'; readonly order: Order; readonly waiting: boolean };

/**
 * The state of an order as reported by the server. Polls while the payment is pending, and finally has the
 * server ask the payment service. Only the id is taken from the address.
 */
export function useOrder(id: string): { state: OrderState; again(): void } {
  const { membership } = useServices();
  const [state, setState] = useState<OrderState>({ status: 'reading' });
  const [round, setRound] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round starts polling again.
  useEffect(() => {
    const stop = new AbortController();
    const pause = () => new Promise((resolve) => setTimeout(resolve, askEveryMs));
    /** @returns whether the state may still change */
    async function poll(last: boolean): Promise<boolean> {
      const outcome = await membership.order(id);
      if (stop.signal.aborted) return false;
      if (!outcome.ok) {
        const { failure } = outcome;
        const gone = failure.kind === 'server' && failure.code === codes.notFound;
        setState(gone ? { status: 'none' } : { status: 'unread', failure });
        return false;
      }
      const waits = outcome.data.status === 'pending';
      setState({ status: 'known', order: outcome.data, waiting: waits && !last });
      return waits;
    }
    async function follow(): Promise<void> {
      for (let time = 0; time < askTimes; time += 1) {
        if (!(await poll(false))) return;
        await pause();
        if (stop.signal.aborted) return;
      }
      await membership.restore();
      if (!stop.signal.aborted) await poll(true);
    }
    setState({ status: 'reading' });
    void follow();
    return () => stop.abort();
  }, [membership, id, round]);

  return { state, again: useCallback(() => setRound((before) => before + 1), []) };
}
