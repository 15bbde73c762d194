import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { acceptedLanguage } from '../../http/accepted-language.ts';
import type { CallServices } from '../../http/calls.ts';
import { CallError } from '../../http/failure.ts';
import type { Lane } from '../../http/gate.ts';
import { getNetwork } from '../../http/network.ts';
import type { Limit, Pace } from '../../http/rate-limit.ts';
import { sendObject } from '../../http/send-object.ts';
import type { ObjectStore } from '../../providers/storage/port.ts';
import { hasAudio, inspectKey, type StoredAudioDependencies } from '../recording/stored-audio.ts';
import { getMediaType } from '../upload/kinds.ts';
import { verifyPassword } from '../user/passwords.ts';
import { type ShareAddresses, sharePath } from './address.ts';
import { pageHeaders } from './page/frame.ts';
import { busyPage, failedPage, invalidPage, passwordPage } from './page/messages.ts';
import { recordingPage } from './page/recording.ts';
import { type OpenLink, unlockedSeconds, type Visits } from './visits.ts';

export interface SharePagesDependencies
  extends Pick<CallServices, 'gate' | 'limiter' | 'getOrigin'>,
    StoredAudioDependencies {
  readonly store: ObjectStore;
  readonly addresses: ShareAddresses;
  readonly visits: Visits;
}

/**
 * The lane for requests to share pages. Each link has its own lane rather than each network, because many readers of a
 * link, such as a school class, may share a network.
 */
const lane: Lane = { name: 'share', concurrency: 4, waiting: 64 };
/** The lane for password checks. Hashing a password takes tens of milliseconds of CPU time. */
const passwordLane: Lane = { name: 'share-password', concurrency: 1, waiting: 64 };
/** Rate limits for views of a link: per network, which many readers may share, and for all networks together. */
const readerViewLimit: Limit = { name: 'share-view-reader', count: 600, seconds: 3600 };
const viewLimit: Limit = { name: 'share-view', count: 3600, seconds: 3600 };
/** Rate limits for audio requests of a link: per network and in total. A player makes several requests. */
const readerAudioLimit: Limit = { name: 'share-audio-reader', count: 3600, seconds: 3600 };
const audioLimit: Limit = { name: 'share-audio', count: 20_000, seconds: 3600 };
/** Delays between one network's attempts to enter a link's password. */
const passwordPace: Pace = { name: 'share-password', free: 5, firstWait: 30, longestWait: 3600 };
/** Rate limit for wrong passwords from all networks together. Only someone who has the link can exhaust it. */
const passwordLimit: Limit = { name: 'share-password-link', count: 100, seconds: 3600 };

/** Maximum size of the password form, in bytes. */
const formBytes = 4096;
const form = z.object({ password: z.string().max(1024) });
const cookieName = 'linnet_share';

type Request = FastifyRequest<{ Params: { token: string } }>;

