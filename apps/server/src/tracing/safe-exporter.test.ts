import { SpanStatusCode } from '@opentelemetry/api';
import {
  InMemorySpanExporter,
  SimpleSpanProcessor,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { createSafeExporter } from './safe-exporter.ts';

it('exports neither messages and stacks of errors nor unknown attributes', async () => {
  const exporter = new InMemorySpanExporter();
  const safe = createSafeExporter(exporter, pino({ level: 'silent' }));
  const provider = new TracerProvider({
    spanProcessors: [new SimpleSpanProcessor({ exporter: safe })],
  });
  const tracer = provider.getTracer('test');
  const span = tracer.startSpan('process transcribe', {
    attributes: { 'error.type': 'Error', 'db.statement': 'a secret', 'linnet.step': 'decode' },
    links: [{ context: tracer.startSpan('other').spanContext(), attributes: { text: 'a secret' } }],
  });
  span.recordException(new Error('a secret'));
  span.setStatus({ code: SpanStatusCode.ERROR, message: 'a secret' });
  span.end();
  tracer.startSpan('complete', { attributes: { 'messaging.operation.type': 'settle' } }).end();
  await provider.forceFlush();
  const spans = exporter.getFinishedSpans();
  expect(spans).toHaveLength(1);
  expect(spans[0]).toMatchObject({
    name: 'process transcribe',
    attributes: { 'error.type': 'Error', 'linnet.step': 'decode' },
    events: [],
    links: [],
    status: { code: SpanStatusCode.ERROR },
  });
  expect(spans[0]?.status.message).toBeUndefined();
  expect(Object.keys(spans[0]?.attributes ?? {})).toHaveLength(2);
  expect(spans[0]?.spanContext().spanId).toBe(span.spanContext().spanId);
  await provider.shutdown();
});
