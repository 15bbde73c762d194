import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { pino } from 'pino';
import { queueDueVaults } from '../src/modules/vault/due.ts';
import { createFolderOpener, webdavDestinations } from '../src/modules/vault/open-folder.ts';
import {
  type UpdateVaultDependencies,
  updateVault,
  type Vault,
} from '../src/modules/vault/update-vault.ts';
import { loadKeys } from '../src/secrets.ts';
import type { Account, TestServer } from './server.ts';

const neverAborted = new AbortController().signal;

/** Returns a worker's function for opening folders. */
export async function folderOpener({
  config,
}: TestServer): Promise<UpdateVaultDependencies['openFolder']> {
  const { vaultPassword: secretKey } = await loadKeys(config);
  return createFolderOpener({ ...webdavDestinations(config), secretKey, version: '1.0.0' });
}

/** Returns a worker's dependencies for updating vaults, with the test server's clock. */
export async function createVaultDependencies(
  server: TestServer,
  replaced: Partial<UpdateVaultDependencies> = {},
): Promise<UpdateVaultDependencies> {
  const { db, now, config } = server;
  return {
    ...{ db, now, origin: config.origin, openFolder: await folderOpener(server) },
    log: pino({ level: 'silent' }),
    ...replaced,
  };
}

/** Runs the worker's scheduled job. */
export async function scheduleVaults(
  { db, queue, now, config }: TestServer,
  root: string | null = config.VAULT_DIR ?? null,
): Promise<void> {
  await queueDueVaults({ db, queue, now, root }, neverAborted);
}

/** Returns the account's vault on the server once it is scheduled. */
export async function loadVault({ db }: TestServer, { id }: Account): Promise<Vault> {
  return db.selectFrom('vaults').selectAll().where('account_id', '=', id).executeTakeFirstOrThrow();
}

/** Schedules the account's vault and runs its job. */
export async function runVaultJob(
  server: TestServer,
  account: Account,
  replaced: Partial<UpdateVaultDependencies> = {},
  signal = neverAborted,
): Promise<void> {
  await scheduleVaults(server);
  const { id } = await loadVault(server, account);
  await updateVault(await createVaultDependencies(server, replaced), id, signal);
}

/** Returns the texts of a folder's files, keyed by name, or an empty object if the folder doesn't exist. */
export async function readFiles(folder: string): Promise<Record<string, string>> {
  const names = await readdir(folder).catch(() => []);
  const texts = names
    .sort()
    .map(async (name) => [name, await readFile(path.join(folder, name), 'utf8')]);
  return Object.fromEntries(await Promise.all(texts));
}
