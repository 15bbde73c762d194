import { makeBackup } from '../backup/backup.ts';
import { restoreBackup } from '../backup/restore.ts';
import { createLogger } from '../logging.ts';
import { selectStore } from '../providers/storage/index.ts';
import { command } from './command.ts';

export const backupCommands = [
  command({
    name: 'backup',
    description: 'back up all data to a new folder, even while the server is running',
    positionals: { folder: 'a folder' },
    async run({ config, url, now }, { folder }) {
      const store = await selectStore(config);
      const { manifest, withoutAudio } = await makeBackup({ config, url, store, now }, folder);
      const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0);
      const { count, total_bytes: bytes } = manifest.objects;
      const lines = [
        `${rows} rows, ${manifest.jobs.count} jobs, ${count} objects of ${bytes} bytes`,
      ];
      if (withoutAudio > 0) {
        lines.push(`the audio of ${withoutAudio} recordings is missing from the store`);
      }
      if (config.SECRET !== undefined)
        lines.push('SECRET is not included: save it separately, because a restore requires it');
      return lines.join('\n');
    },
  }),

  command({
    name: 'restore',
    description: 'restore a backup into an empty server that is not running',
    positionals: { folder: 'a folder' },
    database: 'empty',
    async run({ config, url, db }, { folder }) {
      const store = await selectStore(config);
      const log = createLogger({ LOG_LEVEL: 'warn' }, 'api');
      const manifest = await restoreBackup({ config, url, db, store, log }, folder);
      return `restored the backup of ${manifest.created_at}`;
    },
  }),
];
