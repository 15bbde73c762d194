import type { Attributes } from '@opentelemetry/api';
import { ExportResultCode } from '@opentelemetry/core';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';

/**
 * The exported attributes. Their values are routes, methods, codes, names of jobs and steps, error classes and job IDs,
 * but never text, titles, email addresses or tokens.
 */
const exportedAttributes = new Set([
  'http.request.method',
  'http.route',
  'http.response.status_code',
  'linnet.code',
  'linnet.step',
  'error.type',
  'messaging.system',
  'messaging.operation.name',
  'messaging.operation.type',
  'messaging.destination.name',
  'messaging.message.id',
  'pgboss.job.retry_count',
]);

/** Matches the queue's spans about finished jobs, which don't belong to any trace. */
const isSettlement = ({ attributes }: ReadableSpan) =>
  attributes['messaging.operation.type'] === 'settle';

/** Wraps an exporter to remove personal data from spans, and to log failures only once until the next success. */
export function createSafeExporter(exporter: SpanExporter, log: Logger): SpanExporter {
  let isFailing = false;
  return {
    export(spans, onResult) {
      const safeSpans = spans.filter((span) => !isSettlement(span)).map(safeSpan);
      if (safeSpans.length === 0) return onResult({ code: ExportResultCode.SUCCESS });
      exporter.export(safeSpans, (result) => {
        const hasFailed = result.code === ExportResultCode.FAILED;
        if (hasFailed && !isFailing) log.warn({ err: result.error }, 'trace export failed');
        if (!hasFailed && isFailing) log.info('trace export works again');
        isFailing = hasFailed;
        onResult(result);
      });
    },
    forceFlush: async () => exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  };
}

/**
 * Returns a span with only the listed attributes, and without links, events and status message, which may contain error
 * messages.
 */
function safeSpan(span: ReadableSpan): ReadableSpan {
  const attributes: Attributes = Object.fromEntries(
    Object.entries(span.attributes).filter(([name]) => exportedAttributes.has(name)),
  );
  return Object.create(span, {
    attributes: { value: attributes },
    events: { value: [] },
    links: { value: [] },
    status: { value: { code: span.status.code } },
  });
}
