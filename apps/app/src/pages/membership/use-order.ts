import type { Order } from '@linnet/contract';
import type { CallFailure } from '@linnet/contract/client';
import { codes } from '@linnet/contract/codes';
import { useCallback, useEffect, useState } from 'react';
import { useServices } from '../../page-kit/services-context.ts';

/** Polling interval while a payment is pending, in milliseconds. */
const pollIntervalMs = 2000;
/**
 * Maximum number of polls. The payment service normally notifies the server within seconds. After the last poll, the
 * app asks the server to query the payment service once.
 */
const maxPolls = 15;

export type OrderState =
  | { readonly status: 'reading' }
  | { readonly status: 'none' }
  | { readonly status: 'failed'; readonly failure: CallFailure }
  /** `waiting`: whether the payment is pending and polling continues. */
  | { readonly status: 'known'; readonly order: Order; readonly waiting: boolean };

/**
 * Returns an order's state as reported by the server. Polls while the payment is pending, then asks the server to query
 * the payment service. Only the order ID comes from the URL, because a state in the URL could be forged.
 */
export function useOrder(id: string): { state: OrderState; reload(): void } {
  const { membership } = useServices();
  const [state, setState] = useState<OrderState>({ status: 'reading' });
  const [round, setRound] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round restarts polling.
  useEffect(() => {
    const abortController = new AbortController();
    const pause = () => new Promise((resolve) => setTimeout(resolve, pollIntervalMs));
    /**
     * Loads the order once.
     * @returns whether its state may still change
     */
    async function poll(isLast: boolean): Promise<boolean> {
      const outcome = await membership.order(id);
      if (abortController.signal.aborted) return false;
      if (!outcome.ok) {
        const { failure } = outcome;
        const isNotFound = failure.kind === 'server' && failure.code === codes.notFound;
        setState(isNotFound ? { status: 'none' } : { status: 'failed', failure });
        return false;
      }
      const isPending = outcome.data.status === 'pending';
      setState({ status: 'known', order: outcome.data, waiting: isPending && !isLast });
      return isPending;
    }
    async function pollUntilSettled(): Promise<void> {
      for (let attempt = 0; attempt < maxPolls; attempt += 1) {
        if (!(await poll(false))) return;
        await pause();
        if (abortController.signal.aborted) return;
      }
      await membership.restore();
      if (!abortController.signal.aborted) await poll(true);
    }
    setState({ status: 'reading' });
    void pollUntilSettled();
    return () => abortController.abort();
  }, [membership, id, round]);

  return { state, reload: useCallback(() => setRound((previous) => previous + 1), []) };
}
