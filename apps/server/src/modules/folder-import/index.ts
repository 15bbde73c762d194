import type { Logger } from 'pino';
import { decodedKinds, type Ffmpeg } from '../../audio/ffmpeg.ts';
import type { Config } from '../../config/index.ts';
import type { Database } from '../../db/database.ts';
import type { Queue } from '../../jobs/queue.ts';
import type { ObjectStore } from '../../providers/storage/port.ts';
import { createKeyReservation } from '../upload/grants.ts';
import { createQuota } from '../upload/quota.ts';
import { createUploadService } from '../upload/service.ts';
import type { FileImportDependencies } from './import-file.ts';

/** Creates the folder import with its dependencies. */
export function createFolderImport({
  config,
  db,
  queue,
  store,
  ffmpeg,
  log,
  now,
}: {
  readonly config: Pick<Config, 'ACCOUNT_BYTES'>;
  readonly db: Database;
  readonly queue: Queue;
  readonly store: ObjectStore;
  readonly ffmpeg: Ffmpeg | null;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  readonly now: () => Date;
}): FileImportDependencies {
  const quota = createQuota(db, config.ACCOUNT_BYTES || null, now);
  const audioKinds = decodedKinds(ffmpeg);
  return {
    db,
    store,
    ffmpeg,
    uploads: createUploadService({ quota, db, queue, store, audioKinds, log, now }),
    reserveKey: createKeyReservation({ db, quota, audioKinds, now }),
    now,
  };
}
