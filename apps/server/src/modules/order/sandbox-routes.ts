import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Database, Row } from '../../db/database.ts';
import { isId } from '../../db/ids.ts';
import type { Sandbox } from '../../providers/payment/sandbox.ts';
import { sandboxChoices, sandboxPath } from '../../providers/payment/sandbox.ts';
import type { Fulfilment } from './fulfilment.ts';
import { noSuchCheckout, sandboxPage, sandboxPolicy } from './sandbox-page.ts';

export interface SandboxRoutesParts {
  readonly db: Database;
  readonly sandbox: Sandbox;
  readonly fulfilment: Fulfilment;
}

type Request = FastifyRequest<{ Params: { order: string }; Querystring: { s?: unknown } }>;

/** The value of `status` in the app's return URL. */
const returnStatus: Record<Row<'orders'>['status'], string> = {
  pending: 'cancel',
  paid: 'success',
  refunded: 'success',
  failed: 'fail',
  canceled: 'cancel',
  expired: 'cancel',
};

/** Serves the sandbox's checkout pages. Their URLs are signed, which is the only authorization. */
export async function sandboxRoutes(app: FastifyInstance, parts: SandboxRoutesParts) {
  const { db, sandbox, fulfilment } = parts;
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_request: FastifyRequest, body: string) => Object.fromEntries(new URLSearchParams(body)),
  );
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('content-security-policy', sandboxPolicy).header('cache-control', 'no-store');
  });

  const findOrder = async ({ params, query }: Request): Promise<Row<'orders'> | undefined> => {
    const isSigned = typeof query.s === 'string' && sandbox.isSigned(params.order, query.s);
    if (!isSigned || !isId(params.order)) return undefined;
    return db
      .selectFrom('orders')
      .selectAll()
      .where('id', '=', params.order)
      .where('provider', '=', 'sandbox')
      .executeTakeFirst();
  };
  const returnUrl = (order: Row<'orders'>) =>
    `${order.return_path}?order=${order.id}&status=${returnStatus[order.status]}`;
  const html = (reply: FastifyReply) => reply.type('text/html; charset=utf-8');

  app.get(`${sandboxPath}/:order`, async (request: Request, reply) => {
    const order = await findOrder(request);
    if (!order) return html(reply.code(404)).send(noSuchCheckout());
    return html(reply).send(
      sandboxPage(order, { action: request.url, returnUrl: returnUrl(order) }),
    );
  });

  const form = z.object({ choice: z.enum(sandboxChoices) });
  app.post(`${sandboxPath}/:order`, async (request: Request, reply) => {
    const chosen = form.safeParse(request.body);
    const order = await findOrder(request);
    if (!order || !chosen.success) return html(reply.code(404)).send(noSuchCheckout());
    if (order.status === 'pending') {
      await fulfilment.apply('sandbox', [sandbox.choose(order.id, chosen.data.choice)]);
    }
    const updated = await findOrder(request);
    return reply.redirect(returnUrl(updated ?? order), 303);
  });
}
