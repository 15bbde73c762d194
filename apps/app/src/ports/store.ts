import type { Store } from '@linnet/base';

export type { Store } from '@linnet/base';

/** A value that is read from the on-device database. It is `loading` only before the first read. */
export type Live<T> = Store<
  { readonly status: 'loading' } | { readonly status: 'ready'; readonly value: T }
>;

/** The outcome of an operation: its data, or an expected failure. Defects are thrown instead. */
export type Outcome<T, F> =
  | { readonly ok: true; readonly data: T }
  | { readonly ok: false; readonly failure: F };
