import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { VaultFailure, type VaultFolder } from '@linnet/vault/folder';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeFolder } from '../../../test/folder.ts';
import type { Account, TestServer } from '../../../test/server.ts';
import { startTestServer } from '../../../test/server.ts';
import { createPhone, type Phone } from '../../../test/sync.ts';
import { type TranscribedRecording, transcribedRecording } from '../../../test/transcripts.ts';
import {
  createVaultDependencies,
  folderOpener,
  loadVault,
  readFiles,
  runVaultJob,
  scheduleVaults,
} from '../../../test/vaults.ts';
import { JobPostponed } from '../../jobs/jobs.ts';
import { eraseVaultFolder } from './erase-folder.ts';
import { type UpdateVaultDependencies, updateVault, type Vault } from './update-vault.ts';

let root: string;
let server: TestServer;
let owner: Account;
let phone: Phone;
let folder: string;
let openFolder: UpdateVaultDependencies['openFolder'];
beforeAll(async () => {
  root = await makeFolder();
  server = await startTestServer({ VAULT_DIR: root });
  openFolder = await folderOpener(server);
});
afterAll(() => server.close());
beforeEach(async () => {
  owner = await server.register();
  phone = createPhone(server, owner);
  folder = path.join(root, owner.email);
});

const update = (
  ...options: Parameters<typeof runVaultJob> extends [unknown, unknown, ...infer Rest]
    ? Rest
    : never
) => runVaultJob(server, owner, ...options);
const names = async () => Object.keys(await readFiles(folder));
/** Returns the only file in the vault. */
async function readOnlyFile(): Promise<{ readonly name: string; readonly text: string }> {
  const files = Object.entries(await readFiles(folder));
  expect(files.map(([name]) => name)).toHaveLength(1);
  const [name = '', text = ''] = files[0] ?? [];
  return { name, text };
}
/** Writes a file like the user. */
const edit = (name: string, text: string) => writeFile(path.join(folder, name), text);
const renameRecording = (recording: TranscribedRecording, name: string) =>
  phone.applyOne({ type: 'recording.rename', recording: recording.clientFlag, name });
const tag = (recording: TranscribedRecording, text: string) =>
  phone.applyOne({ type: 'recording.tag', recording: recording.clientFlag, tag: text, on: true });
/** Moves a recording to the recycle bin like a retention rule. */
async function moveByRule({ id, clientFlag }: TranscribedRecording) {
  await phone.applyOne({ type: 'recording.bin', recording: clientFlag });
  const move = { run: 'r', tag: null, after: 30, unit: 'day', at: server.now().toISOString() };
  await server.db
    .updateTable('recordings')
    .set({ binned_by: JSON.stringify(move) })
    .where('id', '=', id)
    .execute();
}
/** Adds a recording and writes its file. */
async function writeRecording() {
  const recording = await transcribedRecording(server, owner, {
    recordedAt: '2026-11-29T23:30:00+02:00',
  });
  await update();
  return { recording, ...(await readOnlyFile()) };
}

/** Calls a function before and after each change to a folder. */
const watchFolder = (inner: VaultFolder, observe: () => Promise<void>): VaultFolder => {
  const observeAround = async <Result>(change: () => Promise<Result>): Promise<Result> => {
    await observe();
    const result = await change();
    await observe();
    return result;
  };
  return {
    ...inner,
    write: (...args) => observeAround(() => inner.write(...args)),
    move: (...args) => observeAround(() => inner.move(...args)),
    delete: (...args) => observeAround(() => inner.delete(...args)),
  };
};

