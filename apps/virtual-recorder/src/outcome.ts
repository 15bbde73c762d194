/** An operation's outcome: a value, or a rejection with one of the protocol's error results. */
import type { ResultName } from '@linnet/device/codec';

export type Refusal = Exclude<ResultName, 'ok'>;
export type Outcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly result: Refusal };

export const succeeded = <T>(value: T): Outcome<T> => ({ ok: true, value });
export const refused = (result: Refusal): Outcome<never> => ({ ok: false, result });
