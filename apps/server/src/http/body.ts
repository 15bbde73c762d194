import type { FastifyInstance } from 'fastify';
import { CallError } from './failure.ts';

/**
 * Matches escapes for characters that PostgreSQL can't store as text: NUL and lone surrogates. In UTF-8 JSON, they can
 * only appear as escapes, so a body without such an escape needs no further check.
 */
const unstorableEscape = /\\u(?:0000|d[89a-f])/i;

/** Returns whether every string in a parsed body, including keys, can be stored. */
export function isStorable(body: unknown): boolean {
  // Iterates rather than recurses, because a body may be nested more deeply than the stack allows.
  const pendingValues = [body];
  while (pendingValues.length > 0) {
    const value = pendingValues.pop();
    if (typeof value === 'string') {
      if (!value.isWellFormed() || value.includes('\0')) return false;
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, item] of Object.entries(value)) pendingValues.push(key, item);
    }
  }
  return true;
}

/**
 * Parses JSON bodies. A call without parameters may omit the body, regardless of its content type. Strings that can't
 * be stored are rejected here, before they reach a call.
 */
export function installBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    (request, body: string, done) => {
      if (body.trim() === '') return done(null, undefined);
      parse(request, body, (error, value) => {
        if (error === null && unstorableEscape.test(body) && !isStorable(value)) {
          const message = "The body contains characters that can't be stored.";
          return done(new CallError('badRequest', message));
        }
        done(error, value);
      });
    },
  );
}
