import { Server as TlsServer } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { buildApp } from './app.ts';
import { openFfmpeg } from './audio/ffmpeg.ts';
import { exposureWarnings } from './config/index.ts';
import { callTimeouts, migrateAt, openDatabase } from './db/database.ts';
import { openQueue } from './jobs/queue.ts';
import { createLogger } from './logging.ts';
import { createMetrics } from './metrics/metrics.ts';
import { configOrExit, orExit, reportReady, stopOnSignals } from './process.ts';
import { selectAnalyzer } from './providers/analysis/index.ts';
import { selectEmbedder } from './providers/embedding/index.ts';
import { selectMailer } from './providers/mail/index.ts';
import { selectPayment } from './providers/payment/index.ts';
import { selectDiarizer } from './providers/speakers/index.ts';
import { selectSpeechEngines } from './providers/speech/index.ts';
import { selectStore } from './providers/storage/index.ts';
import { openPartsFolder } from './providers/storage/s3/uploads.ts';
import { loadKeys } from './secrets.ts';
import { readTls } from './tls.ts';
import { startTracing } from './tracing/start.ts';

/** Entry point of the API process, which handles API calls, stores uploads and serves the app. */
const config = await configOrExit();
const tls = await orExit(() => readTls(config));
const log = createLogger(config, 'api');
const stopTracing = await startTracing(config, 'api', log);
const ffmpeg = await orExit(() => openFfmpeg(config.FFMPEG, log));
for (const warning of exposureWarnings(config)) log.warn(warning);
const onConnectionLost = (error: Error) => log.warn({ err: error }, 'database connection lost');
const { db, pool } = openDatabase(config.DATABASE_URL, onConnectionLost, callTimeouts);
await migrateAt(config.DATABASE_URL, onConnectionLost);
const queue = await openQueue(config.DATABASE_URL, 'api', log);
const mailer = selectMailer(config);
const metrics = createMetrics();
metrics.observeProcess();
metrics.observePool(pool);
const keys = await loadKeys(config);
// Store upload parts in a private TMPDIR. In the system's temporary folder, other users could read them.
process.env.TMPDIR = await openPartsFolder(config.DATA_DIR);
const now = () => new Date();
const embedder = selectEmbedder(config);
const app = await buildApp({
  config,
  log,
  db,
  queue,
  mailer,
  metrics,
  store: await selectStore(config),
  ffmpeg,
  analyzer: selectAnalyzer(config),
  embedder,
  diarizer: selectDiarizer(config),
  engines: selectSpeechEngines(config),
  keys,
  payment: await selectPayment(config, keys, now),
  appFolder: fileURLToPath(new URL('../../app/dist/', import.meta.url)),
  tls,
  now,
});
if (tls) process.on('SIGHUP', () => void reloadTls());

stopOnSignals(async () => {
  await app.close();
  await queue.stop();
  await embedder?.close?.();
  mailer.close();
  await db.destroy();
  await stopTracing();
});
const address = await app.listen({ host: config.HOST, port: config.PORT });
log.info({ address, connections: pool.options.max }, 'ready');
reportReady({ role: 'api', address });

/** Reloads the certificate. If the new certificate is invalid, the old one stays in use. */
async function reloadTls(): Promise<void> {
  try {
    const tls = await readTls(config);
    const { server } = app;
    if (tls && server instanceof TlsServer) server.setSecureContext(tls);
    log.info('certificate reloaded');
  } catch (error) {
    log.error({ err: error }, 'certificate reload failed');
  }
}
