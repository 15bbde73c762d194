import type { FastifyBaseLogger } from 'fastify';
import { fastify, LogController } from 'fastify';
import type { Logger } from 'pino';
import type { Config } from './config/index.ts';
import { downloadFolder } from './config/index.ts';
import type { Metrics } from './metrics/metrics.ts';
import type { Dependencies } from './plugins/health.ts';
import { installHealth } from './plugins/health.ts';
import { installHostCheck } from './plugins/hosts.ts';
import { installMetrics } from './plugins/metrics.ts';

/**
 * Serves a worker's health and metrics on METRICS_PORT, if set. Without METRICS_TOKEN, it only listens on loopback,
 * which is sufficient because no proxy forwards this port.
 * @returns a function that closes the server
 */
export async function openWorkerSite(
  config: Pick<
    Config,
    | 'HOST'
    | 'METRICS_PORT'
    | 'METRICS_TOKEN'
    | 'PUBLIC_URL'
    | 'ALLOWED_HOSTS'
    | 'MODELS'
    | 'modelsDir'
  >,
  dependencies: Omit<Dependencies, 'modelsDir'>,
  metrics: Metrics,
  log: Logger,
): Promise<() => Promise<void>> {
  const { METRICS_PORT: port, METRICS_TOKEN: token } = config;
  if (port === undefined) return async () => undefined;
  const loggerInstance: FastifyBaseLogger = log;
  const logController = new LogController({ disableRequestLogging: true });
  const site = fastify({ loggerInstance, logController });
  installHostCheck(site, config);
  installHealth(site, { ...dependencies, modelsDir: downloadFolder(config) }, log);
  installMetrics(site, metrics, config, true);
  await site.listen({ port, host: token === undefined ? '127.0.0.1' : config.HOST });
  return () => site.close();
}
