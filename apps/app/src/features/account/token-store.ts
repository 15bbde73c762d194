import type { Tokens, UserInfo } from '@linnet/contract';
import type { SignedOutSession } from './sign-outs.ts';

/** The keys for account data stored on this phone, as specified. Passwords are never stored. */
const keys = {
  access: 'Access-Token',
  refresh: 'Refresh-Token',
  expiry: 'Token_time',
  email: 'login_username',
  /** Absent while signed out. The specification uses ID 0 instead. */
  user: 'login_user_info',
  /** The values that prefill the sign-in form. */
  form: 'save_user_info',
  /** Sessions not yet ended on their servers. */
  signedOut: 'Signed-Out-Sessions',
} as const;

/** The specification stores a password along with the form; here it is always empty. */
type SavedForm = { readonly email: string; readonly password: '' };

/** The signed-in account, stored on this phone for offline use. */
export type SavedUser = Pick<UserInfo, 'id' | 'email' | 'nickname' | 'avatar'> & {
  /**
   * The membership. Null for non-members; missing in data saved by earlier app versions. `until` is null if the
   * membership never expires.
   */
  readonly member?: { readonly until: string | null } | null;
};

/** Where tokens are stored: localStorage in browsers, secure storage on phones. */
export type SecretStore = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** The keys kept in the {@link SecretStore}. */
export const secretNames: readonly string[] = [keys.access, keys.refresh, keys.signedOut];

/** A phone's secure storage; null in browsers. */
let phoneSecrets: SecretStore | null = null;
const secrets = (): SecretStore => phoneSecrets ?? localStorage;

/** Replaces localStorage as the token storage. Call it before any token is read. */
export function storeTokensIn(store: SecretStore): void {
  phoneSecrets = store;
}

export const tokenStore = {
  access: () => secrets().getItem(keys.access),
  refresh: () => secrets().getItem(keys.refresh),
  /** Returns whether the access token is still valid by this phone's clock. */
  isFresh: () => Date.now() < Number(localStorage.getItem(keys.expiry) ?? 0),

  /** Stores tokens. As specified, the access token is valid for one second less than `expires_in`. */
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
  /** Stores the email that prefills the sign-in form. */
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

  /** Deletes the tokens and the account, but not the sign-in form's email. */
  clear(): void {
    for (const name of [keys.access, keys.refresh]) secrets().removeItem(name);
    for (const key of [keys.expiry, keys.user]) localStorage.removeItem(key);
  },
};
