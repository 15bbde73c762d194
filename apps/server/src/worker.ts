import { migrate, openDatabase } from './db/database.ts';
import { deleteObjectsJob } from './jobs/delete-objects.ts';
import { housekeepingJob } from './jobs/housekeeping.ts';
import { openQueue } from './jobs/queue.ts';
import { givenUpJob, transcribeJob } from './jobs/transcribe.ts';
import { createLogger } from './logging.ts';
import { createMinutes } from './modules/minutes/service.ts';
import { createOutcomes } from './modules/task/outcome.ts';
import { configOrExit, reportReady, stopOnSignals } from './process.ts';
import { selectAnalyser } from './providers/analysis/index.ts';
import { selectRecognizer, sweepScratch } from './providers/speech/index.ts';
import { selectStore } from './providers/storage/index.ts';

/** The worker process: takes jobs off the queue. Any number of them may run. */
const config = configOrExit();
const log = createLogger(config, 'worker');
const { db } = openDatabase(config.DATABASE_URL, (error) =>
  log.warn({ err: error }, 'a database connection was lost'),
);
const now = () => new Date();
await migrate(db);
// What engines of a killed worker left behind.
await sweepScratch();
const store = await selectStore(config);
const queue = await openQueue(config.DATABASE_URL, 'worker', log);
const minutes = createMinutes({ unlimited: config.BILLING === 'off', now });
const outcomes = createOutcomes(db, minutes, now);

stopOnSignals(async () => {
  await queue.stop();
  await db.destroy();
});
await queue.work({
  transcribe: transcribeJob({
    db,
    outcomes,
    log,
    now,
    store,
    recognizer: selectRecognizer({ asr: config.ASR, privateRoot: config.ENGINES_DIR }),
    analyser: selectAnalyser({ llm: config.LLM }),
    dataDir: config.DATA_DIR,
  }),
  'transcribe.given-up': givenUpJob(outcomes),
  'delete-objects': deleteObjectsJob(store),
  housekeeping: housekeepingJob({ db, log, now }),
});
log.info('ready');
reportReady({ role: 'worker' });
