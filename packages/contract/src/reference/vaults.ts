import { callsOf } from './groups.ts';

const call = callsOf('vaults');

export const vaultCalls = {
  'vault/index': call(
    'vaultList',
    'List the vaults',
    'Returns the folders in which each recording has a Markdown file: at most one on the server, if it has a VAULT_DIR, and one on a WebDAV server.',
  ),
  'vault/connect': call(
    'vaultConnect',
    'Connect a WebDAV folder',
    'Tests the folder by writing a file, and connects it if that succeeds. The folder is created if only its last part is missing. It replaces the folder before, whose files remain. The password is stored encrypted and never returned.',
  ),
  'vault/test': call(
    'vaultTest',
    'Test a vault',
    'Tests a WebDAV folder by writing a file and deleting it. For a folder on the server, it returns why the latest attempt failed, and a worker begins another one.',
  ),
  'vault/template': call(
    'vaultTemplate',
    'Set the template of a vault',
    'Replaces the template of the files. Those whose text differs are written again.',
  ),
  'vault/stop': call(
    'vaultStop',
    'Stop a vault',
    'Leaves the files as they are until the vault is resumed.',
  ),
  'vault/resume': call(
    'vaultResume',
    'Resume a vault',
    'Continues a stopped vault, or tries again at once after a failure.',
  ),
  'vault/disconnect': call(
    'vaultDisconnect',
    'Disconnect the WebDAV folder',
    'Forgets the folder and its password. The files remain. Succeeds also if there is none.',
  ),
};