describe('an account’s vault', () => {
  it('has a file for each recording, named after its local date and title', async () => {
    const { recording, name, text } = await writeRecording();
    expect(name).toMatch(/^2026-11-29 A recording \([0-9a-z]{7}\)\.md$/);
    expect(text).toContain(`\nid: "${recording.clientFlag}"\n`);
    expect(text).toContain('\ndate: 2026-11-29T23:30:00\n');
    expect(text).toContain(`/pages/fileDetail?id=${recording.clientFlag}`);
    expect(text).toContain('\n# A recording\n');
    expect(text).toContain('\n## Summary\n\nIt waits.\n');
    expect(text).toContain('\n## Mind map\n\n- A heron\n');
    expect(text).toContain(`\n*0:01*  \nNobody heard of ${recording.secret}.\n`);
    await transcribedRecording(server, owner);
    await update();
    expect(await names()).toHaveLength(2);
  });

  it('contains nothing from other accounts', async () => {
    const { text } = await writeRecording();
    const other = await server.register();
    const theirRecording = await transcribedRecording(server, other);
    await runVaultJob(server, other);
    await update();
    expect((await readOnlyFile()).text).toBe(text);
    const [theirText = ''] = Object.values(await readFiles(path.join(root, other.email)));
    expect(theirText).toContain(theirRecording.secret);
  });

  it('follows edits: names of speakers, tags, paragraphs and to-dos', async () => {
    const { recording } = await writeRecording();
    const { clientFlag, paragraphs } = recording;
    const paragraph = { recording: clientFlag, paragraph: paragraphs[0] };
    await phone.applyOne({ type: 'paragraph.speaker', ...paragraph, speaker: '1' });
    await phone.applyOne({
      type: 'recording.speaker',
      recording: clientFlag,
      speaker: '1',
      name: 'Zoë',
    });
    await phone.applyOne({ type: 'paragraph.edit', ...paragraph, content: 'The stork waits.' });
    await tag(recording, 'water birds');
    await update();
    const { text } = await readOnlyFile();
    expect(text).toContain('\npeople:\n  - "[[Zoë]]"\ntags:\n  - "water-birds"\n');
    expect(text).toContain('\n[[Zoë]]\n\n#water-birds\n');
    expect(text).toContain('\n**[[Zoë]]** *0:00*  \nThe stork waits.\n');
  });

  it('has headings in the user’s language', async () => {
    await server.call(
      'user/updateConfig',
      { group_name: 'interface', config_key: 'language', config_value: 'fr' },
      { token: owner.access },
    );
    const { text } = await writeRecording();
    expect(text).toContain('\n## Carte mentale\n');
  });

  it('renames the file with the recording', async () => {
    const { recording, name } = await writeRecording();
    await renameRecording(recording, 'Keys: lost / found');
    await update();
    const renamed = await readOnlyFile();
    expect(renamed.name).toBe(name.replace('A recording', 'Keys lost found'));
    expect(renamed.text).toContain('\n# Keys: lost / found\n');
  });

  it('keeps an existing file with the new name', async () => {
    const { recording, name } = await writeRecording();
    const takenName = name.replace('A recording', 'Keys');
    await edit(takenName, 'my own notes');
    await renameRecording(recording, 'Keys');
    await update();
    expect(await names()).toEqual([takenName.replace(').md', ' 2).md'), takenName].sort());
    expect((await readFiles(folder))[takenName]).toBe('my own notes');
  });
});

describe('a file edited by the user', () => {
  it('is kept as a copy when the recording changes', async () => {
    const { recording, name } = await writeRecording();
    await edit(name, 'my edits');
    await tag(recording, 'birds');
    await update();
    const files = await readFiles(folder);
    const copy = Object.keys(files).find((each) => each.includes('(edited '));
    expect(Object.keys(files)).toHaveLength(2);
    expect(copy).toMatch(
      /^2026-11-29 A recording \([0-9a-z]{7}\) \(edited \d{4}-\d\d-\d\d \d{4}\)\.md$/,
    );
    expect(files[copy ?? '']).toBe('my edits');
    expect(files[name]).toContain('#birds');
    // Edits within the same minute are also kept.
    await edit(name, 'more edits');
    await tag(recording, 'water');
    await update();
    expect(Object.values(await readFiles(folder))).toEqual(
      expect.arrayContaining(['my edits', 'more edits', expect.stringContaining('#water')]),
    );
  });

  it('is unchanged while the recording does not change', async () => {
    const { name } = await writeRecording();
    await edit(name, 'my edits');
    await transcribedRecording(server, owner);
    await update();
    const files = await readFiles(folder);
    expect(Object.keys(files)).toHaveLength(2);
    expect(files[name]).toBe('my edits');
  });

  it('is kept if it is edited while the vault is writing', async () => {
    const { recording, name } = await writeRecording();
    await tag(recording, 'birds');
    let edits = 0;
    await update({
      openFolder: async (vault) => {
        const inner = await openFolder(vault);
        return {
          ...inner,
          async write(...args) {
            edits += 1;
            if (edits === 1) await edit(name, 'in the last moment');
            return inner.write(...args);
          },
        };
      },
    });
    const files = await readFiles(folder);
    expect(files[name]).toContain('#birds');
    expect(Object.values(files)).toContain('in the last moment');
  });

  it('remains when the recording is moved to the recycle bin, and when it is deleted', async () => {
    const { recording, name } = await writeRecording();
    await edit(name, 'my edits');
    const flag = { recording: recording.clientFlag };
    await phone.applyOne({ type: 'recording.bin', ...flag });
    await update();
    expect(await readOnlyFile()).toEqual({ name, text: 'my edits' });
    await phone.applyOne({ type: 'recording.recover', ...flag });
    await update();
    expect(await readOnlyFile()).toEqual({ name, text: 'my edits' });
    await phone.applyOne({ type: 'recording.delete', ...flag });
    await update();
    expect(await readOnlyFile()).toEqual({ name, text: 'my edits' });
    const rows = server.db.selectFrom('vault_files').where('recording_id', '=', recording.id);
    expect(await rows.selectAll().execute()).toEqual([]);
  });
});

