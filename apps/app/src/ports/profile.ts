import type { Session } from '@linnet/contract';
import type { CallFailure } from '@linnet/contract/client';
import type { Outcome } from './store.ts';

/** Changes the signed-in account. The changes appear in the account service's state. */
export type ProfileService = {
  /** Changes the password, which ends all of the account's other sessions. */
  changePassword(form: PasswordChange): Promise<Outcome<null, CallFailure>>;
  rename(nickname: string): Promise<Outcome<null, CallFailure>>;
  /**
   * Changes the account's picture.
   * @param picture a square JPEG; null removes the picture
   */
  setPicture(picture: Blob | null): Promise<Outcome<null, CallFailure>>;
  /**
   * Permanently closes the account, deletes its data from this phone, and signs out. If the server's response is lost,
   * the closure is completed later.
   */
  close(password: string): Promise<Outcome<null, CloseFailure>>;
  /** Fetches the account's sessions, most recently used first. */
  sessions(): Promise<Outcome<readonly Session[], CallFailure>>;
  /** Signs out another device. */
  endSession(id: string): Promise<Outcome<null, CallFailure>>;
};
/** `not_saved`: the closure wasn't requested, because this phone has no storage left to record it. */
export type CloseFailure = CallFailure | { readonly kind: 'not_saved' };
export type PasswordChange = {
  readonly old_password: string;
  readonly password: string;
  readonly repassword: string;
};
