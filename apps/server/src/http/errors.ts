import type { CodeName } from '@linnet/contract/codes';
import { codes } from '@linnet/contract/codes';
import { prefixes } from '@linnet/contract/routes';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import { StorageFailure } from '../providers/storage/port.ts';
import { CallError, defaultMessages } from './failure.ts';

declare module 'fastify' {
  interface FastifyReply {
    /** Code in the response envelope, or null for other responses. */
    envelopeCode: number | null;
  }
}

/** Sends an API error: HTTP 200 with a code and message, but no data. */
export function answerError(reply: FastifyReply, reason: CodeName, msg = defaultMessages[reason]) {
  reply.envelopeCode = codes[reason];
  return reply
    .code(200)
    .type('application/json; charset=utf-8')
    .header('cache-control', 'no-store')
    .serializer(JSON.stringify)
    .send({ code: codes[reason], msg, data: null });
}

/** Returns whether a path belongs to the API calls, whose responses always have the envelope. */
export function isCallPath(url: string): boolean {
  return Object.values(prefixes).some((prefix) => url === prefix || url.startsWith(`${prefix}/`));
}

/** Converts errors from handlers and Fastify to the envelope, and logs unexpected errors. */
export function installErrorHandler(app: FastifyInstance): void {
  app.decorateReply('envelopeCode', null);
  app.setErrorHandler((error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
    if (isInvalidPath(error, request)) return answerInvalidPath(error, request, reply);
    const { reason, msg } = toApiError(error);
    if (reason === 'internal') request.log.error({ err: error }, 'unhandled error in request');
    if (error instanceof StorageFailure)
      request.log.error({ err: error }, 'storage failed in request');
    return answerError(reply, reason, msg);
  });
}

/** Returns whether a file was requested with an invalid path, such as a path that escapes its folder. */
function isInvalidPath(error: FastifyError, { method, url }: FastifyRequest): boolean {
  if (error instanceof CallError || isCallPath(url)) return false;
  const { statusCode = 500 } = error;
  return (method === 'GET' || method === 'HEAD') && statusCode >= 400 && statusCode < 500;
}

/** Responds to a request with an invalid path. */
export function answerInvalidPath(_error: unknown, { url }: FastifyRequest, reply: FastifyReply) {
  if (isCallPath(url)) return answerError(reply, 'unknownCall');
  return reply.code(404).type('text/plain; charset=utf-8').send('Not found\n');
}

function toApiError(error: FastifyError): { reason: CodeName; msg?: string } {
  if (error instanceof CallError) return { reason: error.reason, msg: error.message };
  if (hasZodFastifySchemaValidationErrors(error)) {
    const [first] = error.validation;
    const field = first?.instancePath.replace(/^\//, '').replaceAll('/', '.');
    return {
      reason: 'badRequest',
      msg: field ? `${field}: ${first?.message}` : defaultMessages.badRequest,
    };
  }
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return { reason: 'tooLarge' };
  if (error.code === 'FST_UNDER_PRESSURE') return { reason: 'unavailable' };
  // Client errors raised by Fastify itself: malformed JSON, unknown content type, wrong length.
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return { reason: 'badRequest', msg: "The request body isn't valid JSON." };
  }
  if (error instanceof StorageFailure && error.code === 'full') return { reason: 'serverFull' };
  // The store is unavailable or misconfigured, which only the operator can fix.
  if (error instanceof StorageFailure) return { reason: 'unavailable' };
  if (isConnectionLoss(error)) return { reason: 'unavailable' };
  return { reason: 'internal' };
}

/**
 * Returns whether an error means that the database connection was lost, or that a statement or lock timed out. Checks
 * the error codes of pg and the operating system.
 */
function isConnectionLoss(error: { code?: string }): boolean {
  const connectionErrors = [
    'ECONNREFUSED',
    'ECONNRESET',
    'EPIPE',
    '57P01',
    '57P02',
    '57P03',
    '53300',
  ];
  // query_canceled, lock_not_available, idle_in_transaction_session_timeout
  const codes = [...connectionErrors, '57014', '55P03', '25P03'];
  return error.code !== undefined && codes.includes(error.code);
}
