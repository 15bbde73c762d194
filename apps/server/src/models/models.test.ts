import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  copyFile,
  mkdir,
  readdir,
  readFile,
  rm,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { makeFolder } from '../../test/folder.ts';
import { publishedModel } from '../../test/model-publisher.ts';
import { run } from '../../test/process.ts';
import { toneModel, writeModel } from '../../test/tiny-models.ts';
import type { KnownModel } from './catalog.ts';
import { knownModels } from './catalog.ts';
import { ModelFailure } from './failure.ts';
import { installModel } from './install/install.ts';
import { manifestSchema, modelRoles } from './manifest.ts';
import { openModels } from './store.ts';

const now = () => new Date('2026-11-21T12:00:00Z');
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const parameters = async () => ({ folder: await makeFolder(), name: 'tones', now });
/** Creates a custom model's folder. */
const customModel = async () => writeModel(await makeFolder(), toneModel());

async function createArchive(folder: string, name: string): Promise<string> {
  const archive = path.join(await makeFolder(), name);
  const packed = spawnSync('tar', [
    '-cjf',
    archive,
    '-C',
    path.dirname(folder),
    path.basename(folder),
  ]);
  if (packed.status !== 0) throw new Error(String(packed.stderr));
  return archive;
}

/** A catalog with one model, and the model's archive. */
async function publishModels(): Promise<{
  archive: string;
  publishedModels: readonly KnownModel[];
}> {
  const { model, archive } = await publishedModel();
  return { archive, publishedModels: [model] };
}

describe('catalog', () => {
  it.each(knownModels)(
    'lists $name with the roles of its kind and its publisher’s URL',
    (model) => {
      expect(Object.keys(model.roles).sort()).toEqual([...modelRoles[model.kind]].sort());
      expect(model.download.sha256).toMatch(/^[0-9a-f]{64}$/);
      expect(new URL(model.download.address).protocol).toBe('https:');
      expect(model.download.address.endsWith('.tar.bz2')).toBe(model.archiveFolder !== undefined);
    },
  );
});

