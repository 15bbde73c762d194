import { PassThrough, Readable } from 'node:stream';
import { limits } from '@linnet/contract/limits';
import { ERRORS, Server } from '@tus/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Database } from '../../db/database.ts';
import { bearerToken } from '../../http/calls.ts';
import { drain } from '../../http/drain.ts';
import { CallError } from '../../http/failure.ts';
import { toWebRequest } from '../../http/web-request.ts';
import type { ObjectStore, UploadTerms } from '../../providers/storage/port.ts';
import { unfinishedHours } from '../../providers/storage/port.ts';
import type { Caller, RequiredScope } from '../user/access.ts';
import { findGrantWithRecording } from './grant-queries.ts';
import { resumableToken } from './grant-tokens.ts';
import { createUploadLocks } from './upload-locks.ts';

/** Path for creating resumable uploads. The path of an upload is this path followed by its key. */
export const resumablePath = '/upload/resumable';

/** Time for a request to store the bytes it has already received before it must release the upload's lock. */
const lockDrainMs = 1000;

/** CORS options for these routes. They allow the methods and headers of tus. */
const cors = {
  methods: ['POST', 'HEAD', 'PATCH', 'DELETE'],
  allowedHeaders: [
    'Authorization',
    'Content-Type',
    'X-Tenant-Id',
    'X-Requested-With',
    'Tus-Resumable',
    'Upload-Length',
    'Upload-Offset',
    'Upload-Metadata',
  ],
  exposedHeaders: [
    'Location',
    'Tus-Extension',
    'Tus-Max-Size',
    'Tus-Resumable',
    'Tus-Version',
    'Upload-Expires',
    'Upload-Length',
    'Upload-Metadata',
    'Upload-Offset',
  ],
  // An OPTIONS request without an Origin header is a tus query for the supported protocol.
  strictPreflight: false,
  preflightContinue: true,
};

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Options of @fastify/cors for one route. */
    cors?: typeof cors;
  }
}

export interface ResumableDependencies {
  readonly db: Database;
  readonly store: ObjectStore;
  readonly sessionKey: Uint8Array;
  readonly log: Logger;
  readonly now: () => Date;
  /**
   * Authenticates a caller by an access token or API key.
   * @throws CallError tokenExpired, tokenInvalid, keyNotAllowed
   */
  authenticate(token: string | null, scope: RequiredScope): Promise<Caller>;
  getOrigin(request: FastifyRequest): string;
}

/**
 * Serves resumable uploads with the tus 1.0 protocol, for unreliable networks. Creating an upload requires the token of
 * an upload grant, which determines the key, maximum size, media types and validity, as in a form upload. Subsequent
 * requests require the same token or one of the account's access tokens. Other clients can't find out whether an upload
 * exists.
 */
export async function resumableRoutes(
  app: FastifyInstance,
  deps: ResumableDependencies,
): Promise<void> {
  const { db, store, log } = deps;
  const tus = new Server({
    path: resumablePath,
    datastore: store.uploads,
    locker: createUploadLocks(db, log),
    lockDrainTimeout: lockDrainMs,
    namingFunction: (request, metadata) => authorizeCreation(deps, request, metadata ?? {}),
    onIncomingRequest: (request, key) => authorizeRequest(deps, request, key),
    maxSize: (_request, key) => (key === null ? limits.upload.voiceBytes : readMaxSize(db, key)),
    getFileIdFromRequest: ({ url }) => new URL(url).pathname.slice(resumablePath.length + 1),
    generateUrl: ({ url }, { path, id }) => `${new URL(url).origin}${path}/${id}`,

    async onUploadCreate(_request, { metadata = {} }) {
      // The token is a credential, so it must not be stored with the file.
      const { filename = null, filetype = null } = metadata;
      return { metadata: { filename, filetype } };
    },

    onResponseError(_request, error) {
      // For unexpected errors, tus responds with 500 and would include the cause by default.
      if ('status_code' in error && error.status_code !== 500) return undefined;
      log.error({ err: error }, 'resumable upload failed');
      return { status_code: 500, body: 'Storage error. Resume the upload.\n' };
    },
  });

  // tus parses the bodies itself.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, body, done) => done(null, body));
  app.addHook('onSend', (request, reply) => drain(request, reply));

  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    const body = request.body instanceof Readable ? streamUntilClosed(request.body) : null;
    const response = await tus.handleWeb(toWebRequest(request, deps.getOrigin(request), body));
    for (const [name, value] of response.headers) {
      // Skip these headers, because the server's own CORS configuration sets them.
      if (!name.startsWith('access-control-')) reply.header(name, value);
    }
    return reply.code(response.status).send(await response.text());
  };
  const route = { config: { cors }, handler };
  app.route({ ...route, method: ['POST', 'OPTIONS'], url: resumablePath });
  app.route({
    ...route,
    method: ['HEAD', 'PATCH', 'DELETE', 'OPTIONS'],
    url: `${resumablePath}/*`,
  });
}

