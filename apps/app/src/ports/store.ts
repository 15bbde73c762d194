/** An observable value, for `useSyncExternalStore`. `get` returns the same object until it changes. */
export type Store<T> = {
  get(): T;
  /** @returns a function that unsubscribes. */
  subscribe(listener: () => void): () => void;
};

/** A value read from the on-device database; `loading` only before the first read. */
export type Live<T> = Store<
  { readonly status: 'loading' } | { readonly status: 'ready'; readonly value: T }
>;

/** The outcome of an operation the user waits for. */
export type Outcome<T, F> =
  | { readonly ok: true; readonly data: T }
  | { readonly ok: false; readonly failure: F };
