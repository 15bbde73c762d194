import path from 'node:path';
import type { Readable } from 'node:stream';
import multipart from '@fastify/multipart';
import { cosFields } from '@linnet/contract/cos-post';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Database } from '../../db/database.ts';
import { drain } from '../../http/drain.ts';
import { sendObject } from '../../http/send-object.ts';
import { isSessionValid } from '../../http/signed-addresses.ts';
import type { UploadPace } from '../../http/upload-pace.ts';
import type { ObjectStore } from '../../providers/storage/port.ts';
import { StorageFailure } from '../../providers/storage/port.ts';
import type { StoredAudioDependencies } from '../recording/stored-audio.ts';
import { inspectKey } from '../recording/stored-audio.ts';
import type { AllowedPost } from './cos-policy.ts';
import { CosRefusal } from './cos-policy.ts';
import type { EmbeddedGateway } from './embedded-gateway.ts';
import { storePath } from './embedded-gateway.ts';
import { findGrantWithRecording } from './grant-queries.ts';
import { getMediaType } from './kinds.ts';

export interface StoreRoutesDependencies {
  readonly db: Database;
  readonly store: ObjectStore;
  readonly gateway: EmbeddedGateway;
  readonly pace: UploadPace;
  readonly log: StoredAudioDependencies['log'];
  readonly now: () => Date;
  /** Returns this server's origin, as used in the request, without a trailing slash. */
  getOrigin(request: FastifyRequest): string;
}

/** Form limits. A form has about a dozen short fields; the longest is the session token. */
const formLimits = {
  fields: 40,
  fieldSize: 16 * 1024,
  files: 1,
  fileSize: Number.POSITIVE_INFINITY,
};

/** HTTP statuses that a form may request for a successful upload. COS ignores any other and responds with 204. */
const successStatuses = [200, 201, 204];

/** HTTP status of each COS error code. */
const httpStatuses: Record<CosRefusal['code'], number> = {
  AccessDenied: 403,
  SignatureDoesNotMatch: 403,
  ExpiredToken: 403,
  InvalidPolicyDocument: 403,
  EntityTooLarge: 400,
  EntityTooSmall: 400,
  MalformedPOSTRequest: 400,
  InternalError: 500,
};

/**
 * Serves the embedded object store: uploads as in Tencent COS's POST Object operation, and downloads by signed URL,
 * including range requests.
 */
export async function storeRoutes(
  app: FastifyInstance,
  deps: StoreRoutesDependencies,
): Promise<void> {
  await app.register(multipart, { limits: formLimits });
  const { db, store, gateway, pace, now } = deps;

  // Allow cross-origin embedding, because the native apps' pages have a different origin.
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('cross-origin-resource-policy', 'cross-origin');
  });
  app.setErrorHandler((error, request, reply) => sendRefusal(error, request, reply));

  app.post(storePath, async (request, reply) => {
    if (!request.isMultipart()) {
      throw new CosRefusal('MalformedPOSTRequest', 'the form is not multipart/form-data');
    }
    const { allowed, file, successStatus } = await readForm(request, gateway, now());
    const grant = await findGrantWithRecording(db, allowed.grant.key);
    // The object of a registered recording has been verified, so it must not change anymore.
    if (!grant || grant.recording_id !== null) {
      throw new CosRefusal('AccessDenied', 'the session has ended');
    }
    const { key } = allowed.grant;
    const body = pace.throttle(path.dirname(key), requireMinSize(allowed.minSize, file));
    const storedObject = await store.put(key, body, {
      maxBytes: allowed.maxSize,
    });
    const location = `${gateway.address(deps.getOrigin(request))}/${key}`;
    const etag = `"${storedObject.sha256}"`;
    reply.code(successStatus).header('etag', etag).header('location', location);
    if (successStatus !== 201) return reply.send();
    return reply
      .type('application/xml')
      .send(
        `<?xml version="1.0" encoding="UTF-8"?>\n<PostResponse><Location>${location}</Location><Bucket>${gateway.bucket}</Bucket><Key>${key}</Key><ETag>${etag}</ETag></PostResponse>\n`,
      );
  });

  app.route({
    method: ['GET', 'HEAD'],
    url: `${storePath}/*`,
    handler: async (request, reply) => {
      const key = gateway.verify('', request.url, now());
      if (key === null || !(await isSessionValid(db, gateway.parseSession(request.url), now()))) {
        throw new CosRefusal('AccessDenied', 'the URL is not signed or has expired');
      }
      return sendStored(request, reply, deps, key);
    },
  });
}

