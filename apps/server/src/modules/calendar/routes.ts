import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify';
import type { CallServices, DefineCall } from '../../http/calls.ts';
import { CallError } from '../../http/failure.ts';
import type { Lane } from '../../http/gate.ts';
import type { Limit } from '../../http/rate-limit.ts';
import { type Calendars, calendarPath } from './service.ts';

export function calendarRoutes(call: DefineCall, calendars: Calendars): void {
  call('calendar/get', async (_body, { accountId }, { origin }) => ({
    url: await calendars.url(accountId, origin),
  }));
  call('calendar/create', async (_body, { accountId }, { origin }) => ({
    url: await calendars.create(accountId, origin),
  }));
  call('calendar/revoke', async (_body, { accountId }) => {
    await calendars.revoke(accountId);
    return {};
  });
}

/** The lane for requests from calendar apps. Each request reads the whole calendar. */
const lane: Lane = { name: 'calendar', concurrency: 1, waiting: 8 };
/** Limits requests, because each of them reads all recordings. Calendar apps refresh every few minutes at most. */
const readLimit: Limit = { name: 'calendar', count: 120, seconds: 3600 };

/** Serves calendars to calendar apps, which don't send a token. The secret URL is the only authorization. */
export async function calendarFileRoutes(
  app: FastifyInstance,
  calendars: Calendars,
  { gate, limiter, getOrigin }: Pick<CallServices, 'gate' | 'limiter' | 'getOrigin'>,
): Promise<void> {
  // Calendar apps evaluate the HTTP status, not the code in Linnet's envelope.
  app.setErrorHandler((error: FastifyError | CallError, request, reply) => {
    const isBusy = error instanceof CallError && error.reason === 'tooManyRequests';
    if (!isBusy) request.log.error({ err: error }, 'calendar request failed');
    return reply
      .code(isBusy ? 429 : 500)
      .type('text/plain')
      .send('Try again later.\n');
  });
  app.get(
    `${calendarPath}/:name`,
    async (request: FastifyRequest<{ Params: { name: string } }>, reply) => {
      const sessionId = calendars.parseSession(request.params.name);
      // Limit by session rather than by network, because a calendar service fetches many accounts' calendars.
      const file =
        sessionId &&
        (await gate.run(lane, sessionId, async () => {
          await limiter.take(readLimit, sessionId);
          return calendars.read(sessionId, getOrigin(request));
        }));
      if (file === null) return reply.code(404).type('text/plain').send('Not found\n');
      return reply
        .header('cache-control', 'private, no-cache')
        .type('text/calendar; charset=utf-8')
        .send(file);
    },
  );
}
