import type { CodeName } from '@linnet/contract/codes';
import { codes } from '@linnet/contract/codes';
import { prefixes } from '@linnet/contract/routes';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import { StorageFailure } from '../providers/storage/port.ts';
import { CallError, messages } from './failure.ts';

declare module 'fastify' {
  interface FastifyReply {
    /** The code of the answered envelope; null where the answer is none. */
    envelopeCode: number | null;
  }
}

/** An error as the calls answer it: HTTP 200, the code, the sentence, no data. */
export function answerError(reply: FastifyReply, reason: CodeName, msg = messages[reason]) {
  reply.envelopeCode = codes[reason];
  return reply
    .code(200)
    .type('application/json; charset=utf-8')
    .header('cache-control', 'no-store')
    .serializer(JSON.stringify)
    .send({ code: codes[reason], msg, data: null });
}

/** Whether a path belongs to the calls, whose every answer is the envelope. */
export function isCallPath(url: string): boolean {
  return Object.values(prefixes).some((prefix) => url === prefix || url.startsWith(`${prefix}/`));
}

/** Turns whatever a handler or Fastify throws into the envelope; what is unforeseen is logged. */
export function installErrorHandler(app: FastifyInstance): void {
  app.decorateReply('envelopeCode', null);
  app.setErrorHandler((error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
    if (isOddAddress(error, request)) return answerOddAddress(error, request, reply);
    const { reason, msg } = translate(error);
    if (reason === 'internal') request.log.error({ err: error }, 'a call failed unforeseen');
    if (error instanceof StorageFailure)
      request.log.error({ err: error }, 'the store failed a call');
    return answerError(reply, reason, msg);
  });
}

/** Whether a file was asked for under an address that none can have, such as one that climbs out of its folder. */
function isOddAddress(error: FastifyError, { method, url }: FastifyRequest): boolean {
  if (error instanceof CallError || isCallPath(url)) return false;
  const { statusCode = 500 } = error;
  return (method === 'GET' || method === 'HEAD') && statusCode >= 400 && statusCode < 500;
}

/** Answers a request for an address that nothing has. */
export function answerOddAddress(_error: unknown, { url }: FastifyRequest, reply: FastifyReply) {
  if (isCallPath(url)) return answerError(reply, 'unknownCall');
  return reply.code(404).type('text/plain; charset=utf-8').send('Not found\n');
}

function translate(error: FastifyError): { reason: CodeName; msg?: string } {
  if (error instanceof CallError) return { reason: error.reason, msg: error.message };
  if (hasZodFastifySchemaValidationErrors(error)) {
    const [first] = error.validation;
    const field = first?.instancePath.replace(/^\//, '').replaceAll('/', '.');
    return {
      reason: 'badRequest',
      msg: field ? `${field}: ${first?.message}` : messages.badRequest,
    };
  }
  if (error.code === 'FST_ERR_CTP_BODY_TOO_LARGE') return { reason: 'tooLarge' };
  if (error.code === 'FST_UNDER_PRESSURE') return { reason: 'unavailable' };
  // Fastify's own refusals of a request: malformed JSON, unknown content type, bad length.
  if (error.statusCode !== undefined && error.statusCode >= 400 && error.statusCode < 500) {
    return { reason: 'badRequest', msg: 'The body is not JSON that can be read.' };
  }
  if (error instanceof StorageFailure && error.code === 'full') return { reason: 'serverFull' };
  // Silent, or not as the operator says: nothing that the caller can change.
  if (error instanceof StorageFailure) return { reason: 'unavailable' };
  if (isConnectionLoss(error)) return { reason: 'unavailable' };
  return { reason: 'internal' };
}

/**
 * Whether the database went away, or gave up on a statement that took too long or waited too long for a lock, as pg and
 * the system say it.
 */
function isConnectionLoss(error: { code?: string }): boolean {
  const lost = ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', '57P01', '57P02', '57P03', '53300'];
  // query_canceled, lock_not_available, idle_in_transaction_session_timeout
  const codes = [...lost, '57014', '55P03', '25P03'];
  return error.code !== undefined && codes.includes(error.code);
}