/** Reads the form fields before the file, in any order, and verifies them before any of the file is stored. */
async function readForm(
  request: FastifyRequest,
  gateway: EmbeddedGateway,
  now: Date,
): Promise<{ allowed: AllowedPost; file: Readable; successStatus: number }> {
  const fields = new Map<string, string>();
  for await (const part of request.parts()) {
    if (part.type === 'file') {
      if (part.fieldname !== cosFields.file) {
        throw new CosRefusal(
          'MalformedPOSTRequest',
          `the file must be in the field ${cosFields.file}`,
        );
      }
      const allowed = gateway.allow(fields, part.mimetype, now);
      const requestedStatus = Number(fields.get(cosFields.successStatus));
      const successStatus = successStatuses.find((status) => status === requestedStatus) ?? 204;
      return { allowed, file: part.file, successStatus };
    }
    fields.set(canonicalName(part.fieldname), String(part.value));
  }
  throw new CosRefusal('MalformedPOSTRequest', 'the form has no file');
}

/** Returns the canonical spelling of a COS field name, because clients differ in capitalization. */
function canonicalName(name: string): string {
  const canonical = Object.values(cosFields).find(
    (field) => field.toLowerCase() === name.toLowerCase(),
  );
  return canonical ?? name;
}

/** Passes a file through, and throws at the end if it was smaller than `minSize` bytes. */
async function* requireMinSize(minSize: number, file: Readable): AsyncIterable<Uint8Array> {
  let size = 0;
  for await (const chunk of file) {
    size += chunk.length;
    yield chunk;
  }
  if (size < minSize)
    throw new CosRefusal('EntityTooSmall', `the file is smaller than ${minSize} bytes`);
}

async function sendRefusal(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const refusal = toRefusal(error);
  if (refusal.code === 'InternalError') request.log.error({ err: error }, 'storage error');
  await drain(request, reply);
  const body = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${refusal.code}</Code><Message>${refusal.message}</Message></Error>\n`;
  return reply
    .code(refusal.code === 'InternalError' && isFull(error) ? 507 : httpStatuses[refusal.code])
    .type('application/xml')
    .header('cache-control', 'no-store')
    .send(body);
}

const isFull = (error: unknown) => error instanceof StorageFailure && error.code === 'full';

function toRefusal(error: unknown): CosRefusal {
  if (error instanceof CosRefusal) return error;
  if (error instanceof StorageFailure && error.code === 'too-large') {
    return new CosRefusal('EntityTooLarge', 'the file is larger than the session or policy allows');
  }
  const status = (error as { statusCode?: number }).statusCode ?? 500;
  if (status >= 400 && status < 500) {
    return new CosRefusal('MalformedPOSTRequest', 'the form is malformed');
  }
  return new CosRefusal('InternalError', 'storage error; nothing was stored');
}

/** Sends an object. Shared caches must not store the response, because the signed URL expires. */
async function sendStored(
  request: FastifyRequest,
  reply: FastifyReply,
  deps: StoreRoutesDependencies,
  key: string,
) {
  const { store } = deps;
  const object = await store.stat(key);
  if (!object) {
    await inspectKey(deps, key);
    return reply.code(404).type('application/xml').send('<Error><Code>NoSuchKey</Code></Error>\n');
  }
  const { size, storedAt } = object;
  return sendObject(request, reply, store, {
    key,
    size,
    etag: `"${size.toString(36)}-${storedAt.getTime().toString(36)}"`,
    cacheControl: 'private, max-age=3600',
    mediaType: getMediaType(key),
  });
}
