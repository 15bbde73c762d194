import { Coalesced, merged, writable } from '@linnet/base';
import type { Live, Store } from './ports/store.ts';

/**
 * Creates a live value from a source that reports changes. While the value has subscribers, it is read after each
 * change. Reads never run concurrently; changes during a read cause one further read. Subscribers are notified only if
 * the value has changed.
 * @param read returns the current value
 * @param watch subscribes to changes of the source
 * @param onError called if `read` rejects. The last value stays in place.
 * @param owner returns the current account. A value is visible only to the account it was read for.
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
  /** The account for which `state` was read. */
  let valueOwner = owner();
  const get = () => (valueOwner === owner() ? state.get() : loading);
  let listenerCount = 0;
  let unwatch = () => {};
  const reading = new Coalesced(async () => {
    const ownerAtStart = owner();
    const value = await read();
    if (ownerAtStart !== owner()) return reading.invalidate();
    const previous = get();
    valueOwner = ownerAtStart;
    const isSame = previous.status === 'ready' && Object.is(previous.value, value);
    if (!isSame) state.set({ status: 'ready', value });
  });
  const refresh = () => void reading.run().catch(onError);

  return {
    get,
    subscribe(listener) {
      const unsubscribe = state.subscribe(listener);
      listenerCount += 1;
      if (listenerCount === 1) {
        unwatch = watch(refresh);
        refresh();
      }
      return () => {
        unsubscribe();
        listenerCount -= 1;
        if (listenerCount === 0) unwatch();
      };
    },
  };
}

/**
 * Combines a {@link Live} value with another value that changes too often to be read together with it.
 * @param add combines the two values. Called once for each change to either.
 */
export function combineStores<T, A, R>(
  base: Live<T>,
  added: Store<A>,
  add: (value: T, added: A) => R,
): Live<R> {
  type State = ReturnType<Live<R>['get']>;
  let lastInputs: { base: ReturnType<Live<T>['get']>; added: A } | null = null;
  let state: State = { status: 'loading' };
  return {
    get() {
      const inputs = { base: base.get(), added: added.get() };
      if (lastInputs?.base !== inputs.base || lastInputs.added !== inputs.added) {
        lastInputs = inputs;
        state =
          inputs.base.status === 'loading'
            ? inputs.base
            : { status: 'ready', value: add(inputs.base.value, inputs.added) };
      }
      return state;
    },
    subscribe: merged(base, added),
  };
}
