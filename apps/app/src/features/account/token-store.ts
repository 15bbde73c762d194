import type { Tokens, UserInfo } from '@linnet/contract';
import type { SignedOut } from './sign-outs.ts';

/**
 * What the phone remembers of an account, under the specification's keys. A password is never among it.
 */
const keys = {
  access: 'Access-Token',
  refresh: 'Refresh-Token',
  expiry: 'Token_time',
  email: 'login_username',
  /** Absent is the specification's default, an id of 0: nobody. */
  user: 'login_user_info',
  /** What the sign-in form begins with. */
  form: 'save_user_info',
  /** Sessions whose server does not know yet that they were signed out. */
  signedOut: 'Signed-Out-Sessions',
} as const;

/** The password is always blank. */
type SavedForm = { readonly email: string; readonly password: '' };

/** Who is signed in, as the pages need it without a network. */
export type SavedUser = Pick<UserInfo, 'id' | 'email' | 'nickname' | 'avatar'> & {
  /** Null for no member; absent where an earlier version kept it. `until` is null for good. */
  readonly member?: { readonly until: string | null } | null;
};

/** Where tokens lie: localStorage in browsers, which have nothing safer, and a phone's secure storage. */
export type SecretStore = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** The names under which tokens lie there. */
export const secretNames: readonly string[] = [keys.access, keys.refresh, keys.signedOut];

/** Null for localStorage. */
let phoneSecrets: SecretStore | null = null;
const secrets = (): SecretStore => phoneSecrets ?? localStorage;

/** Has tokens lie elsewhere than in localStorage; to be called before anything asks for them. */
export function keepTokensIn(store: SecretStore): void {
  phoneSecrets = store;
}

export const tokenStore = {
  access: () => secrets().getItem(keys.access),
  refresh: () => secrets().getItem(keys.refresh),
  /** Whether the access token may still be used, by this phone's clock. */
  isFresh: () => Date.now() < Number(localStorage.getItem(keys.expiry) ?? 0),

  /** The specification: valid until `expires_in` less one second. */
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
  /** What the sign-in form begins with from now on. */
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

  signedOut(): SignedOut[] {
    const saved = secrets().getItem(keys.signedOut);
    return saved ? (JSON.parse(saved) as SignedOut[]) : [];
  },
  saveSignedOut(sessions: readonly SignedOut[]): void {
    if (sessions.length === 0) secrets().removeItem(keys.signedOut);
    else secrets().setItem(keys.signedOut, JSON.stringify(sessions));
  },

  /** Forgets the tokens and who it was; the e-mail stays, to fill the form. */
  clear(): void {
    for (const name of [keys.access, keys.refresh]) secrets().removeItem(name);
    for (const key of [keys.expiry, keys.user]) localStorage.removeItem(key);
  },
};
