import type { CallData, CallInput, Tokens } from '@linnet/contract';
import { agreementVersion } from '@linnet/contract/agreement';
import { limits } from '@linnet/contract/limits';
import { v7 as uuidv7 } from 'uuid';
import { dayMs } from '../../calendar.ts';
import type { Database, Row } from '../../db/database.ts';
import { nextRevision } from '../../db/database.ts';
import { CallError } from '../../http/failure.ts';
import type { Limit, RateLimiter } from '../../http/rate-limit.ts';
import type { Mailer } from '../../providers/mail/port.ts';
import { MailFailure } from '../../providers/mail/port.ts';
import type { Minutes } from '../minutes/service.ts';
import type { Caller } from './access.ts';
import type { VerificationCodes } from './codes.ts';
import { codeMail } from './mails.ts';
import { hashPassword, isStrongEnough, verifyNothing, verifyPassword } from './passwords.ts';
import type { Sessions } from './sessions.ts';

/** Guessing one account's password. */
const loginPerEmail: Limit = { name: 'login-email', count: 10, seconds: 600 };
/** Guessing many accounts' passwords; an office, or a whole network, shares an address. */
const loginPerAddress: Limit = { name: 'login-address', count: 300, seconds: 600 };
/** Guessing the old password with somebody's unlocked phone. */
const changesPerAccount: Limit = { name: 'change-password', count: 10, seconds: 600 };
/** Flooding a mailbox. */
const codesPerEmail: Limit = { name: 'code-email', count: 5, seconds: 600 };
const codesPerAddress: Limit = { name: 'code-address', count: 200, seconds: 600 };
/** Guessing codes: each code has five tries, this bounds them over many codes. */
const checksPerAddress: Limit = { name: 'check-address', count: 300, seconds: 600 };

export interface UserService {
  login(body: CallInput<'user/login'>, address: string): Promise<Tokens>;
  refresh(token: string): Promise<Tokens>;
  sendCode(email: string, address: string): Promise<CallData<'site/code'>>;
  register(body: CallInput<'user/register'>, address: string): Promise<CallData<'user/register'>>;
  resetPassword(body: CallInput<'user/forgotPassword'>, address: string): Promise<void>;
  /**
   * Sets another password and ends every other session.
   * @throws CallError wrongOldPassword, passwordsDiffer, weakPassword, tooManyRequests
   */
  changePassword(caller: Caller, body: CallInput<'user/updatePassword'>): Promise<void>;
  leftMinute(caller: Caller): Promise<CallData<'user/leftMinute'>>;
}

export interface UserServiceParts {
  readonly db: Database;
  readonly sessions: Sessions;
  readonly codes: VerificationCodes;
  readonly limiter: RateLimiter;
  readonly mailer: Mailer;
  readonly minutes: Minutes;
  readonly trialDays: number;
  readonly now: () => Date;
}

export function createUserService(parts: UserServiceParts): UserService {
  const { db, sessions, codes, limiter, mailer, minutes, now } = parts;

  const byEmail = (email: string): Promise<Row<'accounts'> | undefined> =>
    db.selectFrom('accounts').selectAll().where('email', '=', email).executeTakeFirst();

  /** Everything about a new password that can be judged before the code is tried. */
  function checkPassword(body: { password: string; repassword: string; email: string }): void {
    if (body.password !== body.repassword) throw new CallError('passwordsDiffer');
    if (!isStrongEnough(body.password, body.email)) throw new CallError('weakPassword');
  }

  async function checkCode(email: string, code: string, address: string): Promise<void> {
    await limiter.take(checksPerAddress, address);
    if (!(await codes.check(email, code))) throw new CallError('wrongCode');
  }

  return {
    async login(body, address) {
      const email = body.email.toLowerCase();
      await limiter.take(loginPerAddress, address);
      await limiter.take(loginPerEmail, email);
      const account = await byEmail(email);
      const right = account
        ? await verifyPassword(body.password, account.password_hash)
        : await verifyNothing(body.password);
      if (!account || !right) throw new CallError('wrongCredentials');
      await limiter.forget(loginPerEmail, email);
      return sessions.open(account);
    },

    refresh: (token) => sessions.refresh(token),

    async sendCode(rawEmail, address) {
      const email = rawEmail.toLowerCase();
      await limiter.take(codesPerAddress, address);
      await limiter.take(codesPerEmail, email);
      const known = (await byEmail(email)) !== undefined;
      const code = await codes.issue(email);
      try {
        await mailer.send(codeMail({ to: email, code, known }));
      } catch (error) {
        if (!(error instanceof MailFailure)) throw error;
        // A refused recipient is answered like any other: the answer says nothing of an address.
        if (error.code === 'unavailable') {
          throw new CallError(
            'unavailable',
            'Mail cannot be sent right now; try again in a moment.',
          );
        }
      }
      return { retry_after: Math.ceil(codesPerEmail.seconds / codesPerEmail.count) };
    },

    async register(body, address) {
      const email = body.email.toLowerCase();
      checkPassword({ ...body, email });
      await checkCode(email, body.code, address);
      // Told only to whoever holds the code.
      if (await byEmail(email)) throw new CallError('emailTaken');
      const passwordHash = await hashPassword(body.password);
      const id = uuidv7();
      const trial = parts.trialDays > 0;
      await db.transaction().execute(async (trx) => {
        if (!(await codes.consume(trx, email))) throw new CallError('wrongCode');
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
        // Whoever knew the old password is out.
        await sessions.revokeAll(trx, account.id);
      });
      await limiter.forget(loginPerEmail, email);
    },

    async changePassword({ accountId, sessionId, account }, body) {
      checkPassword({ ...body, email: account.email });
      await limiter.take(changesPerAccount, accountId);
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
        // Somebody else changed it at the same moment.
        if (!changed) throw new CallError('wrongOldPassword');
        await sessions.revokeAll(trx, accountId, { except: sessionId });
      });
      await limiter.forget(changesPerAccount, accountId);
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