/**
 * Authorizes the creation of an upload by the grant's token, sent either in the metadata or as bearer token.
 * Returns the upload's ID, which is the grant's key.
 */
async function authorizeCreation(
  deps: ResumableDependencies,
  request: Request,
  { token, filetype }: Record<string, string | null>,
): Promise<string> {
  const terms = parseTerms(deps, token ?? readBearerToken(request) ?? '', 0);
  const grant = terms && (await findGrantWithRecording(deps.db, terms.key));
  if (!grant) throw createTusError(401, 'The token is invalid or has expired.');
  if (grant.recording_id !== null) throw alreadyStored();
  if (typeof filetype === 'string' && !terms.types.includes(filetype)) {
    throw createTusError(415, `Unsupported media type. Send ${terms.types.join(', ')}.`);
  }
  return terms.key;
}

/** Authorizes a request to an existing upload. */
async function authorizeRequest(
  deps: ResumableDependencies,
  request: Request,
  key: string,
): Promise<void> {
  // Creation is authorized by `authorizeCreation`, which also accepts the token in the metadata.
  if (request.method === 'POST') return;
  const token = readBearerToken(request);
  const isTokenValid = parseTerms(deps, token ?? '', unfinishedHours * 3600)?.key === key;
  const accountId = isTokenValid ? null : await findAccount(deps, token);
  const grant = await findGrantWithRecording(deps.db, key);
  if (!grant || (!isTokenValid && accountId !== grant.account_id)) throw ERRORS.FILE_NOT_FOUND;
  // The object of a registered recording has been verified, so it must not change anymore.
  if (request.method === 'PATCH' && grant.recording_id !== null) throw alreadyStored();
}

const readBearerToken = (request: Request) =>
  bearerToken(request.headers.get('authorization') ?? undefined);

/** Returns a token's terms, or null if the token is invalid or its grant expired more than `graceSeconds` ago. */
function parseTerms(
  { sessionKey, now }: ResumableDependencies,
  token: string,
  graceSeconds: number,
): UploadTerms | null {
  const terms = resumableToken.open(sessionKey, token);
  const nowSeconds = now().getTime() / 1000;
  return terms && nowSeconds >= terms.start && nowSeconds <= terms.end + graceSeconds
    ? terms
    : null;
}

async function findAccount(deps: ResumableDependencies, token: string | null): Promise<string> {
  try {
    return (await deps.authenticate(token, 'write')).accountId;
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    throw createTusError(401, error.message);
  }
}

async function readMaxSize(db: Database, key: string): Promise<number> {
  const grant = await findGrantWithRecording(db, key);
  if (!grant) throw ERRORS.FILE_NOT_FOUND;
  return grant.max_size;
}

/**
 * Returns a stream of the body that ends normally if the connection is lost, so tus stores the bytes received so far.
 * This works even if the connection is lost before tus starts reading.
 */
function streamUntilClosed(body: Readable): ReadableStream {
  const received = body.pipe(new PassThrough());
  for (const event of ['error', 'close']) body.once(event, () => received.end());
  return Readable.toWeb(received) as ReadableStream;
}

const alreadyStored = () => createTusError(409, 'This file has already been uploaded.');

/** Creates an error that makes tus respond with this status and message. */
function createTusError(status_code: number, message: string) {
  return Object.assign(new Error(message), { status_code, body: `${message}\n` });
}
