import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { acceptedLanguage } from '../../http/accepted-language.ts';
import type { CallServices } from '../../http/calls.ts';
import { CallError } from '../../http/failure.ts';
import { type Html, html } from '../../http/html.ts';
import type { Limit } from '../../http/rate-limit.ts';
import { words } from '../../words/index.ts';
import { framePage, pageHeaders } from '../share/page/frame.ts';
import { busyPage, failedPage } from '../share/page/messages.ts';
import type { NotificationEmails } from './service.ts';
import { type UnsubscribeAddresses, unsubscribePath } from './unsubscribe-address.ts';

export interface UnsubscribeDependencies extends Pick<CallServices, 'limiter'> {
  readonly mails: Pick<NotificationEmails, 'unsubscribe'>;
  readonly addresses: UnsubscribeAddresses;
}

type Request = FastifyRequest<{ Params: { token: string } }>;

const limit: Limit = { name: 'unsubscribe', count: 60, seconds: 3600 };
/** Maximum size of the request body in bytes. The body is ignored; mail clients send `List-Unsubscribe=One-Click`. */
const bodyBytes = 4096;

/**
 * Serves the unsubscribe URLs: a page for the link in an email, and the one-click request of mail clients (RFC 8058).
 * The page changes nothing until its button is pressed, because email scanners open links.
 */
export async function unsubscribeRoutes(
  app: FastifyInstance,
  { mails, addresses, limiter }: UnsubscribeDependencies,
): Promise<void> {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    '*',
    { parseAs: 'string', bodyLimit: bodyBytes },
    async (_request: FastifyRequest, _body: string) => undefined,
  );
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(pageHeaders);
  });
  app.setErrorHandler((error: FastifyError | CallError, request, reply) => {
    const language = acceptedLanguage(request.headers);
    if (error instanceof CallError && error.reason === 'tooManyRequests') {
      return sendPage(request, reply.code(429), busyPage(language));
    }
    const isRefused = !(error instanceof CallError) && (error.statusCode ?? 500) < 500;
    if (isRefused) return sendInvalid(request, reply);
    request.log.error({ err: error }, 'unsubscribing failed');
    return sendPage(request, reply.code(503), failedPage(language));
  });

  app.get(`${unsubscribePath}/:token`, (request: Request, reply) => {
    const { token } = request.params;
    if (addresses.parseAccount(token) === null) return sendInvalid(request, reply);
    const { stop, stopText } = words[acceptedLanguage(request.headers)].mail;
    const form = html`<form method="post" action="${unsubscribePath}/${token}">
<button class="button">${stop}</button>
</form>`;
    return sendMessage(request, reply, stop, html`<p>${stopText}</p>${form}`);
  });

  app.post(`${unsubscribePath}/:token`, async (request: Request, reply) => {
    const accountId = addresses.parseAccount(request.params.token);
    if (accountId === null) return sendInvalid(request, reply);
    await limiter.take(limit, accountId);
    await mails.unsubscribe(accountId);
    const { stopped, stoppedText } = words[acceptedLanguage(request.headers)].mail;
    return sendMessage(request, reply, stopped, html`<p>${stoppedText}</p>`);
  });
}

function sendMessage(
  request: FastifyRequest,
  reply: FastifyReply,
  title: string,
  content: Html,
): FastifyReply {
  const language = acceptedLanguage(request.headers);
  const main = html`<h1>${title}</h1>
${content}
<p><a class="button" href="/">${words[language].checkout.back}</a></p>`;
  return sendPage(request, reply, framePage({ language, title, main }));
}

function sendInvalid(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const { invalidTitle } = words[acceptedLanguage(request.headers)].share;
  return sendMessage(request, reply.code(404), invalidTitle, html``);
}

function sendPage(request: FastifyRequest, reply: FastifyReply, page: string): FastifyReply {
  return reply
    .type('text/html; charset=utf-8')
    .header('content-language', acceptedLanguage(request.headers))
    .send(page);
}
