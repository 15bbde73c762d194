import { loadOpus } from '@linnet/audio/opus';
import { readOpusWasm } from '@linnet/audio/opus-wasm-node';
import type { Logger } from 'pino';
import { openFfmpeg } from './audio/ffmpeg.ts';
import type { Database } from './db/database.ts';
import { jobTimeouts, migrateAt, openDatabase } from './db/database.ts';
import { abandonAnswerJob, answerQuestionJob } from './jobs/answer-question.ts';
import { applyRetentionJob } from './jobs/apply-retention.ts';
import { billingJob } from './jobs/billing.ts';
import { deleteObjectsJob } from './jobs/delete-objects.ts';
import { deliverWebhookJob } from './jobs/deliver-webhook.ts';
import { embedPassagesJob } from './jobs/embed-passages.ts';
import { eraseAccountJob } from './jobs/erase-account.ts';
import { freeAudioJob } from './jobs/free-audio.ts';
import { housekeepingJob } from './jobs/housekeeping.ts';
import { importFoldersJob } from './jobs/import-folders.ts';
import { indexPassagesJob } from './jobs/index-passages.ts';
import { inspectAudioJob } from './jobs/inspect-audio.ts';
import type { JobHandlers } from './jobs/jobs.ts';
import { mailFeedbackJob } from './jobs/mail-feedback.ts';
import { notifyTodosJob } from './jobs/notify-todos.ts';
import { openQueue } from './jobs/queue.ts';
import { sendMailJob } from './jobs/send-mail.ts';
import { sendPushJob } from './jobs/send-push.ts';
import { abandonSummaryJob, summarizeJob } from './jobs/summarize.ts';
import type { TranscribeDependencies } from './jobs/transcribe.ts';
import { abandonTaskJob, transcribeJob } from './jobs/transcribe.ts';
import { undoPaymentsJob } from './jobs/undo-payments.ts';
import { updateVaultJob, updateVaultsJob } from './jobs/update-vaults.ts';
import { createLiveStore } from './live/store.ts';
import { startLiveWorker } from './live/worker.ts';
import { createLogger } from './logging.ts';
import { measureJobs } from './metrics/measured-jobs.ts';
import { measureStore } from './metrics/measured-store.ts';
import { createMetrics } from './metrics/metrics.ts';
import type { BackgroundDownloads, KnownModel } from './models/index.ts';
import { forgetUnsupportedFiles } from './modules/folder-import/import-folder.ts';
import { createFolderImport } from './modules/folder-import/index.ts';
import { createMinutes } from './modules/minutes/service.ts';
import { createUnsubscribeAddresses } from './modules/notification-mail/unsubscribe-address.ts';
import { createFulfillment } from './modules/order/fulfillment.ts';
import { pushContact } from './modules/push/contact.ts';
import { createPauses } from './modules/push/pauses.ts';
import { pushTimeoutMs } from './modules/push/send.ts';
import { deriveVapidKeys } from './modules/push/vapid.ts';
import { createOperations } from './modules/sync/operations.ts';
import { createOutcomes } from './modules/task/outcome.ts';
import { createSummaries } from './modules/task/summary.ts';
import { logNamingFailure } from './modules/task/summary-names.ts';
import { createFolderOpener, webdavDestinations } from './modules/vault/open-folder.ts';
import { webhookDestinations } from './modules/webhook/destination.ts';
import { createWebhookSender } from './modules/webhook/sender.ts';
import type { Checkpoints } from './pipeline/checkpoints.ts';
import { createCheckpoints } from './pipeline/checkpoints.ts';
import { sweepTaskScratch } from './pipeline/scratch.ts';
import { configOrExit, orExit, reportNotice, reportReady, stopOnSignals } from './process.ts';
import { selectAnalyzer } from './providers/analysis/index.ts';
import { selectEmbedder } from './providers/embedding/index.ts';
import { selectMailer } from './providers/mail/index.ts';
import { selectPayment } from './providers/payment/index.ts';
import { selectDiarizer } from './providers/speakers/index.ts';
import { selectSpeechEngines, sweepScratch } from './providers/speech/index.ts';
import { selectStore } from './providers/storage/index.ts';
import { selectVoiceDetector } from './providers/voice/index.ts';
import { createVectorIndex } from './retrieval/embeddings/vector-index.ts';
import { createPassageIndex } from './retrieval/passage-index.ts';
import { loadKeys } from './secrets.ts';
import { startTracing } from './tracing/start.ts';
import { startModelDownloads } from './worker-models.ts';
import { openWorkerSite } from './worker-site.ts';