/** Serves the pages and audio of share links. The token in the URL is the only authorization, besides a password. */
export async function sharePageRoutes(
  app: FastifyInstance,
  deps: SharePagesDependencies,
): Promise<void> {
  const { addresses, visits, gate, limiter, store } = deps;
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: formBytes },
    async (_request: FastifyRequest, body: string) => Object.fromEntries(new URLSearchParams(body)),
  );
  app.addHook('onRequest', async (_request, reply) => {
    reply.headers(pageHeaders);
  });
  app.setErrorHandler((error: FastifyError | CallError, request, reply) => {
    const language = acceptedLanguage(request.headers);
    if (error instanceof CallError && error.reason === 'tooManyRequests') {
      return sendPage(request, reply.code(429), busyPage(language));
    }
    // The request itself is malformed.
    const isRefused = !(error instanceof CallError) && (error.statusCode ?? 500) < 500;
    if (isRefused) return sendInvalid(request, reply);
    request.log.error({ err: error }, 'failed to serve shared page');
    return sendPage(request, reply.code(503), failedPage(language));
  });

  /** Finds the link for a request. Invalid tokens are rejected without accessing the database. */
  const findLink = async ({ params }: Request): Promise<OpenLink | null> => {
    const linkId = addresses.parseLink(params.token);
    return linkId === null ? null : gate.run(lane, linkId, () => visits.find(linkId));
  };
  const readerKey = (request: Request, link: Pick<OpenLink, 'id'>) =>
    `${link.id} ${getNetwork(request.ip)}`;
  const toPath = ({ params }: Request) => `${sharePath}/${params.token}`;

  const compress = { threshold: 1400, customTypes: /^text\/html/ };
  app.get(`${sharePath}/:token`, { compress }, async (request: Request, reply) => {
    const link = await findLink(request);
    if (!link) return sendInvalid(request, reply);
    const language = acceptedLanguage(request.headers);
    if (!visits.isUnlocked(link, readCookie(request))) {
      return sendPage(request, reply, passwordPage(language, toPath(request), null));
    }
    const page = await gate.run(lane, link.id, async () => {
      await limiter.take(readerViewLimit, readerKey(request, link));
      await limiter.take(viewLimit, link.id);
      const texts = await visits.read(link);
      if (request.method === 'GET') await visits.count(link.id);
      return recordingPage(language, toPath(request), link, texts);
    });
    return sendPage(request, reply, page);
  });

  app.post(`${sharePath}/:token`, { bodyLimit: formBytes }, async (request: Request, reply) => {
    const link = await findLink(request);
    if (!link) return sendInvalid(request, reply);
    const failure = await checkPassword(request, link);
    if (failure !== null) {
      const page = passwordPage(acceptedLanguage(request.headers), toPath(request), failure);
      return sendPage(request, reply.code(failure === 'wrongPassword' ? 403 : 429), page);
    }
    const attributes = [
      `${cookieName}=${visits.prove(link)}`,
      `Path=${toPath(request)}`,
      `Max-Age=${unlockedSeconds}`,
      'HttpOnly',
      'SameSite=Lax',
      ...(deps.getOrigin(request).startsWith('https:') ? ['Secure'] : []),
    ];
    return reply.header('set-cookie', attributes.join('; ')).redirect(toPath(request), 303);
  });

  /** Returns why a reader may not open a link, or null if the password is correct or none is needed. */
  async function checkPassword(
    request: Request,
    { id, password_hash: hash }: OpenLink,
  ): Promise<'wrongPassword' | 'tooManyAttempts' | null> {
    if (hash === null) return null;
    const entered = form.safeParse(request.body);
    if (!entered.success) return 'wrongPassword';
    const reader = readerKey(request, { id });
    try {
      return await gate.run(passwordLane, reader, async () => {
        await limiter.pace(passwordPace, reader);
        await limiter.take(passwordLimit, id);
        if (!(await verifyPassword(entered.data.password, hash))) return 'wrongPassword';
        await limiter.forget(passwordPace, reader);
        // Don't count correct entries, no matter how many people open the link.
        await limiter.take(passwordLimit, id, -1);
        return null;
      });
    } catch (error) {
      if (error instanceof CallError && error.reason === 'tooManyRequests') {
        return 'tooManyAttempts';
      }
      throw error;
    }
  }

  app.get(`${sharePath}/:token/audio`, async (request: Request, reply) => {
    const link = await findLink(request);
    const key = link?.recording.object_key ?? null;
    const isShared =
      link?.parts.includes('audio') &&
      hasAudio(link.recording) &&
      visits.isUnlocked(link, readCookie(request));
    if (!link || !isShared || key === null) return sendInvalid(request, reply);
    await gate.run(lane, link.id, async () => {
      await limiter.take(readerAudioLimit, readerKey(request, link));
      await limiter.take(audioLimit, link.id);
    });
    const object = await store.stat(key);
    if (!object) {
      await inspectKey(deps, key);
      return sendInvalid(request, reply);
    }
    const { size, storedAt } = object;
    return sendObject(request, reply, store, {
      key,
      size,
      etag: `"${size.toString(36)}-${storedAt.getTime().toString(36)}"`,
      // A cached copy would outlive the link.
      cacheControl: 'no-store',
      mediaType: getMediaType(key),
    });
  });

  // Show the page for invalid links if a URL was truncated or extended.
  app.get(sharePath, (request, reply) => sendInvalid(request, reply));
  app.get(`${sharePath}/*`, (request, reply) => sendInvalid(request, reply));
}

function sendPage(request: FastifyRequest, reply: FastifyReply, page: string): FastifyReply {
  return reply
    .type('text/html; charset=utf-8')
    .header('content-language', acceptedLanguage(request.headers))
    .send(page);
}

function sendInvalid(request: FastifyRequest, reply: FastifyReply): FastifyReply {
  return sendPage(request, reply.code(404), invalidPage(acceptedLanguage(request.headers)));
}

/** Returns the value of the link's cookie. Browsers only send the cookie of this link, because of its path. */
function readCookie({ headers }: FastifyRequest): string | undefined {
  for (const pair of headers.cookie?.split(';') ?? []) {
    const [name = '', value] = pair.split('=', 2);
    if (name.trim() === cookieName) return value?.trim();
  }
  return undefined;
}