describe('a file not edited by the user', () => {
  it('is removed and restored with the recording', async () => {
    const { recording, name, text } = await writeRecording();
    const flag = { recording: recording.clientFlag };
    await phone.applyOne({ type: 'recording.bin', ...flag });
    await update();
    expect(await names()).toEqual([]);
    await phone.applyOne({ type: 'recording.recover', ...flag });
    await update();
    expect(await readOnlyFile()).toEqual({ name, text });
    await phone.applyOne({ type: 'recording.delete', ...flag });
    await update();
    expect(await names()).toEqual([]);
  });

  it('remains when a rule moves the recording to the recycle bin, until the recording is deleted', async () => {
    const { recording, name, text } = await writeRecording();
    const flag = { recording: recording.clientFlag };
    await moveByRule(recording);
    await update();
    expect(await readOnlyFile()).toEqual({ name, text });
    await phone.applyOne({ type: 'recording.recover', ...flag });
    await update();
    expect(await readOnlyFile()).toEqual({ name, text });
    await phone.applyOne({ type: 'recording.bin', ...flag });
    await update();
    expect(await names()).toEqual([]);
  });

  it('is deleted with a recording that a rule moved to the recycle bin', async () => {
    const { recording } = await writeRecording();
    const flag = { recording: recording.clientFlag };
    await moveByRule(recording);
    await update();
    expect(await names()).toHaveLength(1);
    await phone.applyOne({ type: 'recording.delete', ...flag });
    await update();
    expect(await names()).toEqual([]);
  });

  it('is restored after the user deleted it only if the recording changes', async () => {
    const { recording, name } = await writeRecording();
    await rm(path.join(folder, name));
    await transcribedRecording(server, owner);
    await update();
    expect(await names()).not.toContain(name);
    await tag(recording, 'birds');
    await update();
    expect(await names()).toContain(name);
  });

  it('gets its name back after the user renamed it, once the recording changes', async () => {
    const { recording, name } = await writeRecording();
    const ownName = name.replace('A recording', 'My heron');
    await rename(path.join(folder, name), path.join(folder, ownName));
    await transcribedRecording(server, owner);
    await update();
    expect(await names()).toContain(ownName);
    await tag(recording, 'birds');
    await update();
    expect(await names()).toHaveLength(2);
    expect((await readFiles(folder))[name]).toContain('#birds');
  });

  it('is not rewritten unless its text changes', async () => {
    const { recording } = await writeRecording();
    const { clientFlag } = recording;
    await phone.applyOne({ type: 'recording.language', recording: clientFlag, language: 'fr' });
    let changes = 0;
    await update({
      openFolder: async (vault) =>
        watchFolder(await openFolder(vault), async () => {
          changes += 1;
        }),
    });
    expect(changes).toBe(0);
  });
});

