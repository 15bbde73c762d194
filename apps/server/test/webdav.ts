/** Starts Apache as a WebDAV server in temporary folders. */
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from './free-port.ts';

export const webdavUser = 'ada';
export const webdavPassword = 'pässword: 1';

export interface WebdavServer {
  /** URL of the root folder, with a trailing slash. */
  readonly url: string;
  /** The same folder on disk. */
  readonly folder: string;
  stop(): Promise<void>;
}

/** Startup timeout of Apache, in milliseconds. */
const startMs = 30_000;

const isExecutable = (file: string) => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/**
 * Returns the path of Apache, or undefined if it isn't installed. Apache isn't in the search path of ordinary users.
 */
export function findApache(): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(path.delimiter), '/usr/sbin'];
  return folders.map((folder) => path.join(folder, 'apache2')).find(isExecutable);
}

const modules = [
  ...['mpm_event', 'authn_core', 'authn_file', 'authz_core', 'authz_user', 'auth_basic'],
  ...['dav', 'dav_fs'],
];

/** @throws Error if Apache isn't installed */
export async function startWebdav(): Promise<WebdavServer> {
  const program = findApache();
  if (program === undefined) throw new Error('apache2-bin is not installed');
  const home = await mkdtemp(path.join(tmpdir(), 'linnet-webdav-'));
  const folder = path.join(home, 'files');
  for (const name of [folder, path.join(home, 'locks')]) await mkdir(name);
  // If root starts Apache, it runs as a different user.
  for (const name of [home, folder, path.join(home, 'locks')]) await chmod(name, 0o777);
  const digest = createHash('sha1').update(webdavPassword).digest('base64');
  await writeFile(path.join(home, 'users'), `${webdavUser}:{SHA}${digest}\n`);
  const port = await freePort();
  const moduleFolder = path.join(path.dirname(program), '../lib/apache2/modules');
  await writeFile(
    path.join(home, 'apache.conf'),
    `ServerRoot "${home}"
ServerName localhost
Listen 127.0.0.1:${port}
PidFile "${home}/pid"
Mutex file:${home} default
ErrorLog "${home}/error.log"
${modules.map((name) => `LoadModule ${name}_module "${moduleFolder}/mod_${name}.so"`).join('\n')}
User nobody
Group nogroup
DocumentRoot "${folder}"
DavLockDB "${home}/locks/db"
<Directory "${folder}">
  Dav On
  AuthType Basic
  AuthName vault
  AuthBasicProvider file
  AuthUserFile "${home}/users"
  Require valid-user
</Directory>
`,
  );
  const child = spawn(program, ['-DFOREGROUND', '-f', path.join(home, 'apache.conf')], {
    stdio: 'ignore',
  });
  const deadline = Date.now() + startMs;
  while (child.exitCode === null && !(await isListening(port))) {
    if (Date.now() > deadline) throw new Error('Apache isn’t responding');
    await delay(20);
  }
  if (child.exitCode !== null) {
    throw new Error(`Apache ended: ${await readFile(path.join(home, 'error.log'), 'utf8')}`);
  }
  return {
    url: `http://127.0.0.1:${port}/`,
    folder,
    async stop() {
      await stopProcess(child);
      await rm(home, { recursive: true, force: true });
    },
  };
}

async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

async function isListening(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** Returns the texts of the files in a folder on the server, keyed by name. */
export async function webdavFiles(
  { folder }: WebdavServer,
  name: string,
): Promise<Record<string, string>> {
  const names = (await readdir(path.join(folder, name))).filter((each) => !each.startsWith('.'));
  const texts = names
    .sort()
    .map(async (each) => [each, await readFile(path.join(folder, name, each), 'utf8')]);
  return Object.fromEntries(await Promise.all(texts));
}
