/** A value that changes, for `useSyncExternalStore`. `get` returns the same object until it changes. */
export type Store<T> = {
  get(): T;
  /** @returns takes the listener back. */
  subscribe(listener: () => void): () => void;
};

/** Something read from the on-device database; `loading` only before the first answer. */
export type Live<T> = Store<
  { readonly status: 'loading' } | { readonly status: 'ready'; readonly value: T }
>;

/** The outcome of an action the owner waits for. */
export type Outcome<T, F> =
  | { readonly ok: true; readonly data: T }
  | { readonly ok: false; readonly failure: F };
