import { readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { codes } from '@linnet/contract/codes';
import type { VaultKind } from '@linnet/contract/vaults';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type Account,
  goodPassword,
  startTestServer,
  type TestServer,
} from '../../../test/server.ts';
import { createPhone } from '../../../test/sync.ts';
import { transcribedRecording } from '../../../test/transcripts.ts';
import { createVaultDependencies, loadVault, runVaultJob } from '../../../test/vaults.ts';
import {
  findApache,
  startWebdav,
  type WebdavServer,
  webdavFiles,
  webdavPassword,
  webdavUser,
} from '../../../test/webdav.ts';
import { updateVault } from './update-vault.ts';

const kind: VaultKind = 'webdav';

// With CI=true, Apache must not be missing.
describe.skipIf(!findApache() && process.env.CI !== 'true')('a WebDAV vault', () => {
  let server: TestServer;
  let webdav: WebdavServer;
  let owner: Account;
  let name: string;
  beforeAll(async () => {
    server = await startTestServer({ WEBDAV_PRIVATE: 'on' });
    webdav = await startWebdav();
  });
  afterAll(async () => {
    await webdav.stop();
    await server.close();
  });
  beforeEach(async () => {
    owner = await server.register();
    name = crypto.randomUUID();
  });

  const token = () => ({ token: owner.access });
  const access = (replaced = {}) => ({
    url: `${webdav.url}${name}`,
    username: webdavUser,
    password: webdavPassword,
    ...replaced,
  });
  const connect = async (replaced = {}) =>
    (await server.call('vault/connect', access(replaced), token())).data;
  const list = async () => (await server.call('vault/index', {}, token())).data.list;
  const files = () => webdavFiles(webdav, name);
  const update = () => runVaultJob(server, owner);

  it('is connected after a test, and kept up to date', async () => {
    const { failure, vault } = await connect();
    expect(failure).toBeNull();
    expect(vault).toEqual({
      kind,
      place: `${webdav.url}${name}/`,
      username: webdavUser,
      template: null,
      files: 0,
      refused: 0,
      is_current: true,
      written_at: null,
      failure: null,
      failed_at: null,
      next_at: null,
      stopped_at: null,
      stopped_reason: null,
    });
    expect(await files()).toEqual({});
    const recording = await transcribedRecording(server, owner);
    await update();
    const [[file, text] = ['', '']] = Object.entries(await files());
    expect(text).toContain(recording.secret);
    expect(await list()).toMatchObject([
      { files: 1, is_current: true, written_at: expect.any(String) },
    ]);
    await createPhone(server, owner).applyOne({
      type: 'recording.rename',
      recording: recording.clientFlag,
      name: 'Été & 会议',
    });
    await update();
    expect(Object.keys(await files())).toEqual([file.replace('A recording', 'Été & 会议')]);
  });

  it('is not connected if it cannot be used', async () => {
    expect(await connect({ password: 'wrong' })).toEqual({ failure: 'unauthorized', vault: null });
    expect(await connect({ url: `${webdav.url}missing/inner` })).toMatchObject({
      failure: 'missing',
    });
    expect(await list()).toEqual([]);
  });

  it('keeps the password secret', async () => {
    await connect();
    await transcribedRecording(server, owner);
    await update();
    const { password } = await loadVault(server, owner);
    expect(password?.toString('latin1')).not.toContain(webdavPassword);
    expect(JSON.stringify(await list())).not.toContain('password');
    const basic = Buffer.from(`${webdavUser}:${webdavPassword}`).toString('base64');
    for (const line of server.logged) {
      expect(line).not.toContain(webdavPassword);
      expect(line).not.toContain(basic);
    }
  });

  it('reports why it is not up to date, and retries on request', async () => {
    await connect();
    await transcribedRecording(server, owner);
    const { id } = await loadVault(server, owner);
    // For example, after a change of SECRET.
    const change = server.db.updateTable('vaults').set({ password: Buffer.alloc(60) });
    await change.where('id', '=', id).execute();
    await update();
    expect(await list()).toMatchObject([{ failure: 'secret', next_at: expect.any(String) }]);
    expect((await server.call('vault/test', { kind }, token())).data).toEqual({
      failure: 'secret',
    });
    // The folder is connected again with its password, and keeps its state.
    await connect();
    expect((await server.call('vault/test', { kind }, token())).data).toEqual({ failure: null });
    expect((await loadVault(server, owner)).id).toBe(id);
    await update();
    expect(await list()).toMatchObject([{ failure: null, next_at: null, files: 1 }]);
  });

  it('does not recreate a folder that has disappeared with its files', async () => {
    await connect();
    await transcribedRecording(server, owner);
    await update();
    await rm(path.join(webdav.folder, name), { recursive: true });
    const { data } = await server.call('vault/test', { kind }, token());
    expect(data).toEqual({ failure: 'missing' });
    expect(await readdir(webdav.folder)).not.toContain(name);
  });

  it('follows the user’s template', async () => {
    await connect();
    await transcribedRecording(server, owner);
    await update();
    const bad = await server.call('vault/template', { kind, template: '{{titel}}' }, token());
    expect(bad).toMatchObject({
      code: codes.badRequest,
      msg: expect.stringContaining('Line 1 has an unknown placeholder: {{titel}}.'),
    });
    await server.call('vault/template', { kind, template: 'Only {{title}}' }, token());
    await update();
    expect(Object.values(await files())).toEqual([
      expect.stringMatching(/^---\n[\s\S]*\n---\n\nOnly A recording\n$/),
    ]);
  });

  it('is paused while it is stopped, and after the password was changed', async () => {
    await connect();
    const { data: stopped } = await server.call('vault/stop', { kind }, token());
    expect(stopped).toMatchObject({ stopped_reason: 'owner' });
    await transcribedRecording(server, owner);
    await update();
    expect(await files()).toEqual({});
    await server.call('vault/resume', { kind }, token());
    await update();
    expect(Object.keys(await files())).toHaveLength(1);
    const password = 'another good password';
    const body = { old_password: goodPassword, password, repassword: password };
    await server.call('user/updatePassword', body, token());
    expect(await list()).toMatchObject([{ stopped_reason: 'password' }]);
    await transcribedRecording(server, owner);
    await update();
    expect(Object.keys(await files())).toHaveLength(1);
  });

  it('can be stopped during an update', async () => {
    await connect();
    for (let count = 0; count < 3; count += 1) await transcribedRecording(server, owner);
    const { id } = await loadVault(server, owner);
    const deps = await createVaultDependencies(server);
    await updateVault(
      {
        ...deps,
        openFolder: async (vault) => {
          const inner = await deps.openFolder(vault);
          return {
            ...inner,
            async write(...args) {
              const result = await inner.write(...args);
              await server.call('vault/stop', { kind }, token());
              return result;
            },
          };
        },
      },
      id,
      new AbortController().signal,
    );
    expect(Object.keys(await files())).toHaveLength(1);
    expect(await list()).toMatchObject([{ stopped_reason: 'owner', failure: null }]);
  });

  it('is disconnected and its password deleted, but its files remain', async () => {
    await connect();
    await transcribedRecording(server, owner);
    await update();
    await server.call('vault/disconnect', {}, token());
    expect(await list()).toEqual([]);
    expect(Object.keys(await files())).toHaveLength(1);
    // A second connection recognizes its own files by their content.
    await connect();
    await update();
    expect(Object.keys(await files())).toHaveLength(1);
    await server.call('user/deactivation', {}, token());
    const vaults = server.db.selectFrom('vaults').where('account_id', '=', owner.id);
    expect(await vaults.selectAll().execute()).toEqual([]);
    expect(Object.keys(await files())).toHaveLength(1);
  });
});
