import type { VaultFailureCode } from '@linnet/contract/vaults';
import type { TFunction } from 'i18next';

/** Describes why a folder can't be used. */
export function describeVaultFailure(t: TFunction, code: VaultFailureCode): string {
  switch (code) {
    case 'unresolved':
    case 'forbidden':
    case 'connection':
    case 'certificate':
    case 'timeout':
      return t(`webhooks.failure.${code}`);
    default:
      return t(`vault.failure.${code}`);
  }
}
