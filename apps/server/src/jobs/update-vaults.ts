import { type QueueVaultsDependencies, queueDueVaults } from '../modules/vault/due.ts';
import { type UpdateVaultDependencies, updateVault } from '../modules/vault/update-vault.ts';
import type { JobHandler } from './jobs.ts';

/** Creates the "update-vaults" job, which queues a job for each outdated vault. */
export function updateVaultsJob(deps: QueueVaultsDependencies): JobHandler<'update-vaults'> {
  return (_payload, signal) => queueDueVaults(deps, signal);
}

/** Creates the "update-vault" job, which updates a vault's files. It can be killed at any point. */
export function updateVaultJob(deps: UpdateVaultDependencies): JobHandler<'update-vault'> {
  return ({ vaultId }, signal) => updateVault(deps, vaultId, signal);
}
