import { stat } from 'node:fs/promises';
import path from 'node:path';
import { findFfmpeg } from '../audio/ffmpeg.ts';
import { importFolder, type ScannedFile } from '../modules/folder-import/import-folder.ts';
import { createFolderImport } from '../modules/folder-import/index.ts';
import type { ImportFailureCode } from '../modules/folder-import/outcome.ts';
import { findAccount } from '../modules/user/find-account.ts';
import { selectStore } from '../providers/storage/index.ts';
import { CommandFailure, command } from './command.ts';
import { withQueue } from './with-queue.ts';

const reasons: Readonly<Record<ImportFailureCode, string>> = {
  format_unsupported: 'the server can\'t decode it; see "Import from folders" in docs/operating.md',
  unreadable: 'the file is damaged or contains no audio',
  too_large: 'the file is larger than a recording may be',
  quota_exceeded: 'the account has no storage space left (ACCOUNT_BYTES)',
};

function describe({ path: file, outcome }: ScannedFile): string {
  switch (outcome.status) {
    case 'imported':
      return `imported: ${file}`;
    case 'known':
      return `already there: ${file}`;
    case 'deleted':
      return `deleted earlier, not imported again: ${file}`;
    case 'growing':
      return `still being written, not imported yet: ${file}`;
    case 'failed':
      return `not imported: ${file}: ${reasons[outcome.code]}`;
  }
}

export const importCommands = [
  command({
    name: 'import',
    description: 'import the audio files of a folder into an account, each once',
    positionals: { folder: 'the folder' },
    options: { account: { value: 'email or ID' } },
    async run(context, { folder }, { account }) {
      const { config, db, now } = context;
      if (account === undefined) throw new CommandFailure('--account is required');
      const accountId = await findAccount(db, account);
      if (accountId === null) throw new CommandFailure(`there is no account ${account}`);
      const facts = await stat(folder).catch((error: Error) => {
        throw new CommandFailure(`can't read the folder: ${error.message}`);
      });
      if (!facts.isDirectory()) throw new CommandFailure(`${folder} is not a folder`);
      const store = await selectStore(config);
      const ffmpeg = await findFfmpeg(config.FFMPEG);
      return withQueue(context, async (queue, log) => {
        const deps = createFolderImport({ config, db, queue, store, ffmpeg, log, now });
        const { signal } = new AbortController();
        const counts = { imported: 0, known: 0, deleted: 0, growing: 0, failed: 0 };
        const files = importFolder(deps, accountId, path.resolve(folder), null, signal);
        for await (const file of files) {
          counts[file.outcome.status] += 1;
          // Print each file as soon as it is done, because importing a large folder takes a long time.
          context.print(describe(file));
        }
        const { imported, known, deleted, growing, failed } = counts;
        const total = `${imported} imported, ${known} already there, ${deleted} deleted earlier, ${growing} still being written, ${failed} not imported`;
        if (failed > 0) throw new CommandFailure(total);
        return total;
      });
    },
  }),
];
