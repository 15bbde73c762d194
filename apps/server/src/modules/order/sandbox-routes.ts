import type { InterfaceLanguage } from '@linnet/contract/interface-languages';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Database, Row } from '../../db/database.ts';
import { isId } from '../../db/ids.ts';
import { acceptedLanguage } from '../../http/accepted-language.ts';
import type { Sandbox } from '../../providers/payment/sandbox.ts';
import { sandboxChoices, sandboxPath } from '../../providers/payment/sandbox.ts';
import type { AccountLanguages } from '../user/languages.ts';
import type { Fulfillment } from './fulfillment.ts';
import { checkoutNotFound, sandboxPage, sandboxPolicy } from './sandbox-page.ts';

export interface SandboxRoutesDependencies {
  readonly db: Database;
  readonly sandbox: Sandbox;
  readonly fulfillment: Fulfillment;
  readonly languages: AccountLanguages;
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

/** Serves the sandbox's checkout pages. The signature in a page's URL is the only authorization. */
export async function sandboxRoutes(app: FastifyInstance, deps: SandboxRoutesDependencies) {
  const { db, sandbox, fulfillment, languages } = deps;
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
  /** Returns the language of the order's account, or else the browser's language. */
  const selectLanguage = async (request: Request, order?: Row<'orders'>) => {
    const accountId = order?.account_id;
    const accountLanguage = accountId ? await languages.of(db, accountId) : undefined;
    return accountLanguage ?? acceptedLanguage(request.headers);
  };
  const sendHtml = (reply: FastifyReply, language: InterfaceLanguage, html: string) =>
    reply
      .type('text/html; charset=utf-8')
      .header('content-language', language)
      .header('vary', 'accept-language')
      .send(html);
  const sendNotFound = async (request: Request, reply: FastifyReply) => {
    const language = await selectLanguage(request);
    return sendHtml(reply.code(404), language, checkoutNotFound(language));
  };

  app.get(`${sandboxPath}/:order`, async (request: Request, reply) => {
    const order = await findOrder(request);
    if (!order) return sendNotFound(request, reply);
    const language = await selectLanguage(request, order);
    const urls = { action: request.url, returnUrl: returnUrl(order) };
    return sendHtml(reply, language, sandboxPage(order, urls, language));
  });

  const form = z.object({ choice: z.enum(sandboxChoices) });
  app.post(`${sandboxPath}/:order`, async (request: Request, reply) => {
    const chosen = form.safeParse(request.body);
    const order = await findOrder(request);
    if (!order || !chosen.success) return sendNotFound(request, reply);
    if (order.status === 'pending') {
      await fulfillment.apply('sandbox', [sandbox.choose(order.id, chosen.data.choice)]);
    }
    const updated = await findOrder(request);
    return reply.redirect(returnUrl(updated ?? order), 303);
  });
}
