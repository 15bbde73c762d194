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

/** Web lock that serializes token refreshes across tabs. */
const REFRESH_LOCK = 'linnet-token-refresh';

export type Account = {
  readonly service: AccountService;
  readonly client: Client;
  /** Applies the account data of an answer, unless the account changed during the call. */
  applyAnswer(call: Promise<CallResult<UserInfo>>): Promise<CallResult<UserInfo>>;
};

/**
 * The account of this phone, and a client that sends its tokens.
 * @param baseUrl the server's origin
 * @param signOuts ends the session on the server after signing out
 */
export function createAccount(
  baseUrl: string,
  signOuts: SignOuts = createSignOuts(console.error),
): Account {
  const user = tokenStore.user();
  const state = writable<AccountState>(
    user && tokenStore.refresh()
      ? { status: 'signed-in', user }
      : { status: 'signed-out', reason: 'new' },
  );
  const membershipCache = cacheEntry<Membership>('_membership');
  const known = user ? membershipCache.read() : null;
  const membership = writable<Membership | null>(known?.fresh ? known.data : null);

  /** A client without tokens, for refreshing them. */
  const bare = createClient({
    baseUrl,
    tokens: { access: () => null, refresh: tokenStore.refresh },
  });

  /** Incremented by each sign-in or sign-out; answers to earlier calls belong to another account. */
  let epoch = 0;
  /** Access tokens issued to calls of the current account. Only these may be renewed. */
  const issuedTokens = new Set<string>();

  function startEpoch(): void {
    epoch += 1;
    issuedTokens.clear();
  }

  function endSession(reason: 'left' | 'expired'): void {
    startEpoch();
    tokenStore.clear();
    membershipCache.drop();
    membership.set(null);
    state.set({ status: 'signed-out', reason });
  }
  const expire = () => endSession('expired');

  /**
   * Returns a fresh access token. While offline, returns the old one, because only a refusal invalidates it.
   * @param unusable the token that must not be returned again
   * @returns null after a sign-in or sign-out, so that a call is never repeated as another account
   */
  async function renew(unusable: string | null): Promise<string | null> {
    const started = epoch;
    return navigator.locks.request(REFRESH_LOCK, async () => {
      if (started !== epoch) return null;
      const current = tokenStore.access();
      if (current !== unusable && tokenStore.isFresh()) return current;
      const refreshToken = tokenStore.refresh();
      if (!refreshToken) return null;
      const answer = await bare.call('user/refreshToken');
      // The user signed out during the refresh, here or in another tab.
      if (tokenStore.refresh() !== refreshToken) return null;
      if (answer.ok) {
        tokenStore.save(answer.data);
        return answer.data.access_token;
      }
      if (isRefusal(answer.failure)) {
        expire();
        return null;
      }
      return current;
    });
  }

  /** The token for a call. */
  async function access(): Promise<string | null> {
    const token = tokenStore.isFresh() ? tokenStore.access() : await renew(tokenStore.access());
    if (token) issuedTokens.add(token);
    return token;
  }

  const authorized = createClient({
    baseUrl,
    tokens: {
      access,
      refresh: tokenStore.refresh,
      renew: async (expired) => (issuedTokens.has(expired) ? renew(expired) : null),
    },
    headers: (): Record<string, string> => {
      const tenant = localStorage.getItem('X-Tenant-Id');
      return tenant ? { 'X-Tenant-Id': tenant } : {};
    },
  });

  /** The client, which signs the account out if the server rejects its tokens. */
  const client: Client = {
    async call<Name extends CallName>(
      name: Name,
      ...args: [body?: CallBody<Name>, options?: CallOptions]
    ): Promise<CallResult<CallData<Name>>> {
      const call = authorized.call as (
        name: Name,
        ...args: [body?: CallBody<Name>, options?: CallOptions]
      ) => Promise<CallResult<CallData<Name>>>;
      const before = tokenStore.access();
      const answer = await call(name, ...args);
      const refused = !answer.ok && isRefusal(answer.failure);
      // A sign-in during the call replaces the rejected tokens.
      if (refused && state.get().status === 'signed-in' && tokenStore.access() === before) expire();
      return answer;
    },
  };

  async function refresh(): Promise<void> {
    if (state.get().status !== 'signed-in') return;
    await applyAnswer(client.call('user/info'));
  }

  async function applyAnswer(call: Promise<CallResult<UserInfo>>): Promise<CallResult<UserInfo>> {
    const started = epoch;
    const answer = await call;
    if (answer.ok && started === epoch) applyInfo(answer.data);
    return answer;
  }

  function applyInfo(info: UserInfo): void {
    state.set({ status: 'signed-in', user: tokenStore.saveUser(info) });
    const now: Membership = {
      isVip: info.is_vip,
      plan: info.vip_plan,
      expiresAt: info.vip_expires_at,
      leftMinutes: info.left_minutes,
      subscription: info.subscription,
    };
    membershipCache.write(now);
    membership.set(now);
  }

  async function signIn(email: string, password: string): Promise<Outcome<null, CallFailure>> {
    const login = await client.call('user/login', { email, password });
    if (!login.ok) return login;
    startEpoch();
    tokenStore.save(login.data);
    const info = await client.call('user/info');
    if (!info.ok) {
      tokenStore.clear();
      return info;
    }
    applyInfo(info.data);
    return { ok: true, data: null };
  }

  /** Registers or resets the password, then tries to sign in with it. */
  async function withNewPassword(
    name: 'user/register' | 'user/forgotPassword',
    form: NewPassword,
  ): Promise<Outcome<null, CallFailure>> {
    const accepted = name === 'user/register' ? { agreement_version: agreementVersion } : {};
    const answer = await client.call(name, { ...form, ...accepted });
    if (!answer.ok) return answer;
    // The code is spent even if signing in fails, so the e-mail is saved for the sign-in form.
    tokenStore.saveEmail(form.email);
    await signIn(form.email, form.password);
    return { ok: true, data: null };
  }

  const service: AccountService = {
    state,
    membership,
    async sendCode(email) {
      const answer = await client.call('site/code', { email });
      return answer.ok ? { ok: true, data: { retryAfter: answer.data.retry_after } } : answer;
    },
    register: (form) => withNewPassword('user/register', form),
    resetPassword: (form) => withNewPassword('user/forgotPassword', form),
    signIn,
    lastEmail: tokenStore.lastEmail,
    async signOut() {
      const [access, refresh] = [tokenStore.access(), tokenStore.refresh()];
      if (refresh) signOuts.add({ address: baseUrl, access, refresh });
      endSession('left');
      void signOuts.settle();
    },
    refresh,
  };
  return { service, client, applyAnswer };
}

function isRefusal(failure: CallFailure): boolean {
  return failure.kind === 'server' && failure.code === codes.tokenInvalid;
}
