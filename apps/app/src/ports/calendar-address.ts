import type { CallFailure } from '@linnet/contract/client';
import type { Outcome } from './store.ts';

/** The secret address to which calendar apps subscribe. Only the server has it, so that calls need a connection. */
export type CalendarAddressService = {
  /** Returns the address; null if there is none. */
  get(): Promise<Outcome<string | null, CallFailure>>;
  create(): Promise<Outcome<string, CallFailure>>;
  /** Makes the address invalid at once. */
  revoke(): Promise<Outcome<null, CallFailure>>;
};
