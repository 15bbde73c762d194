import type { Order } from '@linnet/contract';
import type { CallFailure } from '@linnet/contract/client';
import { codes } from '@linnet/contract/codes';
import { useCallback, useEffect, useState } from 'react';
import { useServices } from '../../page-kit/services-context.ts';

/** How often the server is asked while a payment is on its way. */
const askEveryMs = 2000;
/** The payment service tells the server within seconds; then it is asked once itself. */
const askTimes = 15;

export type OrderState =
  | { readonly status: 'reading' }
  | { readonly status: 'none' }
  | { readonly status: 'unread'; readonly failure: CallFailure }
  /** `waiting`: it may be paid any moment. */
  | { readonly status: 'known'; readonly order: Order; readonly waiting: boolean };

/**
 * An order as the server has it, asked again while it waits for its payment, and at last of the payment
 * service. What stands in the address but its id says nothing.
 */
export function useOrder(id: string): { state: OrderState; again(): void } {
  const { membership } = useServices();
  const [state, setState] = useState<OrderState>({ status: 'reading' });
  const [round, setRound] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another round asks again.
  useEffect(() => {
    const stop = new AbortController();
    const pause = () => new Promise((resolve) => setTimeout(resolve, askEveryMs));
    /** @returns whether it may still change */
    async function look(last: boolean): Promise<boolean> {
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
        if (!(await look(false))) return;
        await pause();
        if (stop.signal.aborted) return;
      }
      await membership.restore();
      if (!stop.signal.aborted) await look(true);
    }
    setState({ status: 'reading' });
    void follow();
    return () => stop.abort();
  }, [membership, id, round]);

  return { state, again: useCallback(() => setRound((before) => before + 1), []) };
}
