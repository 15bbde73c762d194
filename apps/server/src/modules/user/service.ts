import type { CallData, CallInput, Tokens } from '@linnet/contract';
import { agreementVersion } from '@linnet/contract/agreement';
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
import type { Caller } from './access.ts';
import type { VerificationCodes } from './codes.ts';
import { codeMail } from './mails.ts';
import { hashPassword, isStrongEnough, verifyNothing, verifyPassword } from './passwords.ts';
import type { Sessions } from './sessions.ts';
import type { Trials } from './trials.ts';

/**
 * Attempt limits for one e-mail address: per network, and for all networks from which the account has never signed
 * in, taken together. Known networks are limited by their own attempts only.
 */
interface Guard {
  readonly network: Pace;
  readonly strangers: Pace;
}
const guardOf = (
  name: string,
  network: Omit<Pace, 'name'>,
  strangers: Omit<Pace, 'name'>,
): Guard => ({
  network: { name: `${name}-network`, ...network },
  strangers: { name: `${name}-strangers`, ...strangers },
});

/** Against guessing one account's password: at most about 400 attempts a day. */
const loginGuard = guardOf(
  'login',
  { free: 10, firstWait: 30, longestWait: 900 },
  { free: 30, firstWait: 10, longestWait: 300 },
);
/** Against flooding a mailbox: at most 25 mails a day from unknown networks. */
const codeGuard = guardOf(
  'code',
  { free: 5, firstWait: 60, longestWait: 3600 },
  { free: 10, firstWait: 60, longestWait: 7200 },
);
/** Against guessing codes: at most 35 of a million a day per network, and 35 from all unknown networks together. */
const checkGuard = guardOf(
  'check',
  { free: limits.code.tries, firstWait: 60, longestWait: 3600 },
  { free: 15, firstWait: 60, longestWait: 7200 },
);
/** Against guessing passwords of many accounts; an office or a whole network may share an address. */
const loginPerAddress: Limit = { name: 'login-address', count: 300, seconds: 600 };
/** Against guessing the password on an unlocked phone. */
const passwordsPerAccount: Limit = { name: 'change-password', count: 10, seconds: 600 };
const codesPerAddress: Limit = { name: 'code-address', count: 200, seconds: 600 };
/** Against guessing codes for many e-mail addresses. */
const checksPerAddress: Limit = { name: 'check-address', count: 300, seconds: 600 };
/** Seconds before another code may be requested, matching the countdown in the app. */
const codeRetrySeconds = 120;

export interface UserService {
  /** @param device display name of the device */
  login(body: CallInput<'user/login'>, address: string, device: string): Promise<Tokens>;
  refresh(token: string): Promise<Tokens>;
  sendCode(email: string, address: string): Promise<CallData<'site/code'>>;
  register(body: CallInput<'user/register'>, address: string): Promise<CallData<'user/register'>>;
  resetPassword(body: CallInput<'user/forgotPassword'>, address: string): Promise<void>;
  /**
   * Changes the password and revokes all other sessions.
   * @throws CallError wrongOldPassword, passwordsDiffer, weakPassword, tooManyRequests
   */
  changePassword(caller: Caller, body: CallInput<'user/updatePassword'>): Promise<void>;
  /**
   * Authorizes closing the account: requires its password now, unless it was entered recently.
   * @throws CallError passwordNeeded, wrongPassword, tooManyRequests
   */
  confirmPassword(caller: Caller, password: string | undefined): Promise<void>;
  leftMinute(caller: Caller): Promise<CallData<'user/leftMinute'>>;
}

export interface UserServiceParts {
  readonly db: Database;
  readonly sessions: Sessions;
  readonly codes: VerificationCodes;
  readonly limiter: RateLimiter;
  /** Key of the hash under which networks are stored. */
  readonly networkKey: Uint8Array;
  readonly mailer: Mailer;
  readonly minutes: Minutes;
  readonly trialDays: number;
  readonly trials: Trials;
  readonly now: () => Date;
}

