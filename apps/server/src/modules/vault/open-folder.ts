import path from 'node:path';
import { VaultFailure } from './folder.ts';
import { createLocalFolder } from './local-folder.ts';
import type { UpdateVaultParts } from './update-vault.ts';

/** Returns a function that opens the folder of a vault. */
export function createFolderOpener(): UpdateVaultParts['openFolder'] {
  return async ({ kind, root, place }) => {
    if (kind !== 'folder' || root === null) throw new VaultFailure('unsupported');
    return createLocalFolder(path.join(root, place));
  };
}
