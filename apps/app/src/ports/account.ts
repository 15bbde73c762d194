import type { UserInfo } from '@linnet/contract';
import type { CallFailure } from '@linnet/contract/client';
import type { Outcome, Store } from './store.ts';

export type AccountState =
  | { readonly status: 'loading' }
  /** `expired`: the server no longer takes the tokens; nothing on the phone was lost. */
  | { readonly status: 'signed-out'; readonly because: 'new' | 'left' | 'expired' }
  | {
      readonly status: 'signed-in';
      readonly user: Pick<UserInfo, 'id' | 'email' | 'nickname' | 'avatar'> & {
        /** Whether they were a member when the server last told, and until when; for want of an answer. */
        readonly member?: { readonly until: string | null } | null;
      };
    };

export type AccountService = {
  readonly state: Store<AccountState>;
  /** Membership and minutes as last heard from the server; null before the first answer. */
  readonly membership: Store<Membership | null>;
  /** Sends a six-digit code. `retryAfter` in seconds. */
  sendCode(email: string): Promise<Outcome<{ retryAfter: number }, CallFailure>>;
  register(form: NewPassword): Promise<Outcome<null, CallFailure>>;
  resetPassword(form: NewPassword): Promise<Outcome<null, CallFailure>>;
  signIn(email: string, password: string): Promise<Outcome<null, CallFailure>>;
  /** The e-mail of the last sign-in, to fill the form. */
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
  /** What renews itself, or runs out; null where nothing does. */
  readonly subscription: UserInfo['subscription'];
};
