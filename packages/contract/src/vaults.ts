/** The closed sets of vaults. Imports nothing, because the app has a text for each. */

/** Where a vault's files are: in a folder of the server, or on a WebDAV server. */
export const vaultKinds = ['folder', 'webdav'] as const;
export type VaultKind = (typeof vaultKinds)[number];

/**
 * Why a vault isn't up to date. Its server could not be reached in the cases `unresolved`, `connection`, `certificate` and
 * `timeout`, which is also a disk that doesn't answer; `forbidden` is an address in a private network. `unauthorized`
 * means that the user name or password is wrong, `denied` that the folder can't be written, `missing` that it doesn't
 * exist, `full` that there is no space, `busy` that the server asks to wait or a file is locked, `redirect` that the folder
 * has another address, and `unsupported` that the address is not a WebDAV folder. `refused` is a file that the server
 * doesn't accept, `failed` any other error. `secret` means that the password can no longer be decrypted.
 */
export const vaultFailures = [
  'unresolved',
  'forbidden',
  'connection',
  'certificate',
  'timeout',
  'redirect',
  'unauthorized',
  'denied',
  'missing',
  'full',
  'busy',
  'unsupported',
  'refused',
  'failed',
  'secret',
] as const;
/** Why a vault is stopped: by the owner, or because the password of the account was changed. */
export const vaultStops = ['owner', 'password'] as const;
export type VaultStop = (typeof vaultStops)[number];

export type VaultFailureCode = (typeof vaultFailures)[number];
