import { fileURLToPath } from 'node:url';
import { buildApp } from './app.ts';
import { migrate, openDatabase } from './db/database.ts';
import { openQueue } from './jobs/queue.ts';
import { createLogger } from './logging.ts';
import { createMetrics } from './metrics/metrics.ts';
import { configOrExit, reportReady, stopOnSignals } from './process.ts';
import { selectMailer } from './providers/mail/index.ts';
import { selectRecognizer } from './providers/speech/index.ts';
import { selectStore } from './providers/storage/index.ts';
import { loadKeys } from './secrets.ts';

/** The API process: answers calls, stores uploads, serves the app. */
const config = configOrExit();
const log = createLogger(config, 'api');
const { db, pool } = openDatabase(config.DATABASE_URL, (error) =>
  log.warn({ err: error }, 'a database connection was lost'),
);
await migrate(db);
const queue = await openQueue(config.DATABASE_URL, 'api', log);
const mailer = selectMailer(config);
const metrics = createMetrics();
metrics.observeProcess();
metrics.observePool(pool);
const app = await buildApp({
  config,
  log,
  db,
  queue,
  mailer,
  metrics,
  store: await selectStore(config),
  recognizer: selectRecognizer({ asr: config.ASR, privateRoot: config.ENGINES_DIR }),
  keys: await loadKeys(config),
  appFolder: fileURLToPath(new URL('../../app/dist/', import.meta.url)),
  now: () => new Date(),
});

stopOnSignals(async () => {
  await app.close();
  await queue.stop();
  mailer.close();
  await db.destroy();
});
const address = await app.listen({ host: config.HOST, port: config.PORT });
log.info({ address, connections: pool.options.max }, 'ready');
reportReady({ role: 'api', address });