describe('custom model', () => {
  it('is installed only after this machine is prepared for its kind', async () => {
    const job = await parameters();
    const prepare = async (kind: string) => {
      expect(kind).toBe('ctc');
      expect(await openModels(job.folder).installed()).toEqual([]);
      throw new ModelFailure('no engine');
    };
    const from = await customModel();
    await expect(installModel({ ...job, from, prepare })).rejects.toThrow('no engine');
    expect(await openModels(job.folder).installed()).toEqual([]);
  });

  it('is installed from a folder, listed and removed', async () => {
    const job = await parameters();
    const manifest = await installModel({ ...job, from: await customModel() });
    expect(manifest.source?.trust).toBe('folder');
    const models = openModels(job.folder);
    const [model] = await models.installed();
    expect(model?.manifest).toEqual(manifest);
    if (model) await models.verify(model);
    expect((await readdir(path.join(job.folder, 'tones'))).sort()).toEqual([
      'model.json',
      'model.onnx',
      'tokens.txt',
    ]);
    await models.remove('tones');
    expect(await models.list()).toEqual([]);
    await expect(models.remove('tones')).rejects.toThrow('no model tones is installed');
  });

  it('replaces an installed model, or leaves it unchanged on failure', async () => {
    const job = await parameters();
    await installModel({ ...job, from: await customModel() });
    await installModel({ ...job, from: await customModel() });
    const invalidModel = await customModel();
    await writeFile(path.join(invalidModel, 'tokens.txt'), 'changed');
    await expect(installModel({ ...job, from: invalidModel })).rejects.toThrow(
      /tokens\.txt does not match model\.json$/,
    );
    const [model] = await openModels(job.folder).installed();
    if (!model) throw new Error('the model is not installed');
    await openModels(job.folder).verify(model);
    expect(await readdir(path.join(job.folder, '.incoming'))).toEqual([]);
  });

  it('is installed from an archive with a manifest', async () => {
    const job = await parameters();
    const from = await createArchive(await customModel(), 'own.tar.bz2');
    expect((await installModel({ ...job, from })).source).toEqual({
      address: from,
      sha256: sha256(await readFile(from)),
      trust: 'first-use',
    });
  });

  it('is installed from a local file whose name contains a colon', async () => {
    const job = await parameters();
    const archive = await createArchive(await customModel(), 'mine:v2.tar.bz2');
    const previousDirectory = process.cwd();
    process.chdir(path.dirname(archive));
    try {
      await installModel({ ...job, from: 'mine:v2.tar.bz2' });
    } finally {
      process.chdir(previousDirectory);
    }
    expect(await openModels(job.folder).installed()).toHaveLength(1);
    const from = path.join(job.folder, 'nothing.tar');
    await expect(installModel({ ...job, from })).rejects.toThrow(
      new ModelFailure(`no such file or folder: ${from}`),
    );
  });

  it('cannot reference files outside its folder', async () => {
    const job = await parameters();
    const linked = await customModel();
    const file = path.join(linked, 'model.onnx');
    await copyFile(file, path.join(job.folder, 'outside'));
    await rm(file);
    await symlink(path.join(job.folder, 'outside'), file);
    await expect(installModel({ ...job, from: linked })).rejects.toThrow(/is not a regular file$/);

    const escaping = await customModel();
    const text = await readFile(path.join(escaping, 'model.json'), 'utf8');
    await writeFile(
      path.join(escaping, 'model.json'),
      text.replaceAll('"model.onnx"', '"../x/model.onnx"'),
    );
    await expect(installModel({ ...job, from: escaping })).rejects.toThrow(
      'is not a valid manifest',
    );
    await expect(installModel({ ...job, name: '../up', from: escaping })).rejects.toThrow(
      'is not a valid model name',
    );
    expect(await openModels(job.folder).list()).toEqual([]);
  });

  it('accepts only paths inside its folder', () => {
    const file = manifestSchema.shape.files.element.shape.path;
    const part = fc.constantFrom('a', '..', '.', 'b.onnx', '', '...', 'c d');
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 5 }), (parts) => {
        const name = parts.join('/');
        if (!file.safeParse(name).success) return;
        const resolved = path.resolve('/models/own', name);
        expect(resolved.startsWith('/models/own/')).toBe(true);
      }),
    );
  });

  it('is reported as damaged', async () => {
    const job = await parameters();
    await installModel({ ...job, from: await customModel() });
    await mkdir(path.join(job.folder, 'empty'));
    const models = openModels(job.folder);
    const [model] = await models.installed();
    if (!model) throw new Error('the model is not installed');
    await models.verify(model);
    const file = path.join(job.folder, 'tones', 'model.onnx');
    const originalContent = await readFile(file);
    await writeFile(file, Buffer.from(originalContent).fill(0, 100, 200));
    // The size is unchanged, so only the verification before use detects the change.
    expect(await models.installed()).toHaveLength(1);
    await expect(models.verify(model)).rejects.toThrow('its SHA-256 differs');
    await truncate(file, 100);
    expect(await models.list()).toMatchObject([
      { name: 'empty', state: 'damaged', reason: expect.stringContaining('model.json is missing') },
      { name: 'tones', state: 'damaged', reason: expect.stringContaining('has 100 bytes instead') },
    ]);
    await rm(file);
    await expect(models.verify(model)).rejects.toThrow('model.onnx is missing');
  });
});

describe('catalog model', () => {
  it('is installed with only the files that its roles need', async () => {
    const job = await parameters();
    const { archive, publishedModels } = await publishModels();
    const manifest = await installModel({ ...job, catalog: publishedModels, from: archive });
    expect(manifest).toMatchObject({
      name: 'tones',
      kind: 'ctc',
      licence: 'MIT',
      source: { trust: 'catalogue' },
      installed_at: '2026-11-21T12:00:00.000Z',
    });
    expect(manifest.files.map((file) => file.path)).toEqual(['model.onnx', 'tokens.txt']);
    expect(await openModels(job.folder).installed()).toHaveLength(1);
  });

  it('is rejected if the file is different, truncated or not an archive', async () => {
    const job = await parameters();
    const { archive, publishedModels } = await publishModels();
    const bytes = await readFile(archive);
    const firstHalf = bytes.subarray(0, bytes.length / 2);
    await writeFile(archive, firstHalf);
    await expect(installModel({ ...job, catalog: publishedModels, from: archive })).rejects.toThrow(
      /is not tones: its SHA/,
    );
    const pinned = publishedModels.map((model) => ({
      ...model,
      download: { ...model.download, sha256: sha256(firstHalf) },
    }));
    await expect(installModel({ ...job, catalog: pinned, from: archive })).rejects.toThrow(
      /cannot be unpacked/,
    );
    const text = path.join(job.folder, 'notes.txt');
    await copyFile(archive, text);
    await expect(installModel({ ...job, catalog: pinned, from: text })).rejects.toThrow(
      'is not an archive',
    );
    expect(await openModels(job.folder).list()).toEqual([]);
    expect(await readdir(path.join(job.folder, '.incoming'))).toEqual([]);
  });

  it('is rejected if a file is missing', async () => {
    const job = await parameters();
    const { archive, publishedModels } = await publishModels();
    const extraModels = publishedModels.map((model) => ({
      ...model,
      roles: { ...model.roles, tokens: 'other.txt' },
    }));
    await expect(installModel({ ...job, catalog: extraModels, from: archive })).rejects.toThrow(
      'other.txt is missing',
    );
  });

  it('is rejected if tar is not installed', async () => {
    const job = await parameters();
    const { archive, publishedModels } = await publishModels();
    vi.stubEnv('PATH', job.folder);
    try {
      await expect(
        installModel({ ...job, catalog: publishedModels, from: archive }),
      ).rejects.toThrow('tar is not installed');
    } finally {
      vi.unstubAllEnvs();
    }
  });
});

