import type { FastifyBaseLogger } from 'fastify';
import { fastify, LogController } from 'fastify';
import type { Logger } from 'pino';
import type { Config } from './config/index.ts';
import type { Metrics } from './metrics/metrics.ts';
import type { Needs } from './plugins/health.ts';
import { installHealth } from './plugins/health.ts';
import { installHostCheck } from './plugins/hosts.ts';
import { installMetrics } from './plugins/metrics.ts';

/**
 * Opens METRICS_PORT, where a worker tells how it is and what it counted; nothing without the port. The
 * port is its own, which no proxy passes on: without a token, loopback alone is protection enough.
 * @returns what closes it
 */
export async function openWorkerSite(
  config: Pick<Config, 'HOST' | 'METRICS_PORT' | 'METRICS_TOKEN' | 'PUBLIC_URL' | 'ALLOWED_HOSTS'>,
  needs: Needs,
  metrics: Metrics,
  log: Logger,
): Promise<() => Promise<void>> {
  const { METRICS_PORT: port, METRICS_TOKEN: token } = config;
  if (port === undefined) return async () => undefined;
  const loggerInstance: FastifyBaseLogger = log;
  const logController = new LogController({ disableRequestLogging: true });
  const site = fastify({ loggerInstance, logController });
  installHostCheck(site, config);
  installHealth(site, needs, log);
  installMetrics(site, metrics, config, true);
  await site.listen({ port, host: token === undefined ? '127.0.0.1' : config.HOST });
  return () => site.close();
}
