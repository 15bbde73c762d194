import type { Logger } from 'pino';
import type { Config } from '../config/index.ts';

/**
 * Starts exporting the traces of this process to OTEL_EXPORTER_OTLP_ENDPOINT. If it isn't set, the exporter isn't even
 * loaded, and the OpenTelemetry API creates no-op spans.
 * @returns a function that exports the remaining spans
 */
export async function startTracing(
  config: Pick<Config, 'OTEL_EXPORTER_OTLP_ENDPOINT' | 'version'>,
  role: 'api' | 'worker',
  log: Logger,
): Promise<() => Promise<void>> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, version } = config;
  if (endpoint === undefined) return async () => undefined;
  const { openTracing } = await import('./sdk.ts');
  return openTracing({ endpoint, version, role }, log);
}
