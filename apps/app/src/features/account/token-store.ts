import type { Tokens, UserInfo } from '@linnet/contract';
import type { SignedOutSession } from './sign-outs.ts';

/** The keys under which account data is stored on this phone, as specified. Passwords are never stored. */
const keys = {
  access: 'Access-Token',
  refresh: 'Refresh-Token',
  expiry: 'Token_time',
  email: 'login_username',
  /** Absent while signed out. The specification uses the id 0 instead. */
  user: 'login_user_info',
  /** The values that prefill the sign-in form. */
  form: 'save_user_info',
  /** The sessions that have not been ended on their server yet. */
  signedOut: 'Signed-Out-Sessions',
} as const;

/** The specification stores a password with the form; here it is always empty. */
type SavedForm = { readonly email: string; readonly password: '' };

/** The signed-in account as stored on this phone, so that it is available offline. */
export type SavedUser = Pick<UserInfo, 'id' | 'email' | 'nickname' | 'avatar'> & {
  /**
   * The membership; null for non-members, and absent in data stored by an earlier version of the app. `until` is null
   * for an unlimited membership.
   */
  readonly member?: { readonly until: string | null } | null;
};

/** The storage of tokens: localStorage in browsers, secure storage on phones. */
export type SecretStore = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** The keys that are stored in the {@link SecretStore}. */
export const secretNames: readonly string[] = [keys.access, keys.refresh, keys.signedOut];

/** The secure storage of a phone; null in browsers. */
let phoneSecrets: SecretStore | null = null;
const secrets = (): SecretStore => phoneSecrets ?? localStorage;

/** Replaces localStorage as the storage of tokens. Call it before any token is read. */
export function storeTokensIn(store: SecretStore): void {
  phoneSecrets = store;
}

export const tokenStore = {
  access: () => secrets().getItem(keys.access),
  refresh: () => secrets().getItem(keys.refresh),
  /** Returns whether the access token is still valid according to this phone's clock. */
  isFresh: () => Date.now() < Number(localStorage.getItem(keys.expiry) ?? 0),

  /** Stores tokens. As specified, the access token is valid for `expires_in` minus one second. */
  save(tokens: Tokens): void {
    secrets().setItem(keys.access, tokens.access_token);
    secrets().setItem(keys.refresh, tokens.refresh_token);
    localStorage.setItem(keys.expiry, String(Date.now() + (tokens.expires_in - 1) * 1000));
  },

  user(): SavedUser | null {
    const saved = localStorage.getItem(keys.user);
    return saved ? (JSON.parse(saved) as SavedUser) : null;
  },
  saveUser({ id, email, nickname, avatar, is_vip, vip_expires_at }: UserInfo): SavedUser {
    const member = is_vip ? { until: vip_expires_at } : null;
    const user: SavedUser = { id, email, nickname, avatar, member };
    localStorage.setItem(keys.user, JSON.stringify(user));
    this.saveEmail(email);
    return user;
  },
  /** Stores the e-mail that prefills the sign-in form. */
  saveEmail(email: string): void {
    localStorage.setItem(keys.email, email);
    const form: SavedForm = { email, password: '' };
    localStorage.setItem(keys.form, JSON.stringify(form));
  },

  lastEmail(): string {
    const saved = localStorage.getItem(keys.form);
    return saved
      ? (JSON.parse(saved) as SavedForm).email
      : (localStorage.getItem(keys.email) ?? '');
  },

  signedOut(): SignedOutSession[] {
    const saved = secrets().getItem(keys.signedOut);
    return saved ? (JSON.parse(saved) as SignedOutSession[]) : [];
  },
  saveSignedOut(sessions: readonly SignedOutSession[]): void {
    if (sessions.length === 0) secrets().removeItem(keys.signedOut);
    else secrets().setItem(keys.signedOut, JSON.stringify(sessions));
  },

  /** Deletes the tokens and the account, but not the e-mail of the sign-in form. */
  clear(): void {
    for (const name of [keys.access, keys.refresh]) secrets().removeItem(name);
    for (const key of [keys.expiry, keys.user]) localStorage.removeItem(key);
  },
};
