import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/index.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { isSameSecret } from '../secrets.ts';

/**
 * Serves /metrics to clients that send METRICS_TOKEN. Without a configured token, metrics are served only if `isLocal`
 * is true, which means that only this machine can reach them. All other requests get a 404.
 */
export function installMetrics(
  app: FastifyInstance,
  metrics: Metrics,
  { METRICS_TOKEN: token }: Pick<Config, 'METRICS_TOKEN'>,
  isLocal: boolean,
): void {
  app.get('/metrics', async (request, reply) => {
    const { authorization = '' } = request.headers;
    const isAllowed =
      token === undefined ? isLocal : isSameSecret(authorization, `Bearer ${token}`);
    if (!isAllowed) return reply.callNotFound();
    return reply
      .header('cache-control', 'no-store')
      .type(metrics.contentType)
      .send(await metrics.text());
  });
}

/** Counts responses by route pattern and envelope code. */
export function countRequests(app: FastifyInstance, metrics: Metrics): void {
  app.addHook('onResponse', async (request, reply) => {
    const { method, routeOptions } = request;
    const labels = {
      method,
      route: routeOptions.url ?? 'none',
      status: reply.statusCode,
      code: reply.envelopeCode ?? ('' as const),
    };
    metrics.request(labels, reply.elapsedTime / 1000);
  });
}
