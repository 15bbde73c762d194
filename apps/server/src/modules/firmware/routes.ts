import { createHash } from 'node:crypto';
import type { FirmwareDescriptor } from '@linnet/contract';
import { codes } from '@linnet/contract/codes';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { defaultMessages } from '../../http/failure.ts';
import { hasCopy, sendObject } from '../../http/send-object.ts';
import type { ObjectStore } from '../../providers/storage/port.ts';
import { createFirmware, imageKey } from './service.ts';

export interface FirmwareRoutesDependencies {
  readonly store: ObjectStore;
  /** Returns this server's origin, as used in the request. */
  readonly getOrigin: (request: FastifyRequest) => string;
}

const yearSeconds = 31_536_000;

/** Serves firmware without authentication. A model's current version may change, but an image never does. */
export async function firmwareRoutes(
  app: FastifyInstance,
  { store, getOrigin }: FirmwareRoutesDependencies,
): Promise<void> {
  const firmware = createFirmware(store);
  // Allow cross-origin reads, because the native apps' pages have a different origin.
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('cross-origin-resource-policy', 'cross-origin');
  });

  app.setErrorHandler((error, request, reply) => {
    request.log.error({ err: error }, 'failed to read firmware');
    return sendError(reply, 'unavailable', defaultMessages.unavailable);
  });

  app.get<{ Params: { code: string } }>(
    '/static/firmware/:code/latest.json',
    async (request, reply) => {
      const { code } = request.params;
      const release = await firmware.latest(code);
      if (!release) return sendError(reply, 'notFound', `No firmware found for "${code}".`);
      const url = `${getOrigin(request)}/static/firmware/${code}/${release.version}.bin`;
      const body = JSON.stringify({ ...release, url } satisfies FirmwareDescriptor);
      const etag = `"${createHash('sha256').update(body).digest('base64url')}"`;
      reply.header('etag', etag).header('cache-control', 'no-cache');
      if (hasCopy(request, etag)) return reply.code(304).send();
      return reply.type('application/json; charset=utf-8').send(body);
    },
  );

  app.route<{ Params: { code: string; file: string } }>({
    method: ['GET', 'HEAD'],
    url: '/static/firmware/:code/:file',
    handler: async (request, reply) => {
      const { code, file } = request.params;
      const version = file.replace(/\.bin$/, '');
      const release = file === version ? null : await firmware.find(code, version);
      if (!release) {
        return sendError(reply, 'notFound', `Firmware "${file}" not found for "${code}".`);
      }
      return sendObject(request, reply, store, {
        key: imageKey(code, version),
        size: release.size,
        etag: `"${release.sha256}"`,
        cacheControl: `public, max-age=${yearSeconds}, immutable`,
        mediaType: 'application/octet-stream',
      });
    },
  });
}

/** Sends an error in the API's format, but with an HTTP error status, so that clients don't mistake it for firmware. */
function sendError(reply: FastifyReply, reason: 'notFound' | 'unavailable', msg: string) {
  return reply
    .code(reason === 'notFound' ? 404 : 503)
    .header('cache-control', 'no-store')
    .send({ code: codes[reason], msg, data: null });
}