describe('a worker', () => {
  it('continues after it was killed before or after any change', async () => {
    const recording = await transcribedRecording(server, owner);
    const steps = [
      () => tag(recording, 'birds'),
      () => renameRecording(recording, 'Herons'),
      () => phone.applyOne({ type: 'recording.bin', recording: recording.clientFlag }),
      () => phone.applyOne({ type: 'recording.recover', recording: recording.clientFlag }),
    ];
    let kills = 0;
    for (const change of [async () => null, ...steps]) {
      await change();
      // Each of the first attempts is killed one step later than the previous one.
      for (let allowed = 0; ; allowed += 1) {
        let passed = 0;
        await update({
          openFolder: async (vault) =>
            watchFolder(await openFolder(vault), async () => {
              if (passed === allowed) throw new Error('killed');
              passed += 1;
            }),
        });
        const { failure } = await loadVault(server, owner);
        if (failure === null) break;
        kills += 1;
      }
    }
    expect(kills).toBeGreaterThan(8);
    const { name, text } = await readOnlyFile();
    expect(name).toContain('Herons');
    expect(text).toContain('#birds');
  });

  it('continues page by page where another worker stopped', async () => {
    const recordings = [];
    for (let count = 0; count < 5; count += 1) {
      recordings.push(await transcribedRecording(server, owner));
    }
    const stopping = new AbortController();
    const openStopping = async (vault: Vault) => {
      const inner = await openFolder(vault);
      const write: VaultFolder['write'] = async (...args) => {
        const result = await inner.write(...args);
        if ((await names()).length === 2) stopping.abort();
        return result;
      };
      return { ...inner, write };
    };
    await update({ openFolder: openStopping, pageRows: 1 }, stopping.signal);
    expect(await names()).toHaveLength(2);
    const { rev, written_at } = await loadVault(server, owner);
    expect(rev).toBeGreaterThan(0);
    expect(written_at).toBeNull();
    await update({ pageRows: 1 });
    expect(await names()).toHaveLength(recordings.length);
    const updated = await loadVault(server, owner);
    expect(updated.written_at).not.toBeNull();
    const { rev: latest } = await server.db
      .selectFrom('accounts')
      .select('rev')
      .where('id', '=', owner.id)
      .executeTakeFirstOrThrow();
    expect(updated.rev).toBe(latest);
  });

  it('skips a vault whose lease another worker holds, until the lease expires', async () => {
    await transcribedRecording(server, owner);
    await scheduleVaults(server);
    const { id } = await loadVault(server, owner);
    const entered = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const first = updateVault(
      await createVaultDependencies(server, {
        openFolder: async (vault) => {
          entered.resolve();
          await released.promise;
          return openFolder(vault);
        },
      }),
      id,
      new AbortController().signal,
    );
    await entered.promise;
    await update();
    expect(await names()).toEqual([]);
    server.advanceClock(6 * 60);
    await update();
    expect(await names()).toHaveLength(1);
    const { written_at } = await loadVault(server, owner);
    released.resolve();
    await first;
    // The first job has lost its lease, and changes nothing.
    expect((await loadVault(server, owner)).written_at).toEqual(written_at);
    expect(await names()).toHaveLength(1);
  });

  it('does not fail if it is stopped during a request', async () => {
    await transcribedRecording(server, owner);
    const stopping = new AbortController();
    const openStopping: UpdateVaultDependencies['openFolder'] = async (vault, getSignal) => {
      const write: VaultFolder['write'] = async () => {
        stopping.abort();
        expect(getSignal?.().aborted).toBe(true);
        throw new VaultFailure('timeout');
      };
      return { ...(await openFolder(vault, getSignal)), write };
    };
    await update({ openFolder: openStopping }, stopping.signal);
    expect(await loadVault(server, owner)).toMatchObject({ failure: null, written_at: null });
    await update();
    expect(await names()).toHaveLength(1);
  });

  it('queues a job only for vaults that are not up to date', async () => {
    await writeRecording();
    const listQueued = async () => {
      const jobs = await server.queue.list(['waiting']);
      const { id } = await loadVault(server, owner);
      return jobs.filter(({ payload }) => 'vaultId' in payload && payload.vaultId === id).length;
    };
    const before = await listQueued();
    await scheduleVaults(server);
    expect(await listQueued()).toBe(before);
    await transcribedRecording(server, owner);
    await scheduleVaults(server);
    await scheduleVaults(server);
    expect(await listQueued()).toBe(before + 1);
    // The job was lost.
    server.advanceClock(16 * 60);
    await scheduleVaults(server);
    expect(await listQueued()).toBe(before + 2);
  });
});

