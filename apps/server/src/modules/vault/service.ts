import { randomBytes } from 'node:crypto';
import type { CallData, CallInput, Vault as VaultView } from '@linnet/contract';
import type { VaultFailureCode, VaultKind } from '@linnet/contract/vaults';
import { VaultFailure, type VaultFolder } from '@linnet/vault/folder';
import { describeProblem, isTemplate, parseTemplate } from '@linnet/vault/template';
import { v7 as uuidv7 } from 'uuid';
import { type Database, lockAccount, type Queries } from '../../db/database.ts';
import { DeadlineFailure, withTimeout } from '../../deadline.ts';
import { CallError } from '../../http/failure.ts';
import type { Queue } from '../../jobs/queue.ts';
import { urlProblems } from '../webhook/destination.ts';
import { queueVault } from './due.ts';
import { createFolderOpener, type OpenFolderDependencies, sealPassword } from './open-folder.ts';
import { hasFiles, noFailure, type Vault } from './update-vault.ts';
import { createWebdavFolder, parseFolderUrl } from './webdav-folder.ts';

/** Lists, connects and changes the vaults of an account. */
export interface Vaults {
  list(accountId: string): Promise<VaultView[]>;
  /**
   * Tests a WebDAV folder, and connects it if the test succeeds.
   * @throws CallError badRequest if the URL isn't accepted
   */
  connect(accountId: string, body: CallInput<'vault/connect'>): Promise<CallData<'vault/connect'>>;
  /**
   * Tests whether a file can be written to a WebDAV folder. Returns the failure, or null. For a folder on this server,
   * returns the failure of the latest attempt and queues another: the disk may be unresponsive, so only workers access
   * it.
   * @throws CallError notFound
   */
  test(accountId: string, kind: VaultKind): Promise<VaultFailureCode | null>;
  /**
   * Replaces the template. All files are then rewritten.
   * @throws CallError notFound; badRequest if the template is invalid
   */
  setTemplate(accountId: string, kind: VaultKind, template: string | null): Promise<VaultView>;
  /**
   * Stops updating a vault.
   * @throws CallError notFound
   */
  stop(accountId: string, kind: VaultKind): Promise<VaultView>;
  /**
   * Resumes a stopped vault, or retries immediately after a failure.
   * @throws CallError notFound
   */
  resume(accountId: string, kind: VaultKind): Promise<VaultView>;
  disconnect(accountId: string): Promise<void>;
}

export interface VaultsDependencies extends OpenFolderDependencies {
  readonly db: Database;
  readonly queue: Queue;
  /** The value of VAULT_DIR, or null if it isn't set. */
  readonly root: string | null;
  readonly now: () => Date;
}

/** Timeout of each request in a test, in milliseconds. */
const requestMs = 4000;
/** Timeout of a whole test, in milliseconds. Shorter than the clients' timeout of ten seconds. */
const testMs = 9000;

