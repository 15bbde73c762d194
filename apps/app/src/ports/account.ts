import type { UserInfo } from '@linnet/contract';
import type { CallFailure } from '@linnet/contract/client';
import type { Outcome, Store } from './store.ts';

export type AccountState =
  | { readonly status: 'loading' }
  /** `requested`: the user signed out. `expired`: the server rejected the tokens. Either way, local data is kept. */
  | { readonly status: 'signed-out'; readonly reason: 'new' | 'requested' | 'expired' }
  | {
      readonly status: 'signed-in';
      readonly user: Pick<UserInfo, 'id' | 'email' | 'nickname' | 'avatar'> & {
        /** The membership that the server last reported. It applies until the next report. */
        readonly member?: { readonly until: string | null } | null;
      };
    };

export type AccountService = {
  readonly state: Store<AccountState>;
  /** The membership and minutes that the server last reported, or null before its first response. */
  readonly membership: Store<Membership | null>;
  /** Sends a six-digit code by email. `retryAfter` is the time in seconds before another code can be requested. */
  sendCode(email: string): Promise<Outcome<{ retryAfter: number }, CallFailure>>;
  register(form: NewPassword): Promise<Outcome<null, CallFailure>>;
  resetPassword(form: NewPassword): Promise<Outcome<null, CallFailure>>;
  signIn(email: string, password: string): Promise<Outcome<null, CallFailure>>;
  /** Returns the email of the last sign-in, which prefills the form. */
  lastEmail(): string;
  signOut(): Promise<void>;
  /** Fetches the account and its membership from the server. */
  refresh(): Promise<void>;
};
export type NewPassword = { email: string; code: string; password: string; repassword: string };
export type Membership = {
  readonly isVip: boolean;
  readonly plan: UserInfo['vip_plan'];
  readonly expiresAt: string | null;
  readonly remainingMinutes: number;
  /** The subscription, whether it will renew or expire; null if the account has none. */
  readonly subscription: UserInfo['subscription'];
};
