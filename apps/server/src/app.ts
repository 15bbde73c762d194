/** Composes the API's plugins, modules and routes on one Fastify instance. Listening is left to `api.ts`. */
import { limits } from '@linnet/contract/limits';
import type { FastifyBaseLogger, FastifyInstance, FastifyRequest } from 'fastify';
import { fastify, LogController } from 'fastify';
import { validatorCompiler } from 'fastify-type-provider-zod';
import type { Logger } from 'pino';
import { decodedKinds, type Ffmpeg } from './audio/ffmpeg.ts';
import type { Config } from './config/index.ts';
import { downloadFolder, isLoopbackHost } from './config/index.ts';
import type { Database } from './db/database.ts';
import { installBodies } from './http/body.ts';
import { installBodyDeadlines } from './http/body-deadline.ts';
import type { CallServices } from './http/calls.ts';
import { createCallDefiner } from './http/calls.ts';
import { installClosing } from './http/closing.ts';
import { answerInvalidPath, installErrorHandler } from './http/errors.ts';
import { createFormDefiner } from './http/forms.ts';
import { createGate } from './http/gate.ts';
import { createRateLimiter } from './http/rate-limit.ts';
import { serializerCompiler } from './http/serializer.ts';
import { createUploadPace } from './http/upload-pace.ts';
import type { Queue } from './jobs/queue.ts';
import { measureStore } from './metrics/measured-store.ts';
import type { Metrics } from './metrics/metrics.ts';
import { askRoutes } from './modules/ask/routes.ts';
import { createQuestions } from './modules/ask/service.ts';
import { calendarFileRoutes, calendarRoutes } from './modules/calendar/routes.ts';
import { createCalendars } from './modules/calendar/service.ts';
import { convertRoutes } from './modules/convert/routes.ts';
import { createConverter } from './modules/convert/service.ts';
import { deviceRoutes } from './modules/device/routes.ts';
import { createDeviceService } from './modules/device/service.ts';
import { feedbackRoutes } from './modules/feedback/routes.ts';
import { createFeedback } from './modules/feedback/service.ts';
import { firmwareRoutes } from './modules/firmware/routes.ts';
import { keyRoutes } from './modules/key/routes.ts';
import { createApiKeys } from './modules/key/service.ts';
import { liveRoutes } from './modules/live/routes.ts';
import { createLiveService } from './modules/live/service.ts';
import { createLiveWatch } from './modules/live/watch.ts';
import { mcpRoutes } from './modules/mcp/routes.ts';
import { createMinutes } from './modules/minutes/service.ts';
import { notificationMailRoutes } from './modules/notification-mail/routes.ts';
import { createNotificationEmails } from './modules/notification-mail/service.ts';
import { createUnsubscribeAddresses } from './modules/notification-mail/unsubscribe-address.ts';
import { unsubscribeRoutes } from './modules/notification-mail/unsubscribe-routes.ts';
import { createFulfillment } from './modules/order/fulfillment.ts';
import { orderRoutes } from './modules/order/routes.ts';
import { sandboxRoutes } from './modules/order/sandbox-routes.ts';
import { createOrderService } from './modules/order/service.ts';
import { stripeRoutes } from './modules/order/stripe-routes.ts';
import { pushRoutes } from './modules/push/routes.ts';
import { createPush } from './modules/push/service.ts';
import { deriveVapidKeys } from './modules/push/vapid.ts';
import { recordingRoutes } from './modules/recording/routes.ts';
import { createRecordingService } from './modules/recording/service.ts';
import { retentionRoutes } from './modules/retention/routes.ts';
import { createRetention } from './modules/retention/service.ts';
import { settingRoutes } from './modules/setting/routes.ts';
import { createSettingService } from './modules/setting/service.ts';
import { createShareAddresses } from './modules/share/address.ts';
import { sharePageRoutes } from './modules/share/page-routes.ts';
import { shareRoutes } from './modules/share/routes.ts';
import { createShares } from './modules/share/service.ts';
import { createVisits } from './modules/share/visits.ts';
import { siteRoutes } from './modules/site/routes.ts';
import { createChanges } from './modules/sync/changes.ts';
import { createOperations } from './modules/sync/operations.ts';
import { syncRoutes } from './modules/sync/routes.ts';
import { createCancellation } from './modules/task/cancel.ts';
import { createDrafts } from './modules/task/drafts.ts';
import { createMerges } from './modules/task/merge.ts';
import { createMindMapFiles, mindMapRoutes } from './modules/task/mind-map-files.ts';
import { createParagraphs } from './modules/task/paragraphs.ts';
import { taskRoutes } from './modules/task/routes.ts';
import { createTaskService } from './modules/task/service.ts';
import { logNamingFailure } from './modules/task/summary-names.ts';
import { createSummaryRequests } from './modules/task/summary-requests.ts';
import { createTranscriptionSupport } from './modules/task/transcription-support.ts';
import { createAddresses } from './modules/upload/addresses.ts';
import { createEmbeddedGateway } from './modules/upload/embedded-gateway.ts';
import { createUploadGrants } from './modules/upload/grants.ts';
import { createIntake } from './modules/upload/intake.ts';
import { createQuota } from './modules/upload/quota.ts';
import { resumableRoutes } from './modules/upload/resumable-routes.ts';
import { intakeRoutes, uploadRoutes } from './modules/upload/routes.ts';
import { createUploadService } from './modules/upload/service.ts';
import { storeRoutes } from './modules/upload/store-routes.ts';
import { createAccess } from './modules/user/access.ts';
import { createClosing } from './modules/user/closing.ts';
import { createVerificationCodes } from './modules/user/codes.ts';
import { createAccountLanguages } from './modules/user/languages.ts';
import { createProfile } from './modules/user/profile.ts';
import { userRoutes } from './modules/user/routes.ts';
import { createUserService } from './modules/user/service.ts';
import { createSessions } from './modules/user/sessions.ts';
import { createTrials } from './modules/user/trials.ts';
import { webdavDestinations } from './modules/vault/open-folder.ts';
import { vaultRoutes } from './modules/vault/routes.ts';
import { createVaults } from './modules/vault/service.ts';
import { voiceRoutes } from './modules/voice/routes.ts';
import { createVoiceService } from './modules/voice/service.ts';
import { webhookDestinations } from './modules/webhook/destination.ts';
import { webhookRoutes } from './modules/webhook/routes.ts';
import { createWebhooks } from './modules/webhook/service.ts';
import { installAppFiles } from './plugins/app-files.ts';
import { installCompression } from './plugins/compression.ts';
import { installHealth } from './plugins/health.ts';
import { installHostCheck } from './plugins/hosts.ts';
import { countRequests, installMetrics } from './plugins/metrics.ts';
import { installOutbox } from './plugins/outbox.ts';
import { installSecurity } from './plugins/security.ts';
import { traceRequests } from './plugins/traces.ts';
import type { TranscriptAnalyzer } from './providers/analysis/port.ts';
import type { Embedder } from './providers/embedding/port.ts';
import type { Mailer } from './providers/mail/port.ts';
import type { Payment } from './providers/payment/index.ts';
import type { SpeakerDiarizer } from './providers/speakers/port.ts';
import type { SpeechEngines } from './providers/speech/index.ts';
import type { ObjectStore } from './providers/storage/port.ts';
import { referenceRoutes } from './reference/routes.ts';
import { createBitCache } from './retrieval/embeddings/cache.ts';
import { createVectorSearch } from './retrieval/embeddings/vector-search.ts';
import type { Keys } from './secrets.ts';
import type { Tls } from './tls.ts';