export function createVaults(deps: VaultsDependencies): Vaults {
  const { db, root, now, allowsPrivate, secretKey } = deps;
  const openFolder = createFolderOpener({ ...deps, timeoutMs: requestMs });

  const select = (queries: Queries, accountId: string) =>
    queries
      .selectFrom('vaults')
      .selectAll()
      .where('account_id', '=', accountId)
      // A folder is no longer updated if VAULT_DIR was unset or changed.
      .where(({ or, eb }) => or([eb('kind', '=', 'webdav'), eb('root', '=', root)]));

  /**
   * Finds a vault of the account.
   * @throws CallError notFound
   */
  async function find(queries: Queries, accountId: string, kind: VaultKind): Promise<Vault> {
    const vault = await select(queries, accountId).where('kind', '=', kind).executeTakeFirst();
    if (!vault) throw new CallError('notFound');
    return vault;
  }

  async function toView(vault: Vault): Promise<VaultView> {
    const { files, refused } = await db
      .selectFrom('vault_files')
      .select(({ fn }) => [
        fn.count<number>('digest').as('files'),
        fn.count<number>('failure').as('refused'),
      ])
      .where('vault_id', '=', vault.id)
      .executeTakeFirstOrThrow();
    const { rev } = await db
      .selectFrom('accounts')
      .select('rev')
      .where('id', '=', vault.account_id)
      .executeTakeFirstOrThrow();
    const { kind, place, username, template, failure, stopped_reason } = vault;
    return {
      kind,
      place,
      username,
      template,
      files,
      refused,
      failure,
      stopped_reason,
      is_current: vault.rev >= rev,
      written_at: vault.written_at?.toISOString() ?? null,
      failed_at: vault.failed_at?.toISOString() ?? null,
      next_at: vault.next_at?.toISOString() ?? null,
      stopped_at: vault.stopped_at?.toISOString() ?? null,
    };
  }

  /** Changes a vault. A running job stops, and the next one uses the changes. */
  async function change(
    accountId: string,
    kind: VaultKind,
    changes: Partial<Omit<Vault, 'id' | 'account_id' | 'kind' | 'created_at'>>,
  ): Promise<VaultView> {
    const { id } = await find(db, accountId, kind);
    const vault = await db
      .updateTable('vaults')
      .set({ ...changes, running_until: null, queued_at: null })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst();
    if (!vault) throw new CallError('notFound');
    return toView(vault);
  }

  return {
    async list(accountId) {
      const vaults = await select(db, accountId).orderBy('kind').execute();
      return Promise.all(vaults.map(toView));
    },

    async connect(accountId, { url: text, username, password }) {
      const url = parseFolderUrl(text, allowsPrivate);
      if (!(url instanceof URL)) throw new CallError('badRequest', `url: ${urlProblems[url]}`);
      const failure = await testFolder(true, () =>
        createWebdavFolder({ url, username, password }, { ...deps, timeoutMs: requestMs }),
      );
      if (failure !== null) return { failure, vault: null };
      const vault = await db.transaction().execute(async (trx) => {
        await lockAccount(trx, accountId);
        const previous = await select(trx, accountId)
          .where('kind', '=', 'webdav')
          .executeTakeFirst();
        if (previous?.place === url.href && previous.username === username) {
          return trx
            .updateTable('vaults')
            .set({
              ...noFailure,
              stopped_at: null,
              stopped_reason: null,
              running_until: null,
              queued_at: null,
              password: sealPassword(secretKey, previous.id, password),
            })
            .where('id', '=', previous.id)
            .returningAll()
            .executeTakeFirstOrThrow();
        }
        if (previous) await trx.deleteFrom('vaults').where('id', '=', previous.id).execute();
        const id = uuidv7();
        return trx
          .insertInto('vaults')
          .values({
            id,
            account_id: accountId,
            kind: 'webdav',
            place: url.href,
            username,
            password: sealPassword(secretKey, id, password),
            created_at: now(),
            template: previous?.template ?? null,
          })
          .returningAll()
          .executeTakeFirstOrThrow();
      });
      return { failure: null, vault: await toView(vault) };
    },

    async test(accountId, kind) {
      const vault = await find(db, accountId, kind);
      if (kind === 'webdav')
        return testFolder(!(await hasFiles(db, vault.id)), () => openFolder(vault));
      await queueVault(deps, vault.id);
      return vault.failure;
    },

    setTemplate(accountId, kind, template) {
      const parsed = template === null ? null : parseTemplate(template);
      if (parsed && !isTemplate(parsed)) {
        throw new CallError('badRequest', describeProblem(parsed));
      }
      return change(accountId, kind, { template, rev: 0 });
    },

    stop: (accountId, kind) =>
      change(accountId, kind, { stopped_at: now(), stopped_reason: 'owner' }),

    // Resetting `rev` also retries the files that couldn't be written.
    resume: (accountId, kind) =>
      change(accountId, kind, { ...noFailure, stopped_at: null, stopped_reason: null, rev: 0 }),

    async disconnect(accountId) {
      await db
        .deleteFrom('vaults')
        .where('account_id', '=', accountId)
        .where('kind', '=', 'webdav')
        .execute();
    },
  };
}

/**
 * Writes a test file to a folder, then reads and deletes it. Returns the failure, or null if the test succeeded.
 * @param create whether to create the folder if it doesn't exist
 */
async function testFolder(
  create: boolean,
  openFolder: () => Promise<VaultFolder>,
): Promise<VaultFailureCode | null> {
  const name = `linnet-test-${randomBytes(6).toString('hex')}.md`;
  const run = async () => {
    const folder = await openFolder();
    try {
      await folder.open(create);
      await folder.write(name, Buffer.from('Linnet\n'), null);
      const found = await folder.read(name);
      if (!found) throw new VaultFailure('failed');
      await folder.delete(name, found);
    } finally {
      folder.close();
    }
  };
  try {
    await withTimeout(testMs, run());
    return null;
  } catch (error) {
    if (error instanceof DeadlineFailure) return 'timeout';
    if (error instanceof VaultFailure) return error.code;
    throw error;
  }
}
