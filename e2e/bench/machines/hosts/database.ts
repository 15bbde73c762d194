/** Runs PostgreSQL on the machine of this process. Arguments: a folder, and the machine's address. */
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startPostgres } from '@linnet/server/embedded';
import { execute } from '@linnet/server/testing/database';
import { argument, serve } from './serve.ts';

/** Enough for nine processes of up to 21 connections, and for those of machines that were lost. */
const MAX_CONNECTIONS = 400;

const [dataDir, host] = [argument(0), argument(1)];
const postgres = await startPostgres({
  dataDir,
  log: (message) => console.log(message),
  settings: { listen_addresses: '*', max_connections: String(MAX_CONNECTIONS) },
});
const access = `\nhost all all ${host}/24 scram-sha-256\n`;
await appendFile(join(dataDir, 'postgres/cluster/pg_hba.conf'), access);
await execute(postgres.url, 'select pg_reload_conf()');
const url = new URL(postgres.url);
url.hostname = host;
serve(url.href, () => postgres.stop());
