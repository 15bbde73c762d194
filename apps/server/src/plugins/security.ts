import cors from '@fastify/cors';
import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';
import { virtualRecorderUrl } from '../modules/site/virtual-recorder.ts';

/** Where the pages of the native apps come from: Capacitor on iOS and on Android. */
const nativeOrigins = ['capacitor://localhost', 'https://localhost', 'http://localhost'];

/**
 * Headers that keep pages to themselves, and the origins that may call. There are no cookies.
 * @param store the origin of the store that pages post to and read from, when it is not this server
 */
export async function installSecurity(
  app: FastifyInstance,
  config: Config,
  store: string | null,
): Promise<void> {
  const recorder = virtualRecorderUrl(config);
  const recorderSources = recorder ? [recorder, recorder.replace(/^http/, 'ws')] : [];
  const storeSources = store === null ? [] : [store];
  const secure = config.PUBLIC_URL?.startsWith('https:') ?? false;
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        // WebAssembly: the on-device database and the Opus codec.
        scriptSrc: ["'self'", "'wasm-unsafe-eval'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:', 'blob:', ...storeSources],
        mediaSrc: ["'self'", 'blob:', ...storeSources],
        workerSrc: ["'self'", 'blob:'],
        connectSrc: ["'self'", ...recorderSources, ...storeSources],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    strictTransportSecurity: secure,
    referrerPolicy: { policy: 'no-referrer' },
  });
  app.addHook('onRequest', async (_request, reply) => {
    reply.header('permissions-policy', 'geolocation=(self), camera=()');
  });
  await app.register(cors, {
    origin: [...nativeOrigins, ...config.CORS_ORIGINS],
    methods: ['GET', 'HEAD', 'POST'],
    allowedHeaders: ['Authorization', 'Content-Type', 'Range', 'X-Tenant-Id'],
    exposedHeaders: ['ETag', 'Content-Range', 'Accept-Ranges', 'Content-Length'],
    maxAge: 600,
  });
}
