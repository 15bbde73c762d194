import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { acceptedLanguage } from '../../http/accepted-language.ts';
import type { CallServices } from '../../http/calls.ts';
import { CallError } from '../../http/failure.ts';
import type { Lane } from '../../http/gate.ts';
import { networkOf } from '../../http/network.ts';
import type { Limit, Pace } from '../../http/rate-limit.ts';
import { sendObject } from '../../http/send-object.ts';
import type { ObjectStore } from '../../providers/storage/port.ts';
import { hasAudio, inspectKey, type StoredAudioParts } from '../recording/stored-audio.ts';
import { mediaTypeOf } from '../upload/kinds.ts';
import { verifyPassword } from '../user/passwords.ts';
import { type ShareAddresses, sharePath } from './address.ts';
import { pageHeaders } from './page/frame.ts';
import { busyPage, failedPage, invalidPage, passwordPage } from './page/messages.ts';
import { recordingPage } from './page/recording.ts';
import { type OpenLink, unlockedSeconds, type Visits } from './visits.ts';

export interface SharePagesParts
  extends Pick<CallServices, 'gate' | 'limiter' | 'originOf'>,
    StoredAudioParts {
  readonly store: ObjectStore;
  readonly addresses: ShareAddresses;
  readonly visits: Visits;
}

/** Requests of a link's readers. A class that opens a link may share one network, so that links have lanes. */
const lane: Lane = { name: 'share', concurrency: 4, waiting: 64 };
/** Passwords are hashed, which takes tens of milliseconds of CPU time. */
const passwordLane: Lane = { name: 'share-password', concurrency: 1, waiting: 64 };
/** The views of a link by one network, which a class may share, and by all networks together. */
const readerViewLimit: Limit = { name: 'share-view-reader', count: 600, seconds: 3600 };
const viewLimit: Limit = { name: 'share-view', count: 3600, seconds: 3600 };
/** The requests for the audio of a link, also by network and together. A player makes several. */
const readerAudioLimit: Limit = { name: 'share-audio-reader', count: 3600, seconds: 3600 };
const audioLimit: Limit = { name: 'share-audio', count: 20_000, seconds: 3600 };
/** The attempts of one network to enter the password of a link. */
const passwordPace: Pace = { name: 'share-password', free: 5, firstWait: 30, longestWait: 3600 };
/** The attempts of all networks together. Only someone who has the link can exhaust them. */
const passwordLimit: Limit = { name: 'share-password-link', count: 100, seconds: 3600 };

/** Maximum size of the form with the password, in bytes. */
const formBytes = 4096;
const form = z.object({ password: z.string().max(1024) });
const cookieName = 'linnet_share';

type Request = FastifyRequest<{ Params: { token: string } }>;

/** Serves the pages of links, and their audio. The token in the address is the only authorization. */
export async function sharePageRoutes(app: FastifyInstance, parts: SharePagesParts): Promise<void> {
  const { addresses, visits, gate, limiter, store } = parts;
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
    request.log.error({ err: error }, 'shared page failed');
    return sendPage(request, reply.code(503), failedPage(language));
  });

  /** Finds the link of a request. A token that the server didn't create costs no access to the database. */
  const findLink = async ({ params }: Request): Promise<OpenLink | null> => {
    const linkId = addresses.linkOf(params.token);
    return linkId === null ? null : gate.run(lane, linkId, () => visits.find(linkId));
  };
  const readerOf = (request: Request, link: Pick<OpenLink, 'id'>) =>
    `${link.id} ${networkOf(request.ip)}`;
  const pathOf = ({ params }: Request) => `${sharePath}/${params.token}`;

  const compress = { threshold: 1400, customTypes: /^text\/html/ };
  app.get(`${sharePath}/:token`, { compress }, async (request: Request, reply) => {
    const link = await findLink(request);
    if (!link) return sendInvalid(request, reply);
    const language = acceptedLanguage(request.headers);
    if (!visits.isUnlocked(link, cookieOf(request))) {
      return sendPage(request, reply, passwordPage(language, pathOf(request), null));
    }
    const page = await gate.run(lane, link.id, async () => {
      await limiter.take(readerViewLimit, readerOf(request, link));
      await limiter.take(viewLimit, link.id);
      const texts = await visits.read(link);
      if (request.method === 'GET') await visits.count(link.id);
      return recordingPage(language, pathOf(request), link, texts);
    });
    return sendPage(request, reply, page);
  });

  app.post(`${sharePath}/:token`, { bodyLimit: formBytes }, async (request: Request, reply) => {
    const link = await findLink(request);
    if (!link) return sendInvalid(request, reply);
    const failure = await checkPassword(request, link);
    if (failure !== null) {
      const page = passwordPage(acceptedLanguage(request.headers), pathOf(request), failure);
      return sendPage(request, reply.code(failure === 'wrongPassword' ? 403 : 429), page);
    }
    const attributes = [
      `${cookieName}=${visits.prove(link)}`,
      `Path=${pathOf(request)}`,
      `Max-Age=${unlockedSeconds}`,
      'HttpOnly',
      'SameSite=Lax',
      ...(parts.originOf(request).startsWith('https:') ? ['Secure'] : []),
    ];
    return reply.header('set-cookie', attributes.join('; ')).redirect(pathOf(request), 303);
  });

  /** Returns why a reader may not open a link; null if the password is right, or none is needed. */
  async function checkPassword(
    request: Request,
    { id, password_hash: hash }: OpenLink,
  ): Promise<'wrongPassword' | 'tooManyAttempts' | null> {
    if (hash === null) return null;
    const entered = form.safeParse(request.body);
    if (!entered.success) return 'wrongPassword';
    const reader = readerOf(request, { id });
    try {
      return await gate.run(passwordLane, reader, async () => {
        await limiter.pace(passwordPace, reader);
        await limiter.take(passwordLimit, id);
        if (!(await verifyPassword(entered.data.password, hash))) return 'wrongPassword';
        await limiter.forget(passwordPace, reader);
        // Right entries don't count, however many people open the link.
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
      visits.isUnlocked(link, cookieOf(request));
    if (!link || !isShared || key === null) return sendInvalid(request, reply);
    await gate.run(lane, link.id, async () => {
      await limiter.take(readerAudioLimit, readerOf(request, link));
      await limiter.take(audioLimit, link.id);
    });
    const object = await store.stat(key);
    if (!object) {
      await inspectKey(parts, key);
      return sendInvalid(request, reply);
    }
    const { size, storedAt } = object;
    return sendObject(request, reply, store, {
      key,
      size,
      etag: `"${size.toString(36)}-${storedAt.getTime().toString(36)}"`,
      // A copy in the browser would outlive the link.
      cacheControl: 'no-store',
      mediaType: mediaTypeOf(key),
    });
  });

  // Addresses that were cut off or extended.
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

/** Returns the value of the link's cookie. Its path ensures that browsers send only that of the link. */
function cookieOf({ headers }: FastifyRequest): string | undefined {
  for (const pair of headers.cookie?.split(';') ?? []) {
    const [name = '', value] = pair.split('=', 2);
    if (name.trim() === cookieName) return value?.trim();
  }
  return undefined;
}
