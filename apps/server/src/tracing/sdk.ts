import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { AlwaysOnSampler, BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import { createSafeExporter } from './safe-exporter.ts';

/** Time limit of one request to the receiver in milliseconds, less than a stopping process has. */
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
    // A client that sends a traceparent must not decide whether its requests are recorded.
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
  // Only the ids of traces are stored with jobs, not the baggage of clients.
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  return async () => {
    // A receiver that doesn't respond must not make the stop of a process fail.
    await provider.shutdown().catch((error: unknown) => {
      log.warn({ err: error }, 'remaining traces discarded');
    });
  };
}
