import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { CallServices, DefineCall } from '../../http/calls.ts';
import { networkOf } from '../../http/network.ts';
import { type Calendars, calendarPath } from './service.ts';

export function calendarRoutes(call: DefineCall, calendars: Calendars): void {
  call('calendar/get', async (_body, { accountId }, { origin }) => ({
    url: await calendars.address(accountId, origin),
  }));
  call('calendar/create', async (_body, { accountId }, { origin }) => ({
    url: await calendars.create(accountId, origin),
  }));
  call('calendar/revoke', async (_body, { accountId }) => {
    await calendars.revoke(accountId);
    return {};
  });
}

/** Requests of calendar apps, which read the whole calendar. */
const lane = { name: 'calendar', concurrency: 2, waiting: 64 };

/** Serves the calendars to calendar apps, which send no token. */
export async function calendarFileRoutes(
  app: FastifyInstance,
  calendars: Calendars,
  { gate, originOf }: Pick<CallServices, 'gate' | 'originOf'>,
): Promise<void> {
  app.get(
    `${calendarPath}/:name`,
    async (request: FastifyRequest<{ Params: { name: string } }>, reply) => {
      const file = await gate.run(lane, networkOf(request.ip), () =>
        calendars.read(request.params.name, originOf(request)),
      );
      if (file === null) return reply.code(404).type('text/plain').send('Not found\n');
      return reply
        .header('cache-control', 'private, no-cache')
        .type('text/calendar; charset=utf-8')
        .send(file);
    },
  );
}
