import { totalmem } from 'node:os';
import type { Logger } from 'pino';
import type { Config } from './config/index.ts';
import {
  type BackgroundDownloads,
  clearDownloadState,
  downloadInBackground,
  type KnownModel,
  requestedModels,
} from './models/index.ts';
import { reportNotice } from './process.ts';
import { prepareEngine } from './providers/llama/installation.ts';
import { isSherpaInstalled, SHERPA_PACKAGE } from './providers/sherpa/installation.ts';

type ModelConfig = Pick<
  Config,
  | 'MODELS'
  | 'MODELS_URL'
  | 'ASR'
  | 'services'
  | 'VOICE_DETECTION'
  | 'modelsDir'
  | 'ENGINES_DIR'
  | 'DATA_DIR'
>;

/**
 * Starts downloading the models that the configuration requests, if any. Call it when the worker is ready.
 * @param catalog replaces the catalog in tests, and requests all of its models
 * @returns null if nothing is requested, or if this machine can't run the engine
 */
export function startModelDownloads(
  config: ModelConfig,
  log: Logger,
  now: () => Date,
  catalog?: readonly KnownModel[],
): BackgroundDownloads | null {
  const { memory, locale } = machine();
  const requested = requestedModels(config, { memory, locale });
  if (requested.length === 0) {
    // An earlier configuration may have requested models.
    void clearDownloadState(config.modelsDir).catch((error: unknown) =>
      log.warn({ err: error }, 'failed to clear the state of model downloads'),
    );
    return null;
  }
  if (!isSherpaInstalled()) {
    log.info(`not downloading models: ${SHERPA_PACKAGE} doesn't support this machine`);
    return null;
  }
  return downloadInBackground({
    folder: config.modelsDir,
    names: catalog?.map(({ name }) => name) ?? requested,
    ...(catalog && { catalog }),
    mirror: config.MODELS_URL,
    privateRoot: config.ENGINES_DIR,
    prepare: prepareEngine(config.DATA_DIR),
    now,
    notify(message) {
      log.info(message);
      reportNotice(message);
    },
    onError: (error) => log.error({ err: error }, 'model download failed'),
  });
}

/** Returns the memory of the machine or of its container, and the locale. */
function machine() {
  // Without a limit, `constrainedMemory` returns 0 or more than the machine's memory.
  const limit = process.constrainedMemory() || Number.POSITIVE_INFINITY;
  const { locale } = new Intl.DateTimeFormat().resolvedOptions();
  return { memory: Math.min(totalmem(), limit), locale };
}
