/** Registers the contract's calls as routes, with authentication, limits and the response envelope. */
import type { CallData, CallInput, CallName } from '@linnet/contract';
import { callScopes, calls, codes, envelope, prefixes } from '@linnet/contract';
import type { AccountCall } from '@linnet/contract/key-scopes';
import type { Auth } from '@linnet/contract/routes';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify';
import type { Caller, RequiredScope } from '../modules/user/access.ts';
import { CallError } from './failure.ts';
import {
  accountLane,
  accountLimits,
  type Gate,
  identifyLane,
  keyLimit,
  networkLane,
} from './gate.ts';
import { getNetwork } from './network.ts';
import type { RateLimiter } from './rate-limit.ts';

/** The context of a call. */
export interface CallContext {
  readonly request: FastifyRequest;
  /** This server's origin as addressed by the caller, without a trailing slash. */
  readonly origin: string;
}

/** The caller's identity, passed to the handler, by kind of token. */
export interface CallerByAuth {
  none: null;
  access: Caller;
  /** The refresh token itself. */
  refresh: string;
}
export type AuthOf<Name extends CallName> = (typeof calls)[Name]['auth'];

export type CallHandler<Name extends CallName> = (
  body: CallInput<Name>,
  caller: CallerByAuth[AuthOf<Name>],
  context: CallContext,
) => Promise<CallData<Name>>;

export interface CallServices {
  /** Limits concurrent requests per account, or per network for calls without a token. */
  readonly gate: Gate;
  /** Limits the rate of calls per account, across all processes. */
  readonly limiter: RateLimiter;
  /**
   * Returns the subject of a token without a database query: the account that an access token was signed for, or the
   * API key.
   * @throws CallError tokenExpired, tokenInvalid
   */
  subjectOfToken(token: string | null): string;
  /** @throws CallError tokenExpired, tokenInvalid, keyNotAllowed */
  authenticate(token: string | null, scope: RequiredScope): Promise<Caller>;
  getOrigin(request: FastifyRequest): string;
}

/** Registers one of the contract's calls under both prefixes, with its schemas and authentication. */
export type DefineCall = <Name extends CallName>(name: Name, handler: CallHandler<Name>) => void;

export function createCallDefiner(app: FastifyInstance, services: CallServices): DefineCall {
  return (name, handler) => {
    const { method, body } = calls[name];
    serveCall(
      app,
      services,
      name,
      method === 'POST' ? { schema: { body } } : {},
      (caller, context) => {
        const input = method === 'GET' ? {} : context.request.body;
        return handler(input as CallInput<typeof name>, caller, context);
      },
    );
  };
}

/** Route options that depend on the kind of call. */
type RouteExtras = Pick<RouteShorthandOptions, 'schema' | 'validatorCompiler'>;

/** Registers a call's routes. Authentication and the envelope are the same for every kind of body. */
export function serveCall<Name extends CallName>(
  app: FastifyInstance,
  services: CallServices,
  name: Name,
  extras: RouteExtras,
  run: (caller: CallerByAuth[AuthOf<Name>], context: CallContext) => Promise<CallData<Name>>,
): void {
  const { method, path, auth, data } = calls[name];
  const callers = new WeakMap<FastifyRequest, CallerByAuth[Auth]>();
  /** Authenticates before the body is read, so that unauthenticated requests are cheap and reveal nothing. */
  const identify = async (request: FastifyRequest) => {
    const token = bearerToken(request.headers.authorization);
    if (auth === 'none') return;
    if (auth === 'access') {
      const caller = await authenticateIn(services, token, callScopes[name as AccountCall]);
      callers.set(request, caller);
    } else if (token === null) throw new CallError('tokenInvalid');
    else callers.set(request, token);
  };
  const serve = async (request: FastifyRequest, reply: FastifyReply) => {
    const caller = callers.get(request) ?? null;
    const context = { request, origin: services.getOrigin(request) };
    const runCall = async () => {
      if (auth === 'access') await enforceLimits(services.limiter, name, caller as Caller);
      return run(caller as CallerByAuth[AuthOf<Name>], context);
    };
    // Queue before accessing the database, because waiting requests must not hold a connection.
    const data =
      auth === 'access'
        ? await services.gate.run(
            accountLane(name as AccountCall),
            getSubject(caller as Caller),
            runCall,
          )
        : await services.gate.run(networkLane(name), getNetwork(request.ip), runCall);
    reply.header('cache-control', 'no-store');
    reply.envelopeCode = codes.ok;
    return { code: codes.ok, msg: 'ok', data };
  };
  for (const prefix of Object.values(prefixes)) {
    app.route({
      ...extras,
      method,
      url: `${prefix}${path}`,
      schema: {
        ...extras.schema,
        response: { 200: envelope(data) },
      },
      onRequest: identify,
      handler: serve,
    });
  }
}

/**
 * The subject of an authenticated call's lane and rate limit. All of an account's API keys share lanes that are
 * separate from the app's, so that scripts can't delay it.
 */
export const getSubject = ({ accountId, keyId }: Caller) =>
  keyId === null ? accountId : `keys of ${accountId}`;

/** @throws CallError tooManyRequests */
async function enforceLimits(limiter: RateLimiter, name: CallName, caller: Caller): Promise<void> {
  if (caller.keyId !== null) await limiter.take(keyLimit, getSubject(caller));
  const limit = accountLimits[name];
  if (limit) await limiter.take(limit, caller.accountId);
}

/**
 * Authenticates a token in the queue of its account or key.
 * @throws CallError tokenExpired, tokenInvalid, keyNotAllowed, tooManyRequests
 */
export function authenticateIn(
  { gate, subjectOfToken, authenticate }: CallServices,
  token: string | null,
  scope: RequiredScope,
): Promise<Caller> {
  return gate.run(identifyLane, subjectOfToken(token), () => authenticate(token, scope));
}

/**
 * Returns the bearer token from an Authorization header, or null if the header is missing or uses a different scheme.
 */
export function bearerToken(authorization: string | undefined): string | null {
  return /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? null;
}
