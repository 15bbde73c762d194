import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isRoot } from '../data-dir.ts';
import { copyBinaries, installedBinaries } from './binaries.ts';
import { PostgresFailure } from './failure.ts';
import type { IdentityKind } from './identity.ts';
import { startPostgres } from './postgres.ts';

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'linnet-pg-'));
});
afterEach(async () => {
  await rm(dataDir, { recursive: true, force: true });
});

const log = () => undefined;

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

/** Starts PostgreSQL from a child process and kills that process. */
async function startOrphan(): Promise<{ url: string; pid: number }> {
  const script = `
    const { startPostgres } = await import(${JSON.stringify(new URL('./postgres.ts', import.meta.url).href)});
    const { url, pid } = await startPostgres({ dataDir: ${JSON.stringify(dataDir)}, log() {} });
    console.log(JSON.stringify({ url, pid }));
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(child.stdout, 'data');
  child.kill('SIGKILL');
  await once(child, 'exit');
  return JSON.parse(String(line));
}

describe('embedded PostgreSQL', () => {
  it('persists data across a restart', async () => {
    const first = await startPostgres({ dataDir, log });
    expect(first.startMode).toBe('started');
    await query(first.url, 'create table kept (n int)');
    await query(first.url, 'insert into kept values (7)');
    const version = await query(first.url, 'show server_version');
    expect(version).toEqual([{ server_version: expect.stringMatching(/^18\./) }]);
    await first.stop();
    const secondStart = await startPostgres({ dataDir, log });
    expect(await query(secondStart.url, 'select n from kept')).toEqual([{ n: 7 }]);
    await secondStart.stop();
  });

  it('requires its password and restricts access to its files', async () => {
    const running = await startPostgres({ dataDir, log });
    try {
      const urlWithWrongPassword = running.url.replace(/:[0-9a-f]+@/, ':guess@');
      await expect(query(urlWithWrongPassword, 'select 1')).rejects.toThrow(
        /password authentication failed/,
      );
      const mode = async (name: string) => (await stat(path.join(dataDir, name))).mode & 0o777;
      expect(await mode('postgres/cluster')).toBe(0o700);
      expect(await mode('postgres/password')).toBe(0o600);
      expect(await query(running.url, 'show fsync')).toEqual([{ fsync: 'on' }]);
    } finally {
      await running.stop();
    }
  });

  it('adopts a server whose starting process was killed', async () => {
    const orphanProcess = await startOrphan();
    await query(orphanProcess.url, 'create table kept (n int)');
    const adopted = await startPostgres({ dataDir, log });
    expect(adopted).toMatchObject({
      startMode: 'adopted',
      pid: orphanProcess.pid,
      url: orphanProcess.url,
    });
    await adopted.stop();
  });

  it('recovers from a killed server and from a stale pid file', async () => {
    const orphanProcess = await startOrphan();
    await query(orphanProcess.url, 'create table kept as select 1 as n');
    process.kill(orphanProcess.pid, 'SIGKILL');
    const recovered = await startPostgres({ dataDir, log });
    expect(recovered.startMode).toBe('started');
    expect(await query(recovered.url, 'select n from kept')).toEqual([{ n: 1 }]);
    await recovered.stop();
    // The ID in the file belongs to this process, which isn't a database server.
    const pidFile = path.join(dataDir, 'postgres/cluster/postmaster.pid');
    await writeFile(pidFile, `${process.pid}\n${dataDir}\n0\n5432\n\n127.0.0.1\n`, { mode: 0o600 });
    const restarted = await startPostgres({ dataDir, log });
    expect(restarted.startMode).toBe('started');
    await restarted.stop();
  });

  it('restarts a killed server at the same address', async () => {
    const running = await startPostgres({ dataDir, log });
    const first = running.pid;
    await query(running.url, 'create table kept as select 1 as n');
    process.kill(first, 'SIGKILL');
    const rows = await vi.waitUntil(
      () => query(running.url, 'select n from kept').catch(() => null),
      { timeout: 60_000 },
    );
    expect(rows).toEqual([{ n: 1 }]);
    await vi.waitUntil(() => running.pid !== first, { timeout: 60_000 });
    await running.stop();
    await expect(query(running.url, 'select 1')).rejects.toThrow('ECONNREFUSED');
  });

  it('rejects files of another major version', async () => {
    await (await startPostgres({ dataDir, log })).stop();
    await writeFile(path.join(dataDir, 'postgres/cluster/PG_VERSION'), '17\n');
    await expect(startPostgres({ dataDir, log })).rejects.toMatchObject({ code: 'other-major' });
    expect(await readFile(path.join(dataDir, 'postgres/cluster/PG_VERSION'), 'utf8')).toBe('17\n');
  });

  it('runs from a checkout that only its owner can enter, with data inside or outside it', async () => {
    const checkout = await copyBinaries(await installedBinaries(), path.join(dataDir, 'checkout'));
    const runningInside = await startPostgres({ dataDir, log, binaries: checkout });
    expect(await query(runningInside.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await runningInside.stop();
    const outsideFolder = await mkdtemp(path.join(tmpdir(), 'linnet-pg-'));
    await chmod(outsideFolder, 0o711);
    const outside = await startPostgres({ dataDir: outsideFolder, log, binaries: checkout });
    expect(await query(outside.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await outside.stop();
    await rm(outsideFolder, { recursive: true });
  });

  it('runs in a folder that only its owner can enter, under every identity that the system allows', async () => {
    // PostgreSQL refuses to run as root. Each of the alternative identities opens the files of the previous identity.
    const kinds: IdentityKind[] = isRoot ? ['setpriv', 'unshare', 'setpriv'] : ['self', 'self'];
    const worked: IdentityKind[] = [];
    for (const identity of kinds) {
      const running = await startPostgres({ dataDir, log, identity }).catch((error) => {
        if (error instanceof PostgresFailure && error.code === 'no-user') return null;
        throw error;
      });
      // Some containers forbid namespaces.
      if (running === null) continue;
      expect(await query(running.url, 'select 1 as one')).toEqual([{ one: 1 }]);
      worked.push(running.identity);
      await running.stop();
    }
    expect(worked).toEqual(kinds.filter((kind) => worked.includes(kind)));
    expect(worked.length).toBeGreaterThanOrEqual(2);
  });
});
