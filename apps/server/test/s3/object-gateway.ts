/**
 * Starts a real S3 server for the tests in `test/s3`, and for the random histories and the benchmark of
 * several machines.
 */
import type { ChildProcess } from 'node:child_process';
import { execFile, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import {
  CreateBucketCommand,
  DeleteBucketPolicyCommand,
  PutBucketPolicyCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import type { S3Bucket } from '../../src/providers/storage/s3/address.ts';
import { clientConfig } from '../../src/providers/storage/s3/client-config.ts';
import { freePort } from '../free-port.ts';

export type { S3Bucket };

/** Location of Ceph's programs, and their environment. */
export interface CephInstallation {
  /** Folder that contains `usr`: either / or a private folder. */
  readonly root: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Address and keys of an S3 server. */
export interface GatewayAccess {
  readonly endpoint: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export interface ObjectGateway extends GatewayAccess {
  stop(): Promise<void>;
}

const readyMs = 120_000;
const stopMs = 10_000;
/** Program that makes Linux kill the child when this process exits. */
const setpriv = '/usr/bin/setpriv';
const execute = promisify(execFile);

/** Creates a new bucket on an S3 server. */
export async function createBucket(access: GatewayAccess): Promise<S3Bucket> {
  const bucket = `linnet-${randomUUID()}`;
  const where = { bucket, region: 'us-east-1', forcePathStyle: true, ...access };
  await new S3Client(clientConfig(where)).send(new CreateBucketCommand({ Bucket: bucket }));
  return where;
}

/** Makes a bucket refuse new objects with the status 403, or accept them. */
export async function refuseObjects(bucket: S3Bucket, isRefusing: boolean): Promise<void> {
  const client = new S3Client(clientConfig(bucket));
  const Bucket = bucket.bucket;
  const statement = {
    Effect: 'Deny',
    Principal: '*',
    Action: 's3:PutObject',
    Resource: `arn:aws:s3:::${Bucket}/*`,
  };
  await (isRefusing
    ? client.send(
        new PutBucketPolicyCommand({
          Bucket,
          Policy: JSON.stringify({ Version: '2012-10-17', Statement: [statement] }),
        }),
      )
    : client.send(new DeleteBucketPolicyCommand({ Bucket })));
}

/** Returns the variables with which the server uses a bucket. */
export function bucketVariables(bucket: S3Bucket): Readonly<Record<string, string>> {
  return {
    STORAGE: 's3',
    S3_ENDPOINT: bucket.endpoint ?? '',
    S3_BUCKET: bucket.bucket,
    S3_REGION: bucket.region,
    S3_ACCESS_KEY_ID: bucket.accessKeyId,
    S3_SECRET_ACCESS_KEY: bucket.secretAccessKey,
    S3_FORCE_PATH_STYLE: String(bucket.forcePathStyle),
  };
}

/**
 * Starts a real S3 server: Ceph's object gateway with one monitor and one in-memory store, on free ports, as the current
 * user. `stop` removes everything.
 * @param host address of the gateway; the monitor and the store use the loopback address
 */
export async function startObjectGateway(
  ceph: CephInstallation,
  host = '127.0.0.1',
): Promise<ObjectGateway> {
  const folder = await mkdtemp(path.join(tmpdir(), 'linnet-ceph-'));
  const children: ChildProcess[] = [];
  const stop = async () => {
    // Stop dependents first.
    for (const child of children.reverse()) await end(child);
    await rm(folder, { recursive: true, force: true });
  };
  try {
    return { ...(await boot(ceph, host, folder, children)), stop };
  } catch (error) {
    const log = await logTail(folder);
    await stop();
    throw new Error(`the S3 server did not start; last log lines:\n${log}`, { cause: error });
  }
}

async function boot(
  ceph: CephInstallation,
  host: string,
  folder: string,
  children: ChildProcess[],
): Promise<GatewayAccess> {
  const [monitor, gatewayPort] = [await freePort(), await freePort()];
  const gateway = `${host}:${gatewayPort}`;
  const fsid = randomUUID();
  const config = path.join(folder, 'ceph.conf');
  await writeFile(config, configuration(ceph.root, folder, fsid, monitor, gateway));
  for (const name of ['mon', 'osd']) await mkdir(path.join(folder, name));
  const env = { PATH: process.env.PATH, ...ceph.env };
  const program = (name: string) => path.join(ceph.root, 'usr/bin', name);
  const run = (name: string, ...args: string[]) =>
    execute(program(name), args, { env, timeout: readyMs });
  const start = async (name: string, ...args: string[]) => {
    const log = await open(path.join(folder, `${name}.out`), 'a');
    const command = [program(name), '-c', config, ...args, '-f'];
    const [first = '', ...rest] = existsSync(setpriv)
      ? [setpriv, '--pdeathsig', 'KILL', ...command]
      : command;
    children.push(spawn(first, rest, { env, stdio: ['ignore', log.fd, log.fd] }));
    await log.close();
  };

  const [monitors, stores] = [path.join(folder, 'monmap'), path.join(folder, 'osdmap')];
  const address = `[v2:127.0.0.1:${monitor}]`;
  await run('monmaptool', '--create', '--fsid', fsid, '--addv', 'a', address, monitors);
  await run('osdmaptool', stores, '--createsimple', '1', '-c', config);
  const maps = ['--monmap', monitors, '--osdmap', stores];
  await run('ceph-mon', '-c', config, '-i', 'a', '--mkfs', ...maps);
  await start('ceph-mon', '-i', 'a');
  await run('ceph-osd', '-c', config, '-i', '0', '--mkfs', '--osd-uuid', randomUUID());
  await start('ceph-osd', '-i', '0');

  const keys = { accessKeyId: 'linnet', secretAccessKey: randomBytes(16).toString('hex') };
  // Wait until the monitor and the store are ready.
  await run(
    ...(['radosgw-admin', '-c', config, '-n', 'client.rgw', 'user', 'create'] as const),
    ...['--uid=linnet', '--display-name=Linnet', `--access-key=${keys.accessKeyId}`],
    `--secret-key=${keys.secretAccessKey}`,
  );
  await start('radosgw', '-n', 'client.rgw');
  const endpoint = `http://${gateway}`;
  await waitForResponse(endpoint, children);
  return { endpoint, ...keys };
}

/**
 * Writes a configuration with a single instance of each daemon, no internal authentication, and no files outside the
 * folder.
 */
function configuration(
  root: string,
  folder: string,
  fsid: string,
  monitor: number,
  gateway: string,
): string {
  const libraries = path.join(root, 'usr/lib', `${architecture()}-linux-gnu`);
  return `[global]
fsid = ${fsid}
mon_host = [v2:127.0.0.1:${monitor}]
mon_initial_members = a
public_bind_addr = v2:127.0.0.1:${monitor}
public_addr = 127.0.0.1
cluster_addr = 127.0.0.1
ms_bind_msgr1 = false
ms_mon_client_mode = crc
auth_cluster_required = none
auth_service_required = none
auth_client_required = none
run_dir = ${folder}
admin_socket = ${folder}/$name.asok
log_file = ${folder}/$name.log
mon_cluster_log_file = ${folder}/cluster.log
mon_allow_pool_size_one = true
mon_max_pg_per_osd = 1000
osd_pool_default_size = 1
osd_pool_default_min_size = 1
osd_pool_default_pg_num = 1
osd_pool_default_pgp_num = 1
osd_pool_default_pg_autoscale_mode = off
osd_crush_chooseleaf_type = 0
plugin_dir = ${libraries}/ceph
erasure_code_dir = ${libraries}/ceph/erasure-code
osd_class_dir = ${libraries}/rados-classes
[mon.a]
mon_data = ${folder}/mon
[osd]
osd_data = ${folder}/osd
osd_objectstore = memstore
memstore_device_bytes = 4294967296
[client.rgw]
rgw_data = ${folder}
rgw_frontends = beast endpoint=${gateway}
`;
}

const architecture = () => (process.arch === 'arm64' ? 'aarch64' : 'x86_64');

async function waitForResponse(endpoint: string, children: readonly ChildProcess[]): Promise<void> {
  const end = Date.now() + readyMs;
  for (;;) {
    const exitedChild = children.find(
      (child) => child.exitCode !== null || child.signalCode !== null,
    );
    if (exitedChild) throw new Error(`${exitedChild.spawnfile} ended`);
    const response = await fetch(endpoint).catch((error: Error) => error);
    if (response instanceof Response && response.ok) return;
    if (Date.now() > end) throw new Error('the gateway does not respond', { cause: response });
    await wait(100);
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exitPromise = once(child, 'exit');
  child.kill('SIGTERM');
  const killTimer = setTimeout(() => child.kill('SIGKILL'), stopMs);
  await exitPromise;
  clearTimeout(killTimer);
}

async function logTail(folder: string): Promise<string> {
  const names = ['ceph-mon.out', 'ceph-osd.out', 'radosgw.out'];
  const texts = names.map((name) => readFile(path.join(folder, name), 'utf8').catch(() => ''));
  return (await Promise.all(texts)).map((text) => text.slice(-1000)).join('\n');
}
