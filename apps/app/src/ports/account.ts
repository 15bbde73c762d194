import type { UserInfo } from '@linnet/contract';
import type { CallFailure } from '@linnet/contract/client';
import type { Outcome, Store } from './store.ts';

export type AccountState =
  | { readonly status: 'loading' }
  /** `left`: the user signed out. `expired`: the server rejects the tokens; local data is retained. */
  | { readonly status: 'signed-out'; readonly reason: 'new' | 'left' | 'expired' }
  | {
      readonly status: 'signed-in';
      readonly user: Pick<UserInfo, 'id' | 'email' | 'nickname' | 'avatar'> & {
        /** Membership as last reported by the server, used until it answers again. */
        readonly member?: { readonly until: string | null } | null;
      };
    };

export type AccountService = {
  readonly state: Store<AccountState>;
  /** Membership and minutes as last reported by the server; null before the first answer. */
  readonly membership: Store<Membership | null>;
  /** Sends a six-digit code. `retryAfter` in seconds. */
  sendCode(email: string): Promise<Outcome<{ retryAfter: number }, CallFailure>>;
  register(form: NewPassword): Promise<Outcome<null, CallFailure>>;
  resetPassword(form: NewPassword): Promise<Outcome<null, CallFailure>>;
  signIn(email: string, password: string): Promise<Outcome<null, CallFailure>>;
  /** The e-mail of the last sign-in, for prefilling the form. */
  lastEmail(): string;
  signOut(): Promise<void>;
  refresh(): Promise<void>;
};
export type NewPassword = { email: string; code: string; password: string; repassword: string };
export type Membership = {
  readonly isVip: boolean;
  readonly plan: UserInfo['vip_plan'];
  readonly expiresAt: string | null;
  readonly leftMinutes: number;
  /** The subscription that renews or expires; null if there is none. */
  readonly subscription: UserInfo['subscription'];
};
