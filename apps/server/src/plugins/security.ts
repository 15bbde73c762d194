import type { IncomingMessage, ServerResponse } from 'node:http';
import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';
import helmet from 'helmet';
import { type Config, isLoopbackHost } from '../config/index.ts';
import { softwareRecorderUrls, virtualRecorderUrls } from '../modules/site/virtual-recorder.ts';

/** Origins of the native apps: Capacitor on iOS and Android. */
const nativeOrigins = ['capacitor://localhost', 'https://localhost', 'http://localhost'];

/** Installs security headers, and CORS for the allowed origins. Calls use no cookies. */
export async function installSecurity(app: FastifyInstance, config: Config): Promise<void> {
  const recorders = virtualRecorderUrls(config);
  const hotspots = new Set(['192.168.4.1', ...recorders.map((url) => new URL(url).hostname)]);
  const softwareRecorders = softwareRecorderUrls(config);
  const recorderSockets = [
    ...softwareRecorders.map((url) => url.replace(/^http/, 'ws')),
    // The app connects to a recorder's hotspot on any port (PROTOCOL.md, section 10).
    ...[...hotspots].map((host) => `ws://${host}:*`),
  ];
  const secure = config.PUBLIC_URL?.startsWith('https:') ?? false;
  // The app can connect to any server with any store (decision 22), but scripts may only come from this server. On a
  // page loaded over TLS, browsers block insecure requests, except those to the local machine.
  const anyServer = secure
    ? ['https:', 'http://localhost:*', 'http://127.0.0.1:*']
    : ['http:', 'https:'];
  // The advertisements of software recorders on other machines. Without TLS, `http:` includes them.
  const recorderRequests = secure
    ? config.RECORDER_URLS.filter((url) => url.startsWith('http:') && !isLoopback(url))
    : [];
  const protect = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        // The on-device database and the Opus codec use WebAssembly.
        scriptSrc: ["'self'", "'wasm-unsafe-eval'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", 'data:', 'blob:', ...anyServer],
        mediaSrc: ["'self'", 'blob:', ...anyServer],
        workerSrc: ["'self'", 'blob:'],
        connectSrc: ["'self'", ...anyServer, ...recorderRequests, ...recorderSockets],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    strictTransportSecurity: secure,
    referrerPolicy: { policy: 'no-referrer' },
  });
  // The headers are the same on every response, so they are computed only once.
  const headers = {
    ...collectHeaders(protect),
    'permissions-policy': 'geolocation=(self), camera=()',
  };
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers);
    done();
  });
  await app.register(cors, {
    origin: [...nativeOrigins, ...config.CORS_ORIGINS],
    methods: ['GET', 'HEAD', 'POST'],
    allowedHeaders: ['Authorization', 'Content-Type', 'Range', 'X-Tenant-Id'],
    exposedHeaders: ['ETag', 'Content-Range', 'Accept-Ranges', 'Content-Length'],
    maxAge: 600,
  });
}

const isLoopback = (url: string) => isLoopbackHost(new URL(url).hostname);

/** Returns the headers that a middleware sets on every response, regardless of the request. */
function collectHeaders(
  middleware: (request: IncomingMessage, response: ServerResponse, next: () => void) => void,
): Record<string, string> {
  const headers: Record<string, string> = {};
  const response = {
    setHeader: (name: string, value: string) => {
      headers[name.toLowerCase()] = value;
    },
    removeHeader: (name: string) => {
      delete headers[name.toLowerCase()];
    },
  };
  middleware({} as IncomingMessage, response as unknown as ServerResponse, () => undefined);
  return headers;
}
