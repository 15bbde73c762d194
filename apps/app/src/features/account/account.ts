/**
 * The account on this phone. Signs in and out, refreshes the tokens, and provides a client that sends them. In a
 * browser, all tabs share the tokens, so any tab may sign in, sign out or refresh at any time.
 */
import { writable } from '@linnet/base';
import type { CallBody, CallData, UserInfo } from '@linnet/contract';
import { agreementVersion } from '@linnet/contract/agreement';
import {
  type CallFailure,
  type CallOptions,
  type CallResult,
  type Client,
  createClient,
} from '@linnet/contract/client';
import { codes } from '@linnet/contract/codes';
import type { CallName } from '@linnet/contract/routes';
import type { AccountService, AccountState, Membership, NewPassword } from '../../ports/account.ts';
import type { Outcome } from '../../ports/store.ts';
import { cacheEntry } from '../cache.ts';
import { createSignOuts, type SignOuts } from './sign-outs.ts';
import { tokenStore } from './token-store.ts';

/** The Web Lock that limits token refreshes to one at a time across all tabs. */
const REFRESH_LOCK = 'linnet-token-refresh';

export type Account = {
  readonly service: AccountService;
  readonly client: Client;
  /** Applies the account data from a response, unless another account has signed in during the call. */
  applyUserInfo(call: Promise<CallResult<UserInfo>>): Promise<CallResult<UserInfo>>;
};

/** Calls that send the interface language, because they trigger emails or checkouts. */
const callsWithLanguage: ReadonlySet<CallName> = new Set([
  'site/code',
  'user/register',
  'user/login',
  'user/deactivation',
  'user/pay',
]);

/**
 * @param baseUrl the server's origin
 * @param language returns the interface language as a BCP 47 tag
 * @param signOuts ends the session on the server after the user signs out
 */