describe('a folder that fails', () => {
  it('is retried with exponential backoff, and its failure is stored', async () => {
    await transcribedRecording(server, owner);
    const pauses: number[] = [];
    const openFailing = async () => {
      throw new VaultFailure('denied');
    };
    for (let attempt = 0; attempt < 12; attempt += 1) {
      await update({ openFolder: openFailing });
      const { failure, failed_at: at, next_at: next } = await loadVault(server, owner);
      expect(failure).toBe('denied');
      const seconds = ((next?.getTime() ?? 0) - (at?.getTime() ?? 0)) / 1000;
      pauses.push(Math.round(seconds));
      server.advanceClock(seconds);
    }
    expect(pauses.slice(0, 4)).toEqual([60, 120, 240, 480]);
    expect(pauses.at(-1)).toBe(6 * 3600);
    await update();
    const { failure, next_at } = await loadVault(server, owner);
    expect([failure, next_at]).toEqual([null, null]);
    expect(await names()).toHaveLength(1);
  });

  it('is not recreated after it has disappeared, because its disk may not be mounted', async () => {
    const { recording } = await writeRecording();
    const movedFolder = `${folder}.elsewhere`;
    await rename(folder, movedFolder);
    await tag(recording, 'birds');
    await update();
    expect((await loadVault(server, owner)).failure).toBe('missing');
    expect(await readdir(root)).not.toContain(owner.email);
    await rename(movedFolder, folder);
    server.advanceClock(3600);
    await update();
    expect((await readOnlyFile()).text).toContain('#birds');
  });

  it('gets all other files if it rejects one', async () => {
    const refused = await transcribedRecording(server, owner);
    const other = await transcribedRecording(server, owner);
    await renameRecording(refused, 'Refused');
    await update({
      openFolder: async (vault) => {
        const inner = await openFolder(vault);
        const write: VaultFolder['write'] = async (name, ...args) => {
          if (name.includes('Refused')) throw new VaultFailure('refused');
          return inner.write(name, ...args);
        };
        return { ...inner, write };
      },
    });
    expect((await readOnlyFile()).text).toContain(other.secret);
    expect((await loadVault(server, owner)).failure).toBeNull();
    const state = () =>
      server.db
        .selectFrom('vault_files')
        .select('failure')
        .where('recording_id', '=', refused.id)
        .executeTakeFirstOrThrow();
    expect(await state()).toEqual({ failure: 'refused' });
    await renameRecording(refused, 'Accepted');
    await update();
    expect(await names()).toHaveLength(2);
    expect(await state()).toEqual({ failure: null });
  });
});

describe('files that fail', () => {
  /** Runs a job whose folder fails for all matching files. Returns the names that the job tried to write. */
  async function updateFailing(
    pattern: RegExp,
    log?: UpdateVaultDependencies['log'],
  ): Promise<string[]> {
    const attemptedNames: string[] = [];
    await update({
      ...(log && { log }),
      openFolder: async (vault) => {
        const inner = await openFolder(vault);
        const write: VaultFolder['write'] = async (name, ...args) => {
          attemptedNames.push(name);
          if (pattern.test(name)) {
            const cause = Object.assign(new Error(`EBUSY: resource busy, open '${name}'`), {
              code: 'EBUSY',
              syscall: 'open',
            });
            throw new VaultFailure('busy', { cause });
          }
          return inner.write(name, ...args);
        };
        return { ...inner, write };
      },
    });
    return attemptedNames;
  }
  const addNamed = async (...titles: string[]) => {
    for (const title of titles) {
      await renameRecording(await transcribedRecording(server, owner), title);
    }
  };
  const isQueued = async () => {
    await scheduleVaults(server);
    return (await loadVault(server, owner)).queued_at !== null;
  };

  it('do not prevent others from being written, and are retried later', async () => {
    await addNamed('Locked 1', 'Free 1', 'Locked 2', 'Free 2');
    expect(await updateFailing(/Locked/)).toHaveLength(4);
    expect(await names()).toHaveLength(2);
    expect((await loadVault(server, owner)).failure).toBeNull();
    expect(await isQueued()).toBe(false);
    server.advanceClock(16 * 60);
    expect(await isQueued()).toBe(true);
    await update();
    expect(await names()).toHaveLength(4);
    server.advanceClock(16 * 60);
    expect(await isQueued()).toBe(false);
  });

  it('stop the job after three in a row', async () => {
    await addNamed('Locked 1', 'Locked 2', 'Locked 3', 'Free');
    expect(await updateFailing(/Locked/)).toHaveLength(3);
    expect((await loadVault(server, owner)).failure).toBe('busy');
    expect(await names()).toEqual([]);
    server.advanceClock(61);
    await update();
    expect(await names()).toHaveLength(4);
  });

  it('are logged without their names', async () => {
    await addNamed('Locked secret');
    const lines: string[] = [];
    await updateFailing(/Locked/, pino({}, { write: (line: string) => void lines.push(line) }));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('"errno":"EBUSY"');
    expect(lines[0]).not.toContain('secret');
  });
});

