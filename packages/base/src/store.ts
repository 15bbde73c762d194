import { Emitter, type Unsubscribe } from './emitter.ts';

/** A value that changes, as `useSyncExternalStore` takes it. `get` returns the same object until it changes. */
export type Store<T> = {
  get(): T;
  subscribe(listener: () => void): Unsubscribe;
};

/** A {@link Store} that can be set. */
export type Writable<T> = Store<T> & { set(value: T): void };

/** Makes a store. Setting the value that it has (`Object.is`) notifies no listener. */
export function writable<T>(initial: T): Writable<T> {
  let value = initial;
  const changed = new Emitter();
  return {
    get: () => value,
    set(next) {
      if (Object.is(next, value)) return;
      value = next;
      changed.emit();
    },
    subscribe: (listener) => changed.subscribe(listener),
  };
}

/** Merges sources: the result subscribes a listener to all of them. */
export function merged(
  ...sources: readonly { subscribe(listener: () => void): Unsubscribe }[]
): (listener: () => void) => Unsubscribe {
  return (listener) => {
    const unsubscribes = sources.map((source) => source.subscribe(listener));
    return () => {
      for (const unsubscribe of unsubscribes) unsubscribe();
    };
  };
}
