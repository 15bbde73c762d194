import type { FastifyInstance } from 'fastify';
import { CallError } from './failure.ts';

/**
 * What PostgreSQL cannot store as text: NUL, and halves of surrogate pairs. In JSON that was UTF-8 they
 * can only be written as escapes, so a body without these escapes needs no closer look.
 */
const suspicious = /\\u(?:0000|d[89a-f])/i;

/** Whether every text in a parsed body, keys included, can be stored. */
export function isStorable(body: unknown): boolean {
  // Not recursive: a body may be nested deeper than the stack.
  const waiting = [body];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value === 'string') {
      if (!value.isWellFormed() || value.includes('\0')) return false;
    } else if (typeof value === 'object' && value !== null) {
      for (const [key, inner] of Object.entries(value)) waiting.push(key, inner);
    }
  }
  return true;
}

/**
 * Reads JSON bodies. Calls with nothing to say may send no body at all, whatever content type they
 * declare. Text that cannot be stored is refused here, before any call looks at it.
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
        if (error === null && suspicious.test(body) && !isStorable(value)) {
          const sentence = 'The body holds characters that cannot be stored.';
          return done(new CallError('badRequest', sentence));
        }
        done(error, value);
      });
    },
  );
}
