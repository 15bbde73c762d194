import type { Context } from '@opentelemetry/api';
import {
  context,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { tracer } from '../tracing/spans.ts';

/** Routes without traces: probes, metrics and the app's files. */
const untracedRoutes = new Set(['/healthz', '/readyz', '/metrics', '/*']);

/**
 * Runs each request in a span, which continues the trace of a `traceparent` header. Jobs that the request enqueues
 * belong to its trace.
 */
export function traceRequests(app: FastifyInstance): void {
  const contexts = new WeakMap<FastifyRequest, Context>();

  app.addHook('onRequest', (request, _reply, done) => {
    const { method, routeOptions, headers } = request;
    const { url: route } = routeOptions;
    if (route === undefined || untracedRoutes.has(route)) return done();
    // Ignore `tracestate`, which contains arbitrary text supplied by the client and would be exported and stored with
    // jobs.
    const { traceparent } = headers;
    const parent = propagation.extract(ROOT_CONTEXT, { traceparent });
    const attributes = { 'http.request.method': method, 'http.route': route };
    const options = { kind: SpanKind.SERVER, attributes };
    const span = tracer.startSpan(`${method} ${route}`, options, parent);
    const requestContext = trace.setSpan(parent, span);
    contexts.set(request, requestContext);
    context.with(requestContext, done);
  });

  // Reading the body loses the context, because the body's events are emitted by the connection. Restore it here.
  app.addHook('preValidation', (request, _reply, done) => {
    context.with(contexts.get(request) ?? ROOT_CONTEXT, done);
  });

  app.addHook('onResponse', async (request, reply) => {
    const span = getRequestSpan(request);
    if (!span) return;
    span.setAttribute('http.response.status_code', reply.statusCode);
    if (reply.envelopeCode !== null) span.setAttribute('linnet.code', reply.envelopeCode);
    if (reply.statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    span.end();
  });

  app.addHook('onRequestAbort', async (request) => {
    const span = getRequestSpan(request);
    span?.setAttribute('error.type', 'aborted');
    span?.setStatus({ code: SpanStatusCode.ERROR });
    span?.end();
  });

  function getRequestSpan(request: FastifyRequest) {
    const requestContext = contexts.get(request);
    return requestContext && trace.getSpan(requestContext);
  }
}
