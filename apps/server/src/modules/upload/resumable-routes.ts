import { PassThrough, Readable } from 'node:stream';
import { limits } from '@linnet/contract/limits';
import { ERRORS, Server } from '@tus/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import type { Database } from '../../db/database.ts';
import { bearerToken } from '../../http/calls.ts';
import { drain } from '../../http/drain.ts';
import { CallError } from '../../http/failure.ts';
import type { ObjectStore, UploadTerms } from '../../providers/storage/port.ts';
import { unfinishedHours } from '../../providers/storage/port.ts';
import type { Caller } from '../user/access.ts';
import { resumable } from './grant-tokens.ts';
import { grantAndUse } from './issued.ts';
import { createUploadLocks } from './upload-locks.ts';

/** Path at which resumable uploads are created. Each has its own path below it, which ends in its key. */
export const resumablePath = '/upload/resumable';

/** Milliseconds for a request to store its bytes before it yields to another. */
const makeWayMs = 1000;

/** CORS options for pages of other origins, in addition to those of calls. */
const cors = {
  methods: ['POST', 'HEAD', 'PATCH', 'DELETE'],
  allowedHeaders: [
    ...['Authorization', 'Content-Type', 'X-Tenant-Id', 'X-Requested-With'],
    ...['Tus-Resumable', 'Upload-Length', 'Upload-Offset', 'Upload-Metadata'],
  ],
  exposedHeaders: [
    ...['Location', 'Tus-Extension', 'Tus-Max-Size', 'Tus-Resumable', 'Tus-Version'],
    ...['Upload-Expires', 'Upload-Length', 'Upload-Metadata', 'Upload-Offset'],
  ],
  // Without an Origin, OPTIONS queries the supported protocol.
  strictPreflight: false,
  preflightContinue: true,
};

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Options of @fastify/cors for one route. */
    cors?: typeof cors;
  }
}

export interface ResumableParts {
  readonly db: Database;
  readonly store: ObjectStore;
  readonly sessionKey: Uint8Array;
  readonly log: Logger;
  readonly now: () => Date;
  /** @throws CallError tokenExpired, tokenInvalid */
  authenticate(token: string | null): Promise<Caller>;
  originOf(request: FastifyRequest): string;
}

/**
 * Resumable uploads with tus 1.0, for unstable networks. Creation requires the token of an upload grant, which states
 * key, size, types and time as for a posted form. Later requests require that token or an access token of the
 * account. A client with neither cannot find out whether an upload exists.
 */
export async function resumableRoutes(app: FastifyInstance, parts: ResumableParts): Promise<void> {
  const { db, store, log } = parts;
  const tus = new Server({
    path: resumablePath,
    datastore: store.uploads,
    locker: createUploadLocks(db, log),
    lockDrainTimeout: makeWayMs,
    namingFunction: (_request, metadata) => allowBeginning(parts, metadata ?? {}),
    onIncomingRequest: (request, key) => allowGoingOn(parts, request, key),
    maxSize: (_request, key) => (key === null ? limits.upload.voiceBytes : maxSizeOf(db, key)),
    getFileIdFromRequest: ({ url }) => new URL(url).pathname.slice(resumablePath.length + 1),
    generateUrl: ({ url }, { path, id }) => `${new URL(url).origin}${path}/${id}`,

    async onUploadCreate(_request, { metadata = {} }) {
      // The token is not stored with the file.
      const { filename = null, filetype = null } = metadata;
      return { metadata: { filename, filetype } };
    },

    onResponseError(_request, error) {
      // tus returns 500 for unexpected errors and would include the cause in the response.
      if ('status_code' in error && error.status_code !== 500) return undefined;
      log.error({ err: error }, 'resumable upload failed');
      return { status_code: 500, body: 'The store failed. Resume the upload.\n' };
    },
  });

  // tus receives the raw bodies.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, body, done) => done(null, body));
  app.addHook('onSend', (request, reply) => drain(request, reply));

  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    const answer = await tus.handleWeb(toWeb(request, parts.originOf(request)));
    for (const [name, value] of answer.headers) {
      // CORS is configured in one place for all routes.
      if (!name.startsWith('access-control-')) reply.header(name, value);
    }
    return reply.code(answer.status).send(await answer.text());
  };
  const route = { schema: { hide: true }, config: { cors }, handler };
  app.route({ ...route, method: ['POST', 'OPTIONS'], url: resumablePath });
  app.route({
    ...route,
    method: ['HEAD', 'PATCH', 'DELETE', 'OPTIONS'],
    url: `${resumablePath}/*`,
  });
}

/** The id of a new upload: the key of its grant. */
async function allowBeginning(
  parts: ResumableParts,
  { token, filetype }: Record<string, string | null>,
): Promise<string> {
  const terms = termsOf(parts, token ?? '', 0);
  const grant = terms && (await grantAndUse(parts.db, terms.key));
  if (!grant) throw refusal(401, 'The token is none of ours, or has expired.');
  if (grant.recording_id !== null) throw alreadyThere();
  if (typeof filetype === 'string' && !terms.types.includes(filetype)) {
    throw refusal(415, `Send ${terms.types.join(', ')}.`);
  }
  return terms.key;
}

async function allowGoingOn(parts: ResumableParts, request: Request, key: string): Promise<void> {
  // Creation is authorized by the token in the metadata.
  if (request.method === 'POST') return;
  const token = bearerToken(request.headers.get('authorization') ?? undefined);
  const allowed = termsOf(parts, token ?? '', unfinishedHours * 3600)?.key === key;
  const accountId = allowed ? null : await accountOf(parts, token);
  const grant = await grantAndUse(parts.db, key);
  if (!grant || (!allowed && accountId !== grant.account_id)) throw ERRORS.FILE_NOT_FOUND;
  // The object of a recording must not change after its verification.
  if (request.method === 'PATCH' && grant.recording_id !== null) throw alreadyThere();
}

/** The terms of a valid token whose grant ended at most `seconds` ago. */
function termsOf(
  { sessionKey, now }: ResumableParts,
  token: string,
  seconds: number,
): UploadTerms | null {
  const terms = resumable.open(sessionKey, token);
  const at = now().getTime() / 1000;
  return terms && at >= terms.start && at <= terms.end + seconds ? terms : null;
}

async function accountOf(parts: ResumableParts, token: string | null): Promise<string> {
  try {
    return (await parts.authenticate(token)).accountId;
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    throw refusal(401, error.message);
  }
}

async function maxSizeOf(db: Database, key: string): Promise<number> {
  const grant = await grantAndUse(db, key);
  if (!grant) throw ERRORS.FILE_NOT_FOUND;
  return grant.max_size;
}

/** The request as tus reads it. */
function toWeb(request: FastifyRequest, origin: string): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (typeof value === 'string') headers.set(name, value);
  }
  const body = request.body instanceof Readable ? arriving(request.body) : null;
  const { method } = request;
  return new Request(`${origin}${request.url}`, { method, headers, body, duplex: 'half' });
}

/**
 * A stream of the body's bytes. An interrupted body simply ends, so that the bytes received are stored even if the
 * connection was lost before the first read.
 */
function arriving(body: Readable): ReadableStream {
  const arrived = body.pipe(new PassThrough());
  for (const event of ['error', 'close']) body.once(event, () => arrived.end());
  return Readable.toWeb(arrived) as ReadableStream;
}

const alreadyThere = () => refusal(409, 'The file is there already.');

function refusal(status_code: number, sentence: string) {
  return Object.assign(new Error(sentence), { status_code, body: `${sentence}\n` });
}
