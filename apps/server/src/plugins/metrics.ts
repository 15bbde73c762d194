import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { sameSecret } from '../secrets.ts';

/**
 * /metrics, for whoever shows METRICS_TOKEN. Without one it answers only where `open` says that nobody
 * but this machine can ask. To everybody else there is no such address.
 */
export function installMetrics(
  app: FastifyInstance,
  metrics: Metrics,
  { METRICS_TOKEN: token }: Pick<Config, 'METRICS_TOKEN'>,
  open: boolean,
): void {
  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    const { authorization = '' } = request.headers;
    const allowed = token === undefined ? open : sameSecret(authorization, `Bearer ${token}`);
    if (!allowed) return reply.callNotFound();
    return reply
      .header('cache-control', 'no-store')
      .type(metrics.contentType)
      .send(await metrics.text());
  });
}

/** Counts what is answered, by the pattern of its route and the code of its envelope. */
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