/** Dependencies that tests replace. */
export interface WorkerDependencies {
  readonly createCheckpoints: (db: Database) => Checkpoints;
  /** Replaces the catalog of models. */
  readonly catalog?: readonly KnownModel[];
}

/** Runs the worker process, which processes jobs. Several workers may run concurrently. */
export async function runWorker(deps: WorkerDependencies = { createCheckpoints }): Promise<void> {
  const config = await configOrExit();
  const log = createLogger(config, 'worker');
  const stopTracing = await startTracing(config, 'worker', log);
  const onConnectionLost = (error: Error) => log.warn({ err: error }, 'database connection lost');
  const { db, pool } = openDatabase(config.DATABASE_URL, onConnectionLost, jobTimeouts);
  const now = () => new Date();
  await migrateAt(config.DATABASE_URL, onConnectionLost);
  // Remove folders left behind by killed workers.
  await sweepScratch();
  await sweepTaskScratch(db, config.DATA_DIR);
  const metrics = createMetrics();
  metrics.observeProcess();
  metrics.observePool(pool);
  const store = measureStore(await selectStore(config), metrics);
  const ffmpeg = await orExit(() => openFfmpeg(config.FFMPEG, log));
  await forgetUnsupportedFiles(db);
  const queue = await openQueue(config.DATABASE_URL, 'worker', log);
  const minutes = createMinutes({ unlimited: config.BILLING === 'off', now });
  const onNamingFailure = logNamingFailure(log);
  const outcomes = createOutcomes({
    ...{ db, queue, minutes, now },
    onFinish: metrics.task,
    onSummary: metrics.summary,
    onCarryFailure: (taskId, error) =>
      log.error({ taskId, err: error }, 'failed to carry changes over to the new transcript'),
    onNamingFailure,
  });
  const mailer = selectMailer(config);
  const keys = await loadKeys(config);
  const payment = await selectPayment(config, keys, now);
  const fulfillment = createFulfillment({ db, queue, minutes, now });
  const summaries = createSummaries({
    ...{ db, queue, now, onNamingFailure },
    onFinish: metrics.summary,
  });
  const analyzer = selectAnalyzer(config);
  const embedder = selectEmbedder(config);
  const closeSite = await openWorkerSite(config, { db, store, queue }, metrics, log);

  const isFree = config.BILLING === 'off';
  const transcription: TranscribeDependencies = {
    db,
    outcomes,
    log,
    now,
    isFree,
    store,
    ffmpeg,
    detector: config.VOICE_DETECTION === 'off' ? null : selectVoiceDetector(config),
    engines: selectSpeechEngines(config),
    diarizer: selectDiarizer(config),
    analyzer,
    checkpoints: deps.createCheckpoints(db),
    dataDir: config.DATA_DIR,
  };
  const sending = { ...webhookDestinations(config), version: config.version };
  const handlers: JobHandlers = {
    transcribe: transcribeJob(transcription),
    'transcribe.given-up': abandonTaskJob(transcription),
    summarize: summarizeJob({ db, analyzer, summaries, isFree, log, now }),
    'summarize.given-up': abandonSummaryJob(summaries),
    'answer-question': answerQuestionJob({ db, analyzer, log, now }),
    'answer-question.given-up': abandonAnswerJob(db),
    'delete-objects': deleteObjectsJob(store),
    'undo-payments': undoPaymentsJob(payment),
    'erase-account': eraseAccountJob({
      ...{ db, queue, store, mailer, log, now },
      vaultRoot: config.VAULT_DIR ?? null,
    }),
    'mail-feedback': mailFeedbackJob({ db, mailer, log, to: config.FEEDBACK_TO }),
    billing: billingJob({ db, payment, fulfillment, log, now }),
    'deliver-webhook': deliverWebhookJob({
      ...{ db, queue, log, now, random: Math.random, onAttempt: metrics.webhook },
      sender: createWebhookSender(sending),
      secretKey: keys.webhookSecret,
      origin: config.origin,
    }),
    'send-push': sendPushJob({
      ...{ db, log, now, origin: config.origin, onAttempt: metrics.push },
      sender: createWebhookSender({ ...sending, timeoutMs: pushTimeoutMs }),
      pauses: createPauses(now),
      vapid: deriveVapidKeys(keys.vapid),
      contact: pushContact(config),
    }),
    'send-mail': sendMailJob({
      ...{ db, queue, log, now, origin: config.origin },
      mailer: config.SMTP_URL === undefined ? null : mailer,
      addresses: createUnsubscribeAddresses(keys.unsubscribeAddress),
    }),
    'notify-todos': notifyTodosJob({ db, queue, log, now, origin: config.origin }),
    'free-audio': freeAudioJob({ db, queue, now }),
    'inspect-audio': inspectAudioJob({ db, store, log, now }),
    'import-folders': importFoldersJob({
      ...createFolderImport({ config, db, queue, store, ffmpeg, log, now }),
      folder: config.IMPORT_DIR ?? null,
      log,
    }),
    'apply-retention': applyRetentionJob(
      { db, operations: createOperations({ db, queue, minutes, now, onNamingFailure }) },
      log,
    ),
    'index-passages': indexPassagesJob(createPassageIndex(db), log),
    'embed-passages': embedPassagesJob(embedder && createVectorIndex(db, embedder), log, now),
    'update-vaults': updateVaultsJob({ db, queue, root: config.VAULT_DIR ?? null, now }),
    'update-vault': updateVaultJob({
      ...{ db, log, now, origin: config.origin },
      openFolder: createFolderOpener({
        ...webdavDestinations(config),
        secretKey: keys.vaultPassword,
        version: config.version,
      }),
    }),
    housekeeping: housekeepingJob({
      db,
      store,
      queue,
      minutes,
      config,
      log,
      now,
    }),
  };
  const stopLiveWorker = startLiveWorker({
    store: createLiveStore(db),
    engines: transcription.engines,
    detector: transcription.detector,
    opus: await loadOpus(readOpusWasm()),
    log,
  });
  let downloads: BackgroundDownloads | null = null;
  stopOnSignals(async () => {
    await downloads?.stop();
    await stopLiveWorker();
    await queue.stop();
    await analyzer.close?.();
    await embedder?.close?.();
    await closeSite();
    mailer.close();
    await db.destroy();
    await stopTracing();
  });
  await queue.work(measureJobs(handlers, metrics));
  log.info('ready');
  reportReady({ role: 'worker' });
  downloads = startModelDownloads(config, log, now, deps.catalog);
  await reportMissing(`LLM=${analyzer.id}`, 'language', analyzer, log);
  if (embedder) await reportMissing(`EMBEDDINGS=${embedder.id}`, 'embedding', embedder, log);
}

/** The fallback until a model is installed, by kind of model. */
const substitutes = {
  language: 'Summaries are made by the built-in analyzer',
  embedding: 'Questions are answered by keyword search only',
} as const;

/** Notifies the operator if a model has to be installed. @param setting the variable that requires the model */
async function reportMissing(
  setting: string,
  kind: keyof typeof substitutes,
  engine: { missing?(): Promise<string | null> },
  log: Logger,
): Promise<void> {
  const missing = await engine.missing?.().catch((error: unknown) => {
    log.warn({ err: error }, `failed to check for the ${kind} model`);
    return null;
  });
  if (!missing) return;
  const advice = `${substitutes[kind]} until \`models install\` has installed it`;
  log.warn({ reason: missing }, `the ${kind} model is missing`);
  reportNotice(`${setting}: ${missing}. ${advice}.`);
}

if (import.meta.main) await runWorker();