export function createAccount(
  baseUrl: string,
  language: () => string,
  signOuts: SignOuts = createSignOuts(console.error),
): Account {
  const user = tokenStore.user();
  const state = writable<AccountState>(
    user && tokenStore.refresh()
      ? { status: 'signed-in', user }
      : { status: 'signed-out', reason: 'new' },
  );
  const membershipCache = cacheEntry<Membership>('_membership');
  const cached = user ? membershipCache.read() : null;
  const membership = writable<Membership | null>(cached?.isFresh ? cached.data : null);

  /** The client that refreshes the tokens. It sends no access token. */
  const refreshClient = createClient({
    baseUrl,
    tokens: { access: () => null, refresh: tokenStore.refresh },
  });

  /**
   * Incremented on each sign-in and sign-out. A response to a call from an earlier epoch belongs to another account.
   */
  let epoch = 0;
  /** The access tokens sent in the current account's calls. Only these may be renewed. */
  const issuedTokens = new Set<string>();

  function beginEpoch(): void {
    epoch += 1;
    issuedTokens.clear();
  }

  function endSession(reason: 'requested' | 'expired'): void {
    beginEpoch();
    tokenStore.clear();
    membershipCache.drop();
    membership.set(null);
    state.set({ status: 'signed-out', reason });
  }
  const expire = () => endSession('expired');

  /**
   * Returns a fresh access token. While the server is unreachable, returns the current token, because only the server
   * can invalidate a session.
   * @param expired the token that has expired
   * @returns null after a sign-in or sign-out, because a call must not be repeated for another account
   */
  async function renew(expired: string | null): Promise<string | null> {
    const epochAtStart = epoch;
    return navigator.locks.request(REFRESH_LOCK, async () => {
      if (epochAtStart !== epoch) return null;
      const current = tokenStore.access();
      // Another call or tab has already refreshed the token.
      if (current !== expired && tokenStore.isFresh()) return current;
      const refreshToken = tokenStore.refresh();
      if (!refreshToken) return null;
      const result = await refreshClient.call('user/refreshToken');
      // The user signed out during the refresh, in this tab or another tab.
      if (tokenStore.refresh() !== refreshToken) return null;
      if (result.ok) {
        tokenStore.save(result.data);
        return result.data.access_token;
      }
      if (isRefusal(result.failure)) {
        expire();
        return null;
      }
      return current;
    });
  }

  /** Returns the access token for a call, refreshing it if necessary. */
  async function getAccessToken(): Promise<string | null> {
    const token = tokenStore.isFresh() ? tokenStore.access() : await renew(tokenStore.access());
    if (token) issuedTokens.add(token);
    return token;
  }

  const authorized = createClient({
    baseUrl,
    tokens: {
      access: getAccessToken,
      refresh: tokenStore.refresh,
      renew: async (expired) => (issuedTokens.has(expired) ? renew(expired) : null),
    },
    headers: (): Record<string, string> => {
      const tenant = localStorage.getItem('X-Tenant-Id');
      return tenant ? { 'X-Tenant-Id': tenant } : {};
    },
  });

  /** The client for all calls. Signs the account out if the server rejects the tokens. */
  const client: Client = {
    async call<Name extends CallName>(
      name: Name,
      ...args: [body?: CallBody<Name>, options?: CallOptions]
    ): Promise<CallResult<CallData<Name>>> {
      const call = authorized.call as (
        name: Name,
        ...args: [body?: CallBody<Name>, options?: CallOptions]
      ) => Promise<CallResult<CallData<Name>>>;
      const tokenBefore = tokenStore.access();
      const [body, options] = args;
      const localizedBody = callsWithLanguage.has(name)
        ? ({ ...(body as object), language: language() } as CallBody<Name>)
        : body;
      const result = await call(name, localizedBody, options);
      const isRefused = !result.ok && isRefusal(result.failure);
      // A sign-in during the call has replaced the rejected tokens and must not be undone.
      const isSameToken = tokenStore.access() === tokenBefore;
      if (isRefused && isSameToken && state.get().status === 'signed-in') expire();
      return result;
    },
  };

  async function refresh(): Promise<void> {
    if (state.get().status !== 'signed-in') return;
    await applyUserInfo(client.call('user/info'));
  }

  async function applyUserInfo(call: Promise<CallResult<UserInfo>>): Promise<CallResult<UserInfo>> {
    const epochAtStart = epoch;
    const result = await call;
    if (result.ok && epochAtStart === epoch) setUser(result.data);
    return result;
  }

  function setUser(info: UserInfo): void {
    state.set({ status: 'signed-in', user: tokenStore.saveUser(info) });
    const newMembership: Membership = {
      isVip: info.is_vip,
      plan: info.vip_plan,
      expiresAt: info.vip_expires_at,
      remainingMinutes: info.left_minutes,
      subscription: info.subscription,
    };
    membershipCache.write(newMembership);
    membership.set(newMembership);
  }

  async function signIn(email: string, password: string): Promise<Outcome<null, CallFailure>> {
    const login = await client.call('user/login', { email, password });
    if (!login.ok) return login;
    beginEpoch();
    tokenStore.save(login.data);
    const info = await client.call('user/info');
    if (!info.ok) {
      tokenStore.clear();
      return info;
    }
    setUser(info.data);
    return { ok: true, data: null };
  }

  /** Registers an account or resets its password, then signs in with the new password. */
  async function submitNewPassword(
    name: 'user/register' | 'user/forgotPassword',
    form: NewPassword,
  ): Promise<Outcome<null, CallFailure>> {
    const agreement = name === 'user/register' ? { agreement_version: agreementVersion } : {};
    const result = await client.call(name, { ...form, ...agreement });
    if (!result.ok) return result;
    // The code works only once. If signing in fails, the user continues in the sign-in form.
    tokenStore.saveEmail(form.email);
    await signIn(form.email, form.password);
    return { ok: true, data: null };
  }

  const service: AccountService = {
    state,
    membership,
    async sendCode(email) {
      const result = await client.call('site/code', { email });
      return result.ok ? { ok: true, data: { retryAfter: result.data.retry_after } } : result;
    },
    register: (form) => submitNewPassword('user/register', form),
    resetPassword: (form) => submitNewPassword('user/forgotPassword', form),
    signIn,
    lastEmail: tokenStore.lastEmail,
    async signOut() {
      const [access, refresh] = [tokenStore.access(), tokenStore.refresh()];
      if (refresh) signOuts.add({ address: baseUrl, access, refresh });
      endSession('requested');
      void signOuts.settle();
    },
    refresh,
  };
  return { service, client, applyUserInfo };
}

function isRefusal(failure: CallFailure): boolean {
  return failure.kind === 'server' && failure.code === codes.tokenInvalid;
}
