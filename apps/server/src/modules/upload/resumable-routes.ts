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
import { leaveAndUse } from './issued.ts';
import { resumable } from './leave.ts';
import { createUploadLocks } from './upload-locks.ts';

/** Where uploads in parts are begun; each has its own address below, which ends in its key. */
export const resumablePath = '/upload/resumable';

/** What a request that has to make way for another one gets to write down what it has. */
const makeWayMs = 1000;

/** What pages of other origins need besides what calls need. */
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
  // Without an Origin, OPTIONS asks what this speaks.
  strictPreflight: false,
  preflightContinue: true,
};

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What @fastify/cors takes for one route. */
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
 * Uploads in parts, for unsteady networks, as tus 1.0 has them. Beginning one takes the token of a
 * leave, which says key, size, types and time, as for a posted form; whatever comes later takes that
 * token or an access token of the account. Whoever has neither cannot tell an upload from none.
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
      // The token is not kept beside the file.
      const { filename = null, filetype = null } = metadata;
      return { metadata: { filename, filetype } };
    },

    onResponseError(_request, error) {
      // 500 is what tus says of everything it does not foresee, with the cause in the answer.
      if ('status_code' in error && error.status_code !== 500) return undefined;
      log.error({ err: error }, 'an upload in parts failed');
      return { status_code: 500, body: 'The store failed; go on from where it is.\n' };
    },
  });

  // Bodies go to tus as they come.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, body, done) => done(null, body));
  app.addHook('onSend', (request, reply) => drain(request, reply));

  const handler = async (request: FastifyRequest, reply: FastifyReply) => {
    const answer = await tus.handleWeb(toWeb(request, parts.originOf(request)));
    for (const [name, value] of answer.headers) {
      // Who may call from elsewhere is decided in one place, for everything.
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

/** What an upload that may begin is called: the key of its leave. */
async function allowBeginning(
  parts: ResumableParts,
  { token, filetype }: Record<string, string | null>,
): Promise<string> {
  const terms = termsOf(parts, token ?? '', 0);
  const leave = terms && (await leaveAndUse(parts.db, terms.key));
  if (!leave) throw refusal(401, 'The token is none of ours, or has expired.');
  if (leave.recording_id !== null) throw alreadyThere();
  if (typeof filetype === 'string' && !terms.types.includes(filetype)) {
    throw refusal(415, `Send ${terms.types.join(', ')}.`);
  }
  return terms.key;
}

async function allowGoingOn(parts: ResumableParts, request: Request, key: string): Promise<void> {
  // Beginning was allowed by the token in the metadata.
  if (request.method === 'POST') return;
  const token = bearerToken(request.headers.get('authorization') ?? undefined);
  const allowed = termsOf(parts, token ?? '', unfinishedHours * 3600)?.key === key;
  const accountId = allowed ? null : await accountOf(parts, token);
  const leave = await leaveAndUse(parts.db, key);
  if (!leave || (!allowed && accountId !== leave.account_id)) throw ERRORS.FILE_NOT_FOUND;
  // What a recording was made of stays as it was when it was checked.
  if (request.method === 'PATCH' && leave.recording_id !== null) throw alreadyThere();
}

/** The terms of a token of ours, while its leave is good or at most so many seconds over. */
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
  const leave = await leaveAndUse(db, key);
  if (!leave) throw ERRORS.FILE_NOT_FOUND;
  return leave.max_size;
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
 * What arrives of a body, from now on. One that breaks off just ends, so that what came is written down,
 * even if the connection was gone before anybody could read from it.
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
