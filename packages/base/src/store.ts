import { Emitter, type Unsubscribe } from './emitter.ts';

/**
 * An observable value that works with React's `useSyncExternalStore`. `get` returns the same object until the value
 * changes.
 */
export type Store<T> = {
  get(): T;
  subscribe(listener: () => void): Unsubscribe;
};

/** A {@link Store} whose value can be set. */
export type Writable<T> = Store<T> & { set(value: T): void };

/** Creates a store. Setting an identical value (`Object.is`) doesn't notify listeners. */
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

/** Returns a function that subscribes a listener to several sources. */
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
