/** Opens vault folders. */
import path from 'node:path';
import { VaultFailure } from '@linnet/vault/folder';
import type { Config } from '../../config/index.ts';
import { seal, unseal } from '../../sealed.ts';
import { createDestinations, type Destinations } from '../webhook/destination.ts';
import { createLocalFolder } from './local-folder.ts';
import type { UpdateVaultDependencies, Vault } from './update-vault.ts';
import { createWebdavFolder, parseFolderUrl } from './webdav-folder.ts';

export interface OpenFolderDependencies extends Destinations {
  /** The key that passwords are encrypted with. */
  readonly secretKey: Uint8Array;
  readonly version: string;
  /** Request timeout, in milliseconds. */
  readonly timeoutMs?: number;
}

/** Returns the destinations allowed for WebDAV folders. */
export const webdavDestinations = (config: Pick<Config, 'WEBDAV_PRIVATE'>): Destinations =>
  createDestinations(config.WEBDAV_PRIVATE === 'on');

const rowName = (vaultId: string) => ['vault', vaultId];

export const sealPassword = (key: Uint8Array, vaultId: string, password: string): Buffer =>
  seal(key, rowName(vaultId), Buffer.from(password));

/** Decrypts a vault's password. @throws VaultFailure secret if SECRET was changed */
function openPassword(key: Uint8Array, { id, password }: Pick<Vault, 'id' | 'password'>): string {
  const opened = password && unseal(key, rowName(id), password);
  if (!opened) throw new VaultFailure('secret');
  return opened.toString();
}

/** Returns a function that opens the folder of a vault. */
export function createFolderOpener(
  deps: OpenFolderDependencies,
): UpdateVaultDependencies['openFolder'] {
  return async (vault, getSignal) => {
    const { kind, root, place, username } = vault;
    if (kind === 'folder') {
      if (root === null) throw new VaultFailure('missing');
      return createLocalFolder(path.join(root, place), { getSignal });
    }
    // Check again, because the operator may have forbidden plain HTTP since the folder was connected.
    const url = parseFolderUrl(place, deps.allowsPrivate);
    if (!(url instanceof URL)) throw new VaultFailure('forbidden');
    const password = openPassword(deps.secretKey, vault);
    return createWebdavFolder({ url, username, password }, { ...deps, getSignal });
  };
}
