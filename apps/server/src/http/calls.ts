import type { CallData, CallInput, CallName } from '@linnet/contract';
import { calls, codes, envelope, prefixes } from '@linnet/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Caller } from '../modules/user/access.ts';

/** What a handler knows of the call besides its body. */
export interface CallContext {
  readonly request: FastifyRequest;
  /** The address of this server as the caller reaches it, without a trailing slash. */
  readonly origin: string;
}

/** Who may make a call: by kind of token, what the handler is handed. */
interface Bearers {
  none: null;
  access: Caller;
  /** The refresh token itself. */
  refresh: string;
}
type AuthOf<Name extends CallName> = (typeof calls)[Name]['auth'];

export type CallHandler<Name extends CallName> = (
  body: CallInput<Name>,
  bearer: Bearers[AuthOf<Name>],
  context: CallContext,
) => Promise<CallData<Name>>;

export interface CallPlumbing {
  /** @throws CallError tokenExpired, tokenInvalid */
  authenticate(token: string | null): Promise<Caller>;
  originOf(request: FastifyRequest): string;
}

/** Registers a call of the contract under both prefixes, with its schemas and its token. */
export type DefineCall = <Name extends CallName>(name: Name, handler: CallHandler<Name>) => void;

export function callDefiner(app: FastifyInstance, plumbing: CallPlumbing): DefineCall {
  return (name, handler) => {
    const { method, path, host, auth, body, data } = calls[name];
    const serve = async (request: FastifyRequest, reply: FastifyReply) => {
      const token = bearerToken(request);
      const bearer =
        auth === 'none'
          ? null
          : auth === 'refresh'
            ? (token ?? '')
            : await plumbing.authenticate(token);
      const context = { request, origin: plumbing.originOf(request) };
      const answer = await handler(
        (method === 'GET' ? {} : request.body) as CallInput<typeof name>,
        bearer as Bearers[AuthOf<typeof name>],
        context,
      );
      reply.header('cache-control', 'no-store');
      reply.envelopeCode = codes.ok;
      return { code: codes.ok, msg: 'ok', data: answer };
    };
    for (const [prefixHost, prefix] of Object.entries(prefixes)) {
      app.route({
        method,
        url: `${prefix}${path}`,
        schema: {
          ...(method === 'POST' && { body }),
          response: { 200: envelope(data) },
          summary: name,
          security: auth === 'none' ? [] : [{ [auth]: [] }],
          // Each call is described once, where the specification puts it.
          hide: prefixHost !== host,
        },
        handler: serve,
      });
    }
  };
}

/** The token of an Authorization header, or null for none or another scheme. */
function bearerToken(request: FastifyRequest): string | null {
  return /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? null;
}
