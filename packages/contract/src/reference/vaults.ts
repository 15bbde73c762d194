import { createCallGroup } from './groups.ts';

const call = createCallGroup('vaults');

export const vaultCalls = {
  'vault/index': call(
    'vaultList',
    'List the vaults',
    "Returns the account's vaults: at most one folder on the server (if the operator has set VAULT_DIR) and one on a WebDAV server. A vault contains one Markdown file per recording.",
  ),
  'vault/connect': call(
    'vaultConnect',
    'Connect a WebDAV folder',
    'Tests a WebDAV folder by writing a file and, if that succeeds, connects it. Creates the folder if its parent exists. Disconnects any previous folder, which keeps its files. The password is stored encrypted and never returned.',
  ),
  'vault/test': call(
    'vaultTest',
    'Test a vault',
    'Tests a WebDAV folder by writing and deleting a file. For a folder on the server, returns the latest failure and makes a worker retry immediately.',
  ),
  'vault/template': call(
    'vaultTemplate',
    'Set the template of a vault',
    'Replaces the template and rewrites the files whose text changes.',
  ),
  'vault/stop': call(
    'vaultStop',
    'Stop a vault',
    'Stops updating the files until the vault is resumed.',
  ),
  'vault/resume': call(
    'vaultResume',
    'Resume a vault',
    'Resumes a stopped vault, or retries immediately after a failure.',
  ),
  'vault/disconnect': call(
    'vaultDisconnect',
    'Disconnect the WebDAV folder',
    'Disconnects the WebDAV folder and deletes its stored password. The files remain. Also succeeds if no folder is connected.',
  ),
};