describe('deleted recordings', () => {
  it('lose their files page by page in one job', async () => {
    const recordings = [];
    for (let count = 0; count < 3; count += 1) {
      recordings.push(await transcribedRecording(server, owner));
    }
    await update();
    for (const { clientFlag } of recordings) {
      await phone.applyOne({ type: 'recording.delete', recording: clientFlag });
    }
    await update({ pageRows: 1 });
    expect(await names()).toEqual([]);
  });
});

describe('an account’s folder', () => {
  it('is tested by a worker, and the call returns the stored state', async () => {
    const { recording } = await writeRecording();
    const movedFolder = `${folder}.elsewhere`;
    await rename(folder, movedFolder);
    await tag(recording, 'birds');
    await update();
    await rename(movedFolder, folder);
    const { id } = await loadVault(server, owner);
    const { data } = await server.call('vault/test', { kind: 'folder' }, { token: owner.access });
    expect(data).toEqual({ failure: 'missing' });
    const jobs = await server.queue.list(['waiting']);
    expect(jobs.map(({ payload }) => payload)).toContainEqual({ vaultId: id });
    await updateVault(await createVaultDependencies(server), id, new AbortController().signal);
    expect((await loadVault(server, owner)).failure).toBeNull();
  });

  it('starts over in another VAULT_DIR', async () => {
    const { name } = await writeRecording();
    const next = await makeFolder();
    await scheduleVaults(server, next);
    const { id } = await loadVault(server, owner);
    await updateVault(await createVaultDependencies(server), id, new AbortController().signal);
    expect(Object.keys(await readFiles(path.join(next, owner.email)))).toEqual([name]);
    expect(await names()).toEqual([name]);
    // After changing VAULT_DIR back, the file is recognized by its content.
    await scheduleVaults(server);
    await updateVault(await createVaultDependencies(server), id, new AbortController().signal);
    expect(await names()).toEqual([name]);
  });

  it('is named after the account ID if the email address isn’t a safe name', async () => {
    const oddAccount = await server.register(`o'neil-${crypto.randomUUID()}@example.com`);
    await transcribedRecording(server, oddAccount);
    await runVaultJob(server, oddAccount);
    expect((await loadVault(server, oddAccount)).place).toBe(oddAccount.id);
    expect(Object.keys(await readFiles(path.join(root, oddAccount.id)))).toHaveLength(1);
  });

  it('is used if it exists, without losing its content', async () => {
    await mkdir(folder);
    await edit('My notes.md', 'mine');
    await transcribedRecording(server, owner);
    await update();
    expect(await names()).toHaveLength(2);
    expect((await readFiles(folder))['My notes.md']).toBe('mine');
  });
});

describe('a closed account', () => {
  const close = () => server.call('user/deactivation', {}, { token: owner.access });
  const erase = () =>
    eraseVaultFolder(
      { db: server.db, now: server.now, vaultRoot: root, log: pino({ level: 'silent' }) },
      owner.id,
    );

  it('loses its folder and all files in it, and gets no new files', async () => {
    const { name } = await writeRecording();
    await edit(name, 'my edits');
    const otherFile = path.join(root, 'other.md');
    await writeFile(otherFile, 'other');
    await transcribedRecording(server, owner);
    await scheduleVaults(server);
    await close();
    await erase();
    // A job queued earlier finds the vault stopped.
    await update();
    expect(await readdir(root)).not.toContain(owner.email);
    expect(await readdir(root)).toContain('other.md');
  });

  it('keeps its folder, and is erased later, while the disk of VAULT_DIR is not mounted', async () => {
    await writeRecording();
    await close();
    const movedFolder = `${folder}.elsewhere`;
    await rename(folder, movedFolder);
    await expect(erase()).rejects.toThrow(JobPostponed);
    await rename(movedFolder, folder);
    await erase();
    expect(await readdir(root)).not.toContain(owner.email);
    // The worker died before the rows were deleted.
    await erase();
  });

  it('is erased if it never had a folder', async () => {
    await transcribedRecording(server, owner);
    await scheduleVaults(server);
    await close();
    await erase();
  });

  it('is erased only after a job that is writing to the folder', async () => {
    await writeRecording();
    const { id } = await loadVault(server, owner);
    const leaseUntil = new Date(server.now().getTime() + 60_000);
    const hold = server.db.updateTable('vaults').set({ running_until: leaseUntil });
    await hold.where('id', '=', id).execute();
    await close();
    await expect(erase()).rejects.toThrow(JobPostponed);
    expect(await names()).toHaveLength(1);
    server.advanceClock(61);
    await erase();
    expect(await readdir(root)).not.toContain(owner.email);
  });
});
