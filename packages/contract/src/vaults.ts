/** The enums for vaults. This module imports nothing, because the app loads it to describe each value. */

/** Where a vault's files are stored: in a folder on the server, or on a WebDAV server. */
export const vaultKinds = ['folder', 'webdav'] as const;
export type VaultKind = (typeof vaultKinds)[number];

/**
 * Why a vault isn't up to date:
 * - `unresolved`, `connection`, `certificate`, `timeout`: the server can't be reached, or its disk doesn't respond
 *   (`timeout`)
 * - `forbidden`: the host is on a private network
 * - `unauthorized`: the user name or password is incorrect
 * - `denied`: the folder isn't writable
 * - `missing`: the folder doesn't exist
 * - `full`: there is no disk space
 * - `busy`: the server asks to retry later, or a file is locked
 * - `redirect`: the folder has moved to a different URL
 * - `unsupported`: the URL isn't a WebDAV folder
 * - `refused`: the server rejects a file
 * - `secret`: the stored password can no longer be decrypted
 * - `failed`: any other error
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
/** Why a vault was stopped: by the user, or because the account's password was changed. */
export const vaultStops = ['owner', 'password'] as const;
export type VaultStop = (typeof vaultStops)[number];

export type VaultFailureCode = (typeof vaultFailures)[number];
