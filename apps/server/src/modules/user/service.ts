import type { CallData, CallInput, Tokens } from '@linnet/contract';
import { agreementVersion } from '@linnet/contract/agreement';
import type { InterfaceLanguage } from '@linnet/contract/interface-languages';
import { limits } from '@linnet/contract/limits';
import { v7 as uuidv7 } from 'uuid';
import { dayMs } from '../../calendar.ts';
import type { Database, Row } from '../../db/database.ts';
import { nextRevision } from '../../db/database.ts';
import { CallError } from '../../http/failure.ts';
import type { Limit, Pace, RateLimiter } from '../../http/rate-limit.ts';
import type { Mailer } from '../../providers/mail/port.ts';
import { MailFailure } from '../../providers/mail/port.ts';
import { hmac } from '../../secrets.ts';
import type { Minutes } from '../minutes/service.ts';
import { stopVaultsAfterPassword } from '../vault/stop.ts';
import { disableWebhooks } from '../webhook/disable.ts';
import type { Caller } from './access.ts';
import type { VerificationCodes } from './codes.ts';
import type { AccountLanguages } from './languages.ts';
import { codeMail } from './mails.ts';
import { hashPassword, isStrongEnough, verifyDecoy, verifyPassword } from './passwords.ts';
import type { Sessions } from './sessions.ts';
import type { Trials } from './trials.ts';

/**
 * Limits on attempts for one email address. Each network that the account has signed in from has its own limit, and all
 * other networks share one. Strangers therefore can't lock out the user.
 */
interface AttemptLimits {
  readonly network: Pace;
  readonly unknownNetworks: Pace;
}

/** Creates the limits for one kind of attempt. */
const attemptLimits = (
  name: string,
  network: Omit<Pace, 'name'>,
  unknownNetworks: Omit<Pace, 'name'>,
): AttemptLimits => ({
  network: { name: `${name}-network`, ...network },
  unknownNetworks: { name: `${name}-strangers`, ...unknownNetworks },
});

/** Sign-in limits, which allow at most about 400 password guesses per day. */
const loginLimits = attemptLimits(
  'login',
  { free: 10, firstWait: 30, longestWait: 900 },
  { free: 30, firstWait: 10, longestWait: 300 },
);
/** Limits on requested codes. Unknown networks can trigger at most 25 emails per day to one mailbox. */
const codeLimits = attemptLimits(
  'code',
  { free: 5, firstWait: 60, longestWait: 3600 },
  { free: 10, firstWait: 60, longestWait: 7200 },
);
/**
 * Limits on entered codes. Of a million possible codes, at most 35 per day can be tried from one network, and 35 from
 * all unknown networks together.
 */
const checkLimits = attemptLimits(
  'check',
  { free: limits.code.tries, firstWait: 60, longestWait: 3600 },
  { free: 15, firstWait: 60, longestWait: 7200 },
);
/**
 * Prevents a network from guessing the passwords of many accounts. The limit allows for all the users in an office, who
 * may share a network.
 */
const loginsPerNetwork: Limit = { name: 'login-address', count: 300, seconds: 600 };
/** Prevents someone from guessing the password on a phone that was left unlocked. */
const passwordsPerAccount: Limit = { name: 'change-password', count: 10, seconds: 600 };
const codesPerNetwork: Limit = { name: 'code-address', count: 200, seconds: 600 };
/** Prevents a network from guessing codes for many email addresses. */
const checksPerNetwork: Limit = { name: 'check-address', count: 300, seconds: 600 };
/** Seconds until another code may be requested. The app shows a countdown. */
const codeRetrySeconds = 120;

/** Manages accounts and their passwords. `network` is the client's network, for rate limits. */
export interface UserService {
  /** @param device the device's display name */
  login(body: CallInput<'user/login'>, network: string, device: string): Promise<Tokens>;
  refresh(token: string): Promise<Tokens>;
  /** @param acceptedLanguage used if neither the request nor the account has a language */
  sendCode(
    body: CallInput<'site/code'>,
    network: string,
    acceptedLanguage: InterfaceLanguage,
  ): Promise<CallData<'site/code'>>;
  register(body: CallInput<'user/register'>, network: string): Promise<CallData<'user/register'>>;
  resetPassword(body: CallInput<'user/forgotPassword'>, network: string): Promise<void>;
  /**
   * Changes the password and revokes all other sessions.
   * @throws CallError wrongOldPassword, passwordsDiffer, weakPassword, tooManyRequests
   */
  changePassword(caller: Caller, body: CallInput<'user/updatePassword'>): Promise<void>;
  /**
   * Authorizes closing the account. This requires the password, unless it was entered recently.
   * @throws CallError passwordNeeded, wrongPassword, tooManyRequests
   */
  confirmPassword(caller: Caller, password: string | undefined): Promise<void>;
  leftMinute(caller: Caller): Promise<CallData<'user/leftMinute'>>;
}