describe('custom model from a URL', () => {
  /** Serves files by name until the end of the test. */
  async function serve(files: Map<string, Buffer>): Promise<string> {
    const server = createServer((request, response) => {
      const file = files.get(path.basename(request.url ?? ''));
      response.writeHead(file ? 200 : 404).end(file);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/own.tar.bz2`;
  }

  it('is verified against its publisher’s list of checksums', async () => {
    const job = await parameters();
    const archive = await readFile(await createArchive(await customModel(), 'own.tar.bz2'));
    const files = new Map([
      ['own.tar.bz2', archive],
      [
        'checksum.txt',
        Buffer.from(`another.tar.bz2\t${'0'.repeat(64)}\nown.tar.bz2\t${sha256(archive)}\n`),
      ],
    ]);
    const from = await serve(files);
    expect((await installModel({ ...job, from })).source?.trust).toBe('listed');
    files.set('checksum.txt', Buffer.from(`own.tar.bz2 ${'1'.repeat(64)}\n`));
    await expect(installModel({ ...job, from })).rejects.toThrow(
      new RegExp(`SHA-256 is ${sha256(archive)} instead of 1111`),
    );
    expect(await openModels(job.folder).installed()).toHaveLength(1);
  });

  it('is trusted at the first installation, and later verified against that checksum', async () => {
    const job = await parameters();
    const files = new Map([
      ['own.tar.bz2', await readFile(await createArchive(await customModel(), 'own.tar.bz2'))],
    ]);
    const from = await serve(files);
    expect((await installModel({ ...job, from })).source?.trust).toBe('first-use');
    await openModels(job.folder).remove('tones');
    expect((await installModel({ ...job, from })).source?.trust).toBe('first-use');
    const folder = await customModel();
    await writeFile(path.join(folder, 'notes.txt'), 'another archive');
    files.set('own.tar.bz2', await readFile(await createArchive(folder, 'own.tar.bz2')));
    await expect(installModel({ ...job, from })).rejects.toThrow('has unexpected content');
  });

  it('is rejected if the server cannot be reached', async () => {
    const from = 'http://127.0.0.1:9/own.tar.bz2';
    await expect(installModel({ ...(await parameters()), from })).rejects.toThrow(
      '127.0.0.1:9 cannot be reached',
    );
  });
});

describe('model commands', { timeout: 600_000 }, () => {
  it('install, list and remove models without a database', async () => {
    const folder = await makeFolder();
    const cli = (...args: string[]) => run('cli.ts', ['models', ...args], { MODELS_DIR: folder });
    const installed = await cli('install', 'tones', '--from', await customModel());
    expect(installed).toMatchObject({ code: 0, err: '' });
    expect(installed.out).toMatch(/^tones is installed, 0\.0 MB; every file matches the SHA-256/);
    const listed = await cli('list');
    expect(listed.out).toContain('tones\tctc\ten\t0.0 MB\tintact\n');
    expect(listed.out).toContain('silero-vad\tvoice\t\t2.3 MB\tavailable');
    expect((await cli('remove', 'tones')).out).toBe('tones is removed\n');
    for (const [args, expectedText] of [
      [['remove', 'tones'], 'no model tones is installed'],
      [['install', 'nothing'], 'unknown model nothing: use one of parakeet'],
      [['install', 'tones', '--from', '/no/such/place'], 'no such file'],
    ] as const) {
      const { code, err } = await cli(...args);
      expect(err).toContain(expectedText);
      expect(err).not.toContain('    at ');
      expect(code).toBe(1);
    }
  });
});
