import { Coalesced, merged, writable } from '@linnet/base';
import type { Live, Store } from './ports/store.ts';

/**
 * A value read from a source that reports changes. While subscribed, it is read after each change, but never
 * concurrently: changes during a read cause one further read. An identical value notifies no subscriber.
 * @param read returns the current value
 * @param watch subscribes to changes of the source
 * @param onError called when `read` rejects; the last value remains
 * @param owner the current account; a value is visible only to the account for which it was read
 */
export function live<T>(
  read: () => Promise<T>,
  watch: (listener: () => void) => () => void,
  onError: (error: unknown) => void,
  owner: () => string | null,
): Live<T> {
  type State = ReturnType<Live<T>['get']>;
  const loading: State = { status: 'loading' };
  const state = writable<State>(loading);
  /** The account to which the value of `state` belongs. */
  let readFor = owner();
  const get = () => (readFor === owner() ? state.get() : loading);
  let listeners = 0;
  let unwatch = () => {};
  const reading = new Coalesced(async () => {
    const requester = owner();
    const value = await read();
    if (requester !== owner()) return reading.invalidate();
    const before = get();
    readFor = requester;
    const isSame = before.status === 'ready' && Object.is(before.value, value);
    if (!isSame) state.set({ status: 'ready', value });
  });
  const refresh = () => void reading.run().catch(onError);

  return {
    get,
    subscribe(listener) {
      const unsubscribe = state.subscribe(listener);
      if (listeners++ === 0) {
        unwatch = watch(refresh);
        refresh();
      }
      return () => {
        unsubscribe();
        if (--listeners === 0) unwatch();
      };
    },
  };
}

/**
 * A {@link Live} value combined with one that changes too often to be read with it.
 * @param add combines both; called once for each change of either
 */
export function withAdded<T, A, R>(
  base: Live<T>,
  added: Store<A>,
  add: (value: T, added: A) => R,
): Live<R> {
  type State = ReturnType<Live<R>['get']>;
  let from: { base: ReturnType<Live<T>['get']>; added: A } | null = null;
  let state: State = { status: 'loading' };
  return {
    get() {
      const now = { base: base.get(), added: added.get() };
      if (from?.base !== now.base || from.added !== now.added) {
        from = now;
        state =
          now.base.status === 'loading'
            ? now.base
            : { status: 'ready', value: add(now.base.value, now.added) };
      }
      return state;
    },
    subscribe: merged(base, added),
  };
}
