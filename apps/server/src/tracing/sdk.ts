import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { AlwaysOnSampler, BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import { createSafeExporter } from './safe-exporter.ts';

/** Timeout of an export request in milliseconds, shorter than the timeout for stopping the process. */
const exportTimeoutMs = 5000;

/** Installs the OpenTelemetry SDK for this process, which exports spans over OTLP/HTTP in batches. */
export function openTracing(
  { endpoint, version, role }: { endpoint: string; version: string; role: 'api' | 'worker' },
  log: Logger,
): () => Promise<void> {
  const exporter = new OTLPTraceExporter({
    url: `${endpoint}/v1/traces`,
    timeoutMillis: exportTimeoutMs,
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': `linnet-${role}`,
      'service.version': version,
    }),
    // Record all requests, because clients must not be able to control the recording through `traceparent`.
    sampler: new AlwaysOnSampler(),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: createSafeExporter(exporter, log),
        exportTimeoutMillis: exportTimeoutMs,
      }),
    ],
  });
  trace.setGlobalTracerProvider(provider);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  // Propagate only trace IDs to jobs, not the clients' baggage.
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  return async () => {
    // An unresponsive receiver must not make the shutdown fail.
    await provider.shutdown().catch((error: unknown) => {
      log.warn({ err: error }, 'remaining traces discarded');
    });
  };
}
