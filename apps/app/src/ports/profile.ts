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
   * Closes the account permanently, deletes its data from this phone, and signs out. Without an answer from the
   * server, the closure is checked and completed later.
   */
  close(password: string): Promise<Outcome<null, CloseFailure>>;
  /** The account's sessions, last used first. */
  sessions(): Promise<Outcome<readonly Session[], CallFailure>>;
  /** Signs out another device. */
  endSession(id: string): Promise<Outcome<null, CallFailure>>;
};
/** `not_kept`: the request was not sent, because this phone had no storage left to record it. */
export type CloseFailure = CallFailure | { readonly kind: 'not_kept' };
export type PasswordChange = {
  readonly old_password: string;
  readonly password: string;
  readonly repassword: string;
};