export interface UserServiceDependencies {
  readonly db: Database;
  readonly sessions: Sessions;
  readonly codes: VerificationCodes;
  readonly limiter: RateLimiter;
  /** Key for hashing networks, which are stored only as hashes. */
  readonly networkKey: Uint8Array;
  readonly mailer: Mailer;
  readonly minutes: Minutes;
  readonly trialDays: number;
  readonly trials: Trials;
  readonly languages: AccountLanguages;
  readonly now: () => Date;
}

export function createUserService(deps: UserServiceDependencies): UserService {
  const { db, sessions, codes, limiter, mailer, minutes, languages, now } = deps;

  const byEmail = (email: string): Promise<Row<'accounts'> | undefined> =>
    db.selectFrom('accounts').selectAll().where('email', '=', email).executeTakeFirst();

  /** @throws CallError passwordsDiffer, weakPassword */
  function validatePassword(body: { password: string; repassword: string; email: string }): void {
    if (body.password !== body.repassword) throw new CallError('passwordsDiffer');
    if (!isStrongEnough(body.password, body.email)) throw new CallError('weakPassword');
  }

  const networkHash = (network: string) => hmac(deps.networkKey, network);

  /** True if the account with this email address has signed in from the network before. */
  async function isKnownNetwork(email: string, network: string): Promise<boolean> {
    const knownNetwork = await db
      .selectFrom('known_networks')
      .innerJoin('accounts', 'accounts.id', 'known_networks.account_id')
      .select('account_id')
      .where('email', '=', email)
      .where('network', '=', networkHash(network))
      .executeTakeFirst();
    return knownNetwork !== undefined;
  }

  const limitKey = (email: string, network: string) => `${email} ${network}`;

  async function enforceLimits(
    limits: AttemptLimits,
    email: string,
    network: string,
  ): Promise<void> {
    await limiter.pace(limits.network, limitKey(email, network));
    if (!(await isKnownNetwork(email, network))) await limiter.pace(limits.unknownNetworks, email);
  }

  async function rememberNetwork(accountId: string, network: string): Promise<void> {
    const lastSeen = { seen_at: now() };
    await db
      .insertInto('known_networks')
      .values({ account_id: accountId, network: networkHash(network), ...lastSeen })
      .onConflict((conflict) => conflict.columns(['account_id', 'network']).doUpdateSet(lastSeen))
      .execute();
  }

  async function checkCode(email: string, code: string, network: string): Promise<void> {
    await limiter.take(checksPerNetwork, network);
    await enforceLimits(checkLimits, email, network);
    if (!(await codes.check(email, code))) throw new CallError('wrongCode');
    await limiter.forget(checkLimits.network, limitKey(email, network));
  }

  return {
    async login(body, network, device) {
      const email = body.email.toLowerCase();
      await limiter.take(loginsPerNetwork, network);
      await enforceLimits(loginLimits, email, network);
      const account = await byEmail(email);
      const isCorrect = account
        ? await verifyPassword(body.password, account.password_hash)
        : await verifyDecoy(body.password);
      if (!account || !isCorrect) throw new CallError('wrongCredentials');
      await limiter.forget(loginLimits.network, limitKey(email, network));
      const tokens = await sessions.open(account, device);
      await rememberNetwork(account.id, network);
      const { language } = body;
      if (language) {
        await db.transaction().execute((trx) => languages.remember(trx, account.id, language));
      }
      return tokens;
    },

    refresh: (token) => sessions.refresh(token),

    async sendCode(body, network, acceptedLanguage) {
      const email = body.email.toLowerCase();
      await limiter.take(codesPerNetwork, network);
      await enforceLimits(codeLimits, email, network);
      const account = await byEmail(email);
      const accountLanguage = account && (await languages.of(db, account.id));
      const language = body.language ?? accountLanguage ?? acceptedLanguage;
      const code = await codes.issue(email);
      try {
        await mailer.send(
          codeMail({ to: email, code, hasAccount: account !== undefined, language }),
        );
      } catch (error) {
        if (!(error instanceof MailFailure)) throw error;
        // If the recipient is rejected, respond as if the email had been sent, so that the response reveals nothing.
        if (error.code === 'unavailable') {
          throw new CallError(
            'unavailable',
            "Email can't be sent right now. Try again in a moment.",
          );
        }
      }
      return { retry_after: codeRetrySeconds };
    },

    async register(body, network) {
      const email = body.email.toLowerCase();
      validatePassword({ ...body, email });
      await checkCode(email, body.code, network);
      // Only reveal this to a caller with a valid code.
      if (await byEmail(email)) throw new CallError('emailTaken');
      const passwordHash = await hashPassword(body.password);
      const id = uuidv7();
      await db.transaction().execute(async (trx) => {
        if (!(await codes.consume(trx, email))) throw new CallError('wrongCode');
        const isFirst = await deps.trials.claim(trx, email);
        const hasTrial = isFirst && deps.trialDays > 0;
        const created = await trx
          .insertInto('accounts')
          .values({
            id,
            email,
            password_hash: passwordHash,
            agreement_version: body.agreement_version ?? agreementVersion,
            agreement_accepted_at: now(),
            vip_plan: hasTrial ? 'trial' : null,
            vip_started_at: hasTrial ? now() : null,
            vip_expires_at: hasTrial ? new Date(now().getTime() + deps.trialDays * dayMs) : null,
            created_at: now(),
          })
          .onConflict((conflict) => conflict.column('email').doNothing())
          .returning('id')
          .executeTakeFirst();
        if (!created) throw new CallError('emailTaken');
        if (body.language) await languages.remember(trx, id, body.language);
        if (!isFirst) return;
        const freeMinutes = { source: 'free', minutes: limits.minutes.newAccount } as const;
        await minutes.grant(trx, { accountId: id, ...freeMinutes, ref: 'registration' });
      });
      return { id, email };
    },

    async resetPassword(body, network) {
      const email = body.email.toLowerCase();
      validatePassword({ ...body, email });
      await checkCode(email, body.code, network);
      const account = await byEmail(email);
      if (!account) throw new CallError('unknownAccount');
      const passwordHash = await hashPassword(body.password);
      await db.transaction().execute(async (trx) => {
        if (!(await codes.consume(trx, email))) throw new CallError('wrongCode');
        await nextRevision(trx, account.id);
        await trx
          .updateTable('accounts')
          .set({ password_hash: passwordHash })
          .where('id', '=', account.id)
          .execute();
        // Sign out everyone who signed in with the old password.
        await sessions.revokeAll(trx, account.id);
        await disableWebhooks(trx, { accountId: account.id }, 'password', now());
        await stopVaultsAfterPassword(trx, account.id, now());
      });
      await limiter.forget(loginLimits.network, limitKey(email, network));
    },

    async changePassword({ accountId, sessionId, account }, body) {
      validatePassword({ ...body, email: account.email });
      await limiter.take(passwordsPerAccount, accountId);
      const { password_hash: oldHash } = account;
      if (!(await verifyPassword(body.old_password, oldHash))) {
        throw new CallError('wrongOldPassword');
      }
      const passwordHash = await hashPassword(body.password);
      await db.transaction().execute(async (trx) => {
        await nextRevision(trx, accountId);
        const updated = await trx
          .updateTable('accounts')
          .set({ password_hash: passwordHash })
          .where('id', '=', accountId)
          .where('password_hash', '=', oldHash)
          .returning('id')
          .executeTakeFirst();
        // A concurrent call has changed the password.
        if (!updated) throw new CallError('wrongOldPassword');
        await sessions.revokeAll(trx, accountId, { except: sessionId });
        await disableWebhooks(trx, { accountId }, 'password', now());
        await stopVaultsAfterPassword(trx, accountId, now());
        await trx
          .updateTable('sessions')
          .set({ password_at: now() })
          .where('id', '=', sessionId)
          .execute();
      });
      await limiter.forget(passwordsPerAccount, accountId);
    },

    async confirmPassword({ accountId, sessionId, account }, password) {
      if (password === undefined) {
        const { password_at: enteredAt } = await db
          .selectFrom('sessions')
          .select('password_at')
          .where('id', '=', sessionId)
          .executeTakeFirstOrThrow();
        const age =
          enteredAt === null ? Number.POSITIVE_INFINITY : now().getTime() - enteredAt.getTime();
        if (age > limits.passwordFreshSeconds * 1000) throw new CallError('passwordNeeded');
        return;
      }
      await limiter.take(passwordsPerAccount, accountId);
      if (!(await verifyPassword(password, account.password_hash))) {
        throw new CallError('wrongPassword');
      }
      await limiter.forget(passwordsPerAccount, accountId);
    },

    async leftMinute({ account }) {
      const { left, bySource, reserved } = await minutes.balance(db, account);
      return {
        left_minutes: left,
        vip_minutes: bySource.vip,
        free_minutes: bySource.free,
        package_minutes: bySource.package,
        reserved_minutes: reserved,
      };
    },
  };
}
