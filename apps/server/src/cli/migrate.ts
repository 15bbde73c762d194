import { command } from './command.ts';
import { withQueue } from './with-queue.ts';

export const migrateCommands = [
  command({
    name: 'migrate',
    description: 'migrate the database to this version, as API and workers also do when they start',
    async run(context) {
      // The tables are migrated before every command. Opening the queue also migrates the queue's tables.
      await withQueue(context, async () => undefined);
      return `the database has the tables of version ${context.config.version}`;
    },
  }),
];
