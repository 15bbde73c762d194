import type { CallFailure } from '@linnet/contract/client';
import type { Outcome } from './store.ts';

/** What somebody signed in may change about the account. Success shows in `account.state`. */
export type ProfileService = {
  /** Ends every other session of the account. */
  changePassword(form: PasswordChange): Promise<Outcome<null, CallFailure>>;
  rename(nickname: string): Promise<Outcome<null, CallFailure>>;
  /** @param picture a square JPEG; null takes the picture away */
  setPicture(picture: Blob | null): Promise<Outcome<null, CallFailure>>;
  /** Cancels the account for good, takes what was its own off this phone, and signs out. */
  close(): Promise<Outcome<null, CallFailure>>;
};
export type PasswordChange = {
  readonly old_password: string;
  readonly password: string;
  readonly repassword: string;
};
