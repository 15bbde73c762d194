import type { Store } from '@linnet/base';

export type { Store } from '@linnet/base';

/** A value read from the on-device database. It is `loading` only before the first read. */
export type Live<T> = Store<
  { readonly status: 'loading' } | { readonly status: 'ready'; readonly value: T }
>;

/** An operation's outcome: its data, or an expected failure. Unexpected errors are thrown instead. */
export type Outcome<T, F> =
  | { readonly ok: true; readonly data: T }
  | { readonly ok: false; readonly failure: F };
