import type { CallFailure } from '@linnet/contract/client';
import type { Outcome } from './store.ts';

/** The secret address that calendar apps subscribe to. Only the server stores it, so calls need a connection. */
export type CalendarAddressService = {
  /** Returns the address, or null if it hasn't been created. */
  get(): Promise<Outcome<string | null, CallFailure>>;
  create(): Promise<Outcome<string, CallFailure>>;
  /** Invalidates the address immediately. */
  revoke(): Promise<Outcome<null, CallFailure>>;
};