/** Dependencies of the API, chosen by the composition root. */
export interface AppDependencies {
  readonly config: Config;
  readonly log: Logger;
  readonly db: Database;
  readonly queue: Queue;
  readonly store: ObjectStore;
  readonly mailer: Mailer;
  readonly payment: Payment;
  readonly engines: SpeechEngines;
  readonly analyzer: TranscriptAnalyzer;
  /** Null if paragraphs are found only by keyword search. */
  readonly embedder: Embedder | null;
  /** Null if ffmpeg isn't installed. */
  readonly ffmpeg: Ffmpeg | null;
  readonly diarizer: SpeakerDiarizer | null;
  readonly keys: Keys;
  readonly metrics: Metrics;
  /** Folder of the built app. */
  readonly appFolder: string;
  /** The certificate for HTTPS. Without it, the API uses HTTP. */
  readonly tls?: Tls | null;
  readonly now: () => Date;
}

/** Builds the API without starting to listen. */
export async function buildApp(deps: AppDependencies): Promise<FastifyInstance> {
  const { config, log, db, queue, payment, keys, metrics, now } = deps;
  const store = measureStore(deps.store, metrics);
  metrics.observeQueue(queue.counts, (error) => {
    log.warn({ err: error }, 'queue metrics failed');
  });
  const loggerInstance: FastifyBaseLogger = log;
  const app: FastifyInstance = fastify({
    ...(deps.tls && { https: deps.tls }),
    loggerInstance,
    // Fastify's own request log includes the query, which may contain signatures and tokens.
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: limits.jsonBodyBytes,
    // Only these reverse proxies are trusted to forward the client's IP address.
    trustProxy: config.PUBLIC_URL === undefined ? false : ['loopback', ...config.TRUSTED_PROXIES],
    routerOptions: { ignoreTrailingSlash: true },
    // Malformed URLs never reach a route, so they are handled here.
    frameworkErrors: answerInvalidPath,
  });
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  installHostCheck(app, config);
  installBodyDeadlines(app);
  installClosing(app);
  installBodies(app);
  installErrorHandler(app);
  app.addHook('onResponse', async (request, reply) => {
    const { method, routeOptions } = request;
    const entry = { method, route: routeOptions.url ?? 'none', status: reply.statusCode };
    const { envelopeCode: code } = reply;
    request.log.info({ ...entry, code, ms: Math.round(reply.elapsedTime) }, 'request handled');
  });
  countRequests(app, metrics);
  if (config.OTEL_EXPORTER_OTLP_ENDPOINT !== undefined) traceRequests(app);
  await installSecurity(app, config);
  await installCompression(app);

  const access = createAccess(db, keys.accessToken, now);
  const minutes = createMinutes({ unlimited: config.BILLING === 'off', now });
  const embeddedGateway = createEmbeddedGateway(store, keys);
  const gateway = store.gateway ?? embeddedGateway;
  const addresses = createAddresses(gateway, now);
  const transcription = createTranscriptionSupport(deps.engines, (hint) => {
    log.warn({ hint }, 'transcription language not supported');
  });
  const limiter = createRateLimiter(db, keys.rateLimit);
  const sessions = createSessions(db, keys.refreshToken, access, now);
  const trials = createTrials(keys.trial, now);
  const operations = createOperations({
    ...{ db, queue, minutes, now },
    onNamingFailure: logNamingFailure(log),
  });
  const languages = createAccountLanguages(operations);
  const users = createUserService({
    db,
    now,
    minutes,
    sessions,
    limiter,
    networkKey: keys.rateLimit,
    codes: createVerificationCodes(db, keys.verificationCode, now),
    mailer: deps.mailer,
    trialDays: config.TRIAL_DAYS,
    trials,
    languages,
  });
  const fulfillment = createFulfillment({ db, queue, minutes, now });
  const orders = createOrderService({
    db,
    log,
    queue,
    limiter,
    payment,
    prices: config.prices,
    fulfillment,
    languages,
    now,
  });
  const isFree = config.BILLING === 'off';
  const profile = createProfile({ db, queue, store, addresses, minutes, orders, isFree, now });
  const feedback = createFeedback({ db, store, addresses, queue, limiter, now });
  const quota = createQuota(db, config.ACCOUNT_BYTES || null, now);
  const audioKinds = decodedKinds(deps.ffmpeg);
  const uploads = createUploadService({ quota, db, queue, store, audioKinds, log, now });
  const grants = createUploadGrants({
    db,
    store,
    gateway,
    quota,
    sessionKey: keys.uploadSession,
    audioKinds,
    now,
  });
  const pace = createUploadPace();
  const intake = createIntake({ db, store, reserveKey: grants.reserveKey, pace });
  const converter = createConverter({
    ...{ db, store, gateway, addresses, limiter, now },
    ffmpeg: deps.ffmpeg,
    dataDir: config.DATA_DIR,
  });
  const recordings = createRecordingService(db, operations);
  const summaries = createSummaryRequests({ db, queue, analyzer: deps.analyzer, isFree, now });
  const tasks = createTaskService({ db, queue, minutes, transcription, now });
  const mindMaps = createMindMapFiles({
    ...{ db, now },
    secret: keys.mindMapAddress,
    version: config.version,
  });
  const devices = createDeviceService({
    db,
    keys,
    log,
    allowsUnregistered: config.DEVICES === 'open',
    now,
  });

  const questions = createQuestions({
    ...{ db, queue, now },
    vectorSearch:
      deps.embedder &&
      createVectorSearch({ db, embedder: deps.embedder, cache: createBitCache(db), log }),
    writes: deps.analyzer.answer !== undefined,
  });
  const calendars = createCalendars({ db, secret: keys.calendarAddress, now });

  const shareAddresses = createShareAddresses(keys.shareAddress);
  const shares = createShares({ db, addresses: shareAddresses, isFree, now });

  const mails = createNotificationEmails({ db, now, sendsMail: config.SMTP_URL !== undefined });

  const callServices: CallServices = {
    gate: createGate(),
    limiter,
    subjectOfToken: (token) => access.getSubject(token),
    authenticate: (token, scope) => access.authenticate(token, scope),
    getOrigin: (request) => getOrigin(request, config),
  };
  await app.register(async (forms) => {
    intakeRoutes(await createFormDefiner(forms, callServices), uploads, intake, addresses);
  });
  await app.register(async (calls) => {
    const call = createCallDefiner(calls, callServices);
    userRoutes(
      call,
      users,
      profile,
      createClosing({ db, queue, sessions, trials, languages, now }),
      sessions,
    );
    keyRoutes(call, createApiKeys(db, now), users);
    orderRoutes(call, orders);
    feedbackRoutes(call, feedback);
    deviceRoutes(call, devices);
    uploadRoutes(call, grants, uploads, quota, recordings, addresses);
    convertRoutes(call, converter);
    syncRoutes(call, limiter, operations, createChanges(db), addresses, mindMaps);
    recordingRoutes(call, recordings, addresses);
    const cancellation = createCancellation({ db, queue, minutes, now });
    const paragraphs = createParagraphs(db, operations);
    const drafts = createDrafts({ db, tasks, transcription });
    const merges = createMerges({ db, queue, operations, now });
    taskRoutes(
      call,
      tasks,
      summaries,
      cancellation,
      drafts,
      merges,
      paragraphs,
      recordings,
      mindMaps,
      {
        db,
        store,
        addresses,
      },
    );
    const watch = createLiveWatch(db, callServices.gate, now);
    // Long-polling calls would delay the shutdown.
    calls.addHook('preClose', async () => watch.close());
    liveRoutes(call, createLiveService({ db, minutes, transcription, isFree, now }), watch);
    askRoutes(call, questions, callServices);
    calendarRoutes(call, calendars);
    shareRoutes(call, shares);
    webhookRoutes(
      call,
      createWebhooks({
        ...{ db, queue, now, secretKey: keys.webhookSecret },
        ...webhookDestinations(config),
      }),
    );
    vaultRoutes(
      call,
      createVaults({
        ...{ db, queue, now, secretKey: keys.vaultPassword, version: config.version },
        ...webdavDestinations(config),
        root: config.VAULT_DIR ?? null,
      }),
    );
    pushRoutes(
      call,
      createPush({
        ...{ db, queue, now, publicKey: deriveVapidKeys(keys.vapid).publicKey },
        ...webhookDestinations(config),
      }),
    );
    notificationMailRoutes(call, mails);
    retentionRoutes(call, createRetention({ db, operations }));
    voiceRoutes(call, createVoiceService(db, operations));
    settingRoutes(call, createSettingService(db, operations));
    siteRoutes(call, config, deps, transcription, log);
  });
  await app.register(async (routes) => mindMapRoutes(routes, mindMaps));
  await app.register((routes) => calendarFileRoutes(routes, calendars, callServices));
  await app.register((routes) =>
    sharePageRoutes(routes, {
      ...{ db, store, log, now, addresses: shareAddresses },
      visits: createVisits({ db, secret: keys.shareAddress, now }),
      ...callServices,
    }),
  );
  await app.register((routes) =>
    unsubscribeRoutes(routes, {
      ...{ mails, limiter },
      addresses: createUnsubscribeAddresses(keys.unsubscribeAddress),
    }),
  );
  await app.register((routes) =>
    mcpRoutes(routes, {
      ...{ db, recordings, tasks, operations, questions, version: config.version },
      ...callServices,
    }),
  );
  await app.register((routes) => referenceRoutes(routes, config.version));
  if (store.gateway === null) {
    await app.register(async (routes) =>
      storeRoutes(routes, {
        ...{ db, store, gateway: embeddedGateway, pace, log, now },
        getOrigin: callServices.getOrigin,
      }),
    );
  }
  const resumable = { db, store, sessionKey: keys.uploadSession, log, now };
  await app.register(async (routes) => resumableRoutes(routes, { ...resumable, ...callServices }));
  if (payment?.id === 'sandbox') {
    await app.register(sandboxRoutes, { db, sandbox: payment, fulfillment, languages });
  } else if (payment?.id === 'stripe') {
    await app.register(stripeRoutes, { stripe: payment, fulfillment });
  }
  await app.register(firmwareRoutes, {
    store,
    getOrigin: (request: FastifyRequest) => getOrigin(request, config),
  });
  installHealth(app, { db, store, queue, modelsDir: downloadFolder(config) }, log);
  installMetrics(app, metrics, config, config.loopback && config.PUBLIC_URL === undefined);
  if (config.SMTP_URL === undefined) await installOutbox(app, config.DATA_DIR);
  await installAppFiles(app, deps.appFolder);
  return app;
}

/**
 * Returns this server's origin as seen by the caller. Without PUBLIC_URL, all callers are on this machine, and the host
 * name they use (localhost or 127.0.0.1) is part of their pages' origin.
 */
function getOrigin(request: FastifyRequest, config: Config): string {
  if (config.PUBLIC_URL !== undefined) return config.origin;
  const address = `${request.protocol}://${request.headers.host ?? ''}`;
  const isLoopback = URL.canParse(address) && isLoopbackHost(new URL(address).hostname);
  return isLoopback ? new URL(address).origin : config.origin;
}
