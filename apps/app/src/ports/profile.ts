import type { Session } from '@linnet/contract';
import type { CallFailure } from '@linnet/contract/client';
import type { Outcome } from './store.ts';

/** What somebody signed in may change about the account. Success shows in `account.state`. */
export type ProfileService = {
  /** Ends every other session of the account. */
  changePassword(form: PasswordChange): Promise<Outcome<null, CallFailure>>;
  rename(nickname: string): Promise<Outcome<null, CallFailure>>;
  /** @param picture a square JPEG; null takes the picture away */
  setPicture(picture: Blob | null): Promise<Outcome<null, CallFailure>>;
  /**
   * Cancels the account for good, takes what was its own off this phone, and signs out. Where no answer comes,
   * the server is asked again later, and the rest follows then.
   */
  close(password: string): Promise<Outcome<null, CloseFailure>>;
  /** Where the account is signed in, the one used last first. */
  sessions(): Promise<Outcome<readonly Session[], CallFailure>>;
  /** Signs another device out. */
  endSession(id: string): Promise<Outcome<null, CallFailure>>;
};
/** `not_kept`: this phone has no room to note what it is about to ask for, and asked for nothing. */
export type CloseFailure = CallFailure | { readonly kind: 'not_kept' };
export type PasswordChange = {
  readonly old_password: string;
  readonly password: string;
  readonly repassword: string;
};
