import type { Session } from '@linnet/contract';
import type { CallFailure } from '@linnet/contract/client';
import type { Outcome } from './store.ts';

/** Changes to the signed-in account. Success shows in `account.state`. */
export type ProfileService = {
  /** Ends all other sessions of the account. */
  changePassword(form: PasswordChange): Promise<Outcome<null, CallFailure>>;
  rename(nickname: string): Promise<Outcome<null, CallFailure>>;
  /** @param picture a square JPEG; null removes the picture */
  setPicture(picture: Blob | null): Promise<Outcome<null, CallFailure>>;
  /**
   * Closes the account permanently, deletes its data from this phone, and signs out. If no answer arrives,
   * the server is asked again later, and the rest follows then.
   */
  close(password: string): Promise<Outcome<null, CloseFailure>>;
  /** The account's sessions, last used first. */
  sessions(): Promise<Outcome<readonly Session[], CallFailure>>;
  /** Signs out another device. */
  endSession(id: string): Promise<Outcome<null, CallFailure>>;
};
/** `not_kept`: this phone had no space to record the request first, so it was not sent. */
export type CloseFailure = CallFailure | { readonly kind: 'not_kept' };
export type PasswordChange = {
  readonly old_password: string;
  readonly password: string;
  readonly repassword: string;
};
