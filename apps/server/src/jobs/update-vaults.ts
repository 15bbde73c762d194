import { type QueueVaultsParts, queueDueVaults } from '../modules/vault/due.ts';
import { type UpdateVaultParts, updateVault } from '../modules/vault/update-vault.ts';
import type { JobHandler } from './jobs.ts';

/** Creates the job "update-vaults", which queues a job for each outdated vault. */
export function updateVaultsJob(parts: QueueVaultsParts): JobHandler<'update-vaults'> {
  return (_payload, signal) => queueDueVaults(parts, signal);
}

/** Creates the job "update-vault", which updates a vault's files. It can be killed at any point. */
export function updateVaultJob(parts: UpdateVaultParts): JobHandler<'update-vault'> {
  return ({ vaultId }, signal) => updateVault(parts, vaultId, signal);
}