export function createUserService(parts: UserServiceParts): UserService {
  const { db, sessions, codes, limiter, mailer, minutes, now } = parts;

  const byEmail = (email: string): Promise<Row<'accounts'> | undefined> =>
    db.selectFrom('accounts').selectAll().where('email', '=', email).executeTakeFirst();

  /** Validates a new password before the code is checked. */
  function checkPassword(body: { password: string; repassword: string; email: string }): void {
    if (body.password !== body.repassword) throw new CallError('passwordsDiffer');
    if (!isStrongEnough(body.password, body.email)) throw new CallError('weakPassword');
  }

  const networkHash = (network: string) => hmac(parts.networkKey, network);

  /** Whether the account of an e-mail address has signed in from a network before. */
  async function isKnownNetwork(email: string, network: string): Promise<boolean> {
    const found = await db
      .selectFrom('known_networks')
      .innerJoin('accounts', 'accounts.id', 'known_networks.account_id')
      .select('account_id')
      .where('email', '=', email)
      .where('network', '=', networkHash(network))
      .executeTakeFirst();
    return found !== undefined;
  }

  const ofNetwork = (email: string, network: string) => `${email} ${network}`;

  async function guard(guard: Guard, email: string, network: string): Promise<void> {
    await limiter.pace(guard.network, ofNetwork(email, network));
    if (!(await isKnownNetwork(email, network))) await limiter.pace(guard.strangers, email);
  }

  async function rememberNetwork(accountId: string, network: string): Promise<void> {
    const seen = { seen_at: now() };
    await db
      .insertInto('known_networks')
      .values({ account_id: accountId, network: networkHash(network), ...seen })
      .onConflict((conflict) => conflict.columns(['account_id', 'network']).doUpdateSet(seen))
      .execute();
  }

  async function checkCode(email: string, code: string, network: string): Promise<void> {
    await limiter.take(checksPerAddress, network);
    await guard(checkGuard, email, network);
    if (!(await codes.check(email, code))) throw new CallError('wrongCode');
    await limiter.forget(checkGuard.network, ofNetwork(email, network));
  }

  return {
    async login(body, address, device) {
      const email = body.email.toLowerCase();
      await limiter.take(loginPerAddress, address);
      await guard(loginGuard, email, address);
      const account = await byEmail(email);
      const right = account
        ? await verifyPassword(body.password, account.password_hash)
        : await verifyNothing(body.password);
      if (!account || !right) throw new CallError('wrongCredentials');
      await limiter.forget(loginGuard.network, ofNetwork(email, address));
      const tokens = await sessions.open(account, device);
      await rememberNetwork(account.id, address);
      return tokens;
    },

    refresh: (token) => sessions.refresh(token),

    async sendCode(rawEmail, address) {
      const email = rawEmail.toLowerCase();
      await limiter.take(codesPerAddress, address);
      await guard(codeGuard, email, address);
      const known = (await byEmail(email)) !== undefined;
      const code = await codes.issue(email);
      try {
        await mailer.send(codeMail({ to: email, code, known }));
      } catch (error) {
        if (!(error instanceof MailFailure)) throw error;
        // A rejected recipient gets the same response as any other, so that responses reveal nothing about an address.
        if (error.code === 'unavailable') {
          throw new CallError(
            'unavailable',
            'Mail cannot be sent right now; try again in a moment.',
          );
        }
      }
      return { retry_after: codeRetrySeconds };
    },

    async register(body, address) {
      const email = body.email.toLowerCase();
      checkPassword({ ...body, email });
      await checkCode(email, body.code, address);
      // Only revealed to a caller with a valid code.
      if (await byEmail(email)) throw new CallError('emailTaken');
      const passwordHash = await hashPassword(body.password);
      const id = uuidv7();
      await db.transaction().execute(async (trx) => {
        if (!(await codes.consume(trx, email))) throw new CallError('wrongCode');
        const isFirst = await parts.trials.take(trx, email);
        const trial = isFirst && parts.trialDays > 0;
        const created = await trx
          .insertInto('accounts')
          .values({
            id,
            email,
            password_hash: passwordHash,
            agreement_version: body.agreement_version ?? agreementVersion,
            agreement_accepted_at: now(),
            vip_plan: trial ? 'trial' : null,
            vip_started_at: trial ? now() : null,
            vip_expires_at: trial ? new Date(now().getTime() + parts.trialDays * dayMs) : null,
            created_at: now(),
          })
          .onConflict((conflict) => conflict.column('email').doNothing())
          .returning('id')
          .executeTakeFirst();
        if (!created) throw new CallError('emailTaken');
        if (!isFirst) return;
        const gift = { purse: 'free', minutes: limits.minutes.newAccount } as const;
        await minutes.grant(trx, { accountId: id, ...gift, ref: 'registration' });
      });
      return { id, email };
    },

    async resetPassword(body, address) {
      const email = body.email.toLowerCase();
      checkPassword({ ...body, email });
      await checkCode(email, body.code, address);
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
        // Signs out anyone who used the old password.
        await sessions.revokeAll(trx, account.id);
      });
      await limiter.forget(loginGuard.network, ofNetwork(email, address));
    },

    async changePassword({ accountId, sessionId, account }, body) {
      checkPassword({ ...body, email: account.email });
      await limiter.take(passwordsPerAccount, accountId);
      const { password_hash: oldHash } = account;
      if (!(await verifyPassword(body.old_password, oldHash))) {
        throw new CallError('wrongOldPassword');
      }
      const passwordHash = await hashPassword(body.password);
      await db.transaction().execute(async (trx) => {
        await nextRevision(trx, accountId);
        const changed = await trx
          .updateTable('accounts')
          .set({ password_hash: passwordHash })
          .where('id', '=', accountId)
          .where('password_hash', '=', oldHash)
          .returning('id')
          .executeTakeFirst();
        // A concurrent call changed it.
        if (!changed) throw new CallError('wrongOldPassword');
        await sessions.revokeAll(trx, accountId, { except: sessionId });
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
        const { password_at: entered } = await db
          .selectFrom('sessions')
          .select('password_at')
          .where('id', '=', sessionId)
          .executeTakeFirstOrThrow();
        const age =
          entered === null ? Number.POSITIVE_INFINITY : now().getTime() - entered.getTime();
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
      const { left, purses, reserved } = await minutes.balance(db, account);
      return {
        left_minutes: left,
        vip_minutes: purses.vip,
        free_minutes: purses.free,
        package_minutes: purses.package,
        reserved_minutes: reserved,
      };
    },
  };
}
