/** Starts the real API for tests. */

import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { CallData, CallName } from '@linnet/contract';
import { calls, envelope } from '@linnet/contract';
import { prefixes, routes } from '@linnet/contract/routes';
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { pino } from 'pino';
import { inject } from 'vitest';
import { buildApp } from '../src/app.ts';
import { findFfmpeg } from '../src/audio/ffmpeg.ts';
import type { Config } from '../src/config/index.ts';
import { readConfig } from '../src/config/index.ts';
import type { Database } from '../src/db/database.ts';
import { callTimeouts, openDatabase } from '../src/db/database.ts';
import type { Queue } from '../src/jobs/queue.ts';
import { openQueue } from '../src/jobs/queue.ts';
import { createMetrics } from '../src/metrics/metrics.ts';
import { registerDevices } from '../src/modules/device/service.ts';
import { selectAnalyzer } from '../src/providers/analysis/index.ts';
import { selectEmbedder } from '../src/providers/embedding/index.ts';
import { selectMailer } from '../src/providers/mail/index.ts';
import { decodeMail } from '../src/providers/mail/message.ts';
import type { Payment } from '../src/providers/payment/index.ts';
import { selectPayment } from '../src/providers/payment/index.ts';
import { selectSpeechEngines } from '../src/providers/speech/index.ts';
import { selectStore } from '../src/providers/storage/index.ts';
import type { ObjectStore } from '../src/providers/storage/port.ts';
import { loadKeys } from '../src/secrets.ts';
import type { TestDatabase } from './template-database.ts';
import { createTestDatabase } from './template-database.ts';

export interface CallResponse<Data> {
  readonly code: number;
  readonly msg: string;
  readonly data: Data;
}

export interface Account {
  readonly id: string;
  readonly email: string;
  readonly password: string;
  readonly access: string;
  readonly refresh: string;
}

/** The real API with its own database, an adjustable clock and helper functions. */
export interface TestServer {
  readonly app: FastifyInstance;
  readonly config: Config;
  readonly db: Database;
  readonly databaseUrl: string;
  readonly queue: Queue;
  readonly store: ObjectStore;
  readonly payment: Payment;
  /** The server's clock. */
  readonly now: () => Date;
  /** The raw log lines. */
  readonly logged: string[];
  /** Advances the server's clock. */
  advanceClock(seconds: number): void;
  /** Posts a call under a prefix and parses the envelope. Asserts HTTP status 200. */
  call<Name extends CallName>(
    name: Name,
    body?: unknown,
    options?: { token?: string; prefix?: string },
  ): Promise<CallResponse<CallData<Name>>>;
  raw(
    name: CallName,
    payload: string,
    headers?: Record<string, string>,
  ): Promise<LightMyRequestResponse>;
  /** Returns the latest code emailed to an address. */
  emailedCode(email: string): Promise<string>;
  register(email?: string): Promise<Account>;
  /** @param publicKey the recorder's Ed25519 key, as 32 bytes in hex */
  registerDevice(sn: string, publicKey?: string): Promise<void>;
  close(): Promise<void>;
}

export const goodPassword = 'correct horse battery';

/**
 * @param environment additional variables. With DATABASE_URL and DATA_DIR, the server uses existing data, and closing
 * it keeps the data.
 */
export async function startTestServer(
  environment: Record<string, string> = {},
): Promise<TestServer> {
  const { DATABASE_URL: sharedDatabaseUrl, DATA_DIR } = environment;
  const dataDir = DATA_DIR ?? (await mkdtemp(path.join(tmpdir(), 'linnet-server-')));
  const database = sharedDatabaseUrl
    ? { url: sharedDatabaseUrl, drop: async () => undefined }
    : await createDatabase();
  const config = readConfig({
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    LOG_LEVEL: 'debug',
    FFMPEG: 'none',
    MODELS: 'off',
    ENGINES_DIR: inject('enginesDir') ?? undefined,
    ...environment,
  });
  const logged: string[] = [];
  const log = pino({ level: 'debug' }, { write: (line: string) => void logged.push(line) });
  const onLost = (error: Error) => log.warn({ err: error });
  const { db } = openDatabase(database.url, onLost, callTimeouts);
  const queue = await openQueue(database.url, 'api', log);
  const store = await selectStore(config);
  let offsetSeconds = 0;
  const now = () => new Date(Date.now() + offsetSeconds);
  const keys = await loadKeys(config);
  const payment = await selectPayment(config, keys, now);
  const embedder = selectEmbedder(config);
  const app = await buildApp({
    config,
    log,
    db,
    queue,
    store,
    mailer: selectMailer(config),
    analyzer: selectAnalyzer(config),
    embedder,
    ffmpeg: await findFfmpeg(config.FFMPEG),
    diarizer: null,
    engines: selectSpeechEngines(config),
    keys,
    payment,
    metrics: createMetrics(),
    appFolder: environment.APP_FOLDER ?? path.join(dataDir, 'no-app'),
    now,
  });
  await app.ready();

  const server: TestServer = {
    app,
    config,
    db,
    databaseUrl: database.url,
    queue,
    store,
    payment,
    now,
    logged,
    advanceClock(seconds) {
      offsetSeconds += seconds * 1000;
    },

    async call(name, body = {}, { token, prefix } = {}) {
      const { method, path: address, host } = routes[name];
      const response = await app.inject({
        method,
        url: `${prefix ?? prefixes[host]}${address}`,
        headers: { host: 'localhost:8080', ...(token && { authorization: `Bearer ${token}` }) },
        ...(method === 'POST' && { payload: body as object }),
      });
      if (response.statusCode !== 200) throw new Error(`${name} returned ${response.statusCode}`);
      // The serializer doesn't validate values, so check every response against its schema here.
      return envelope(calls[name].data).parse(response.json()) as CallResponse<
        CallData<typeof name>
      >;
    },

    raw: (name, payload, headers = {}) =>
      app.inject({
        method: 'POST',
        url: `${prefixes[routes[name].host]}${routes[name].path}`,
        headers: { 'content-type': 'application/json', ...headers },
        payload,
      }),

    async emailedCode(email) {
      const folder = path.join(dataDir, 'outbox');
      for (const name of (await readdir(folder)).sort().reverse()) {
        const mail = await readFile(path.join(folder, name), 'utf8');
        const { to, text } = await decodeMail(mail);
        const code = /^(\d{6})$/m.exec(text)?.[1];
        if (code && to === email) return code;
      }
      throw new Error(`no code was emailed to ${email}`);
    },

    async register(email = `${randomUUID()}@example.com`) {
      await server.call('site/code', { email });
      const code = await server.emailedCode(email);
      const password = goodPassword;
      const fields = { email, code, password, repassword: password };
      const { data: created, msg } = await server.call('user/register', fields);
      if (!created) throw new Error(`registering failed: ${msg}`);
      const { data } = await server.call('user/login', { email, password });
      return {
        id: created.id,
        email,
        password,
        access: data.access_token,
        refresh: data.refresh_token,
      };
    },

    async registerDevice(sn, publicKey) {
      await registerDevices(db, [{ sn, publicKey }]);
    },

    async close() {
      await app.close();
      await embedder?.close?.();
      await queue.stop();
      await db.destroy();
      await database.drop();
      if (DATA_DIR === undefined) await rm(dataDir, { recursive: true, force: true });
    },
  };
  return server;
}

/** Creates a copy of the migrated database, or an empty database. */
export const createDatabase = (options?: { empty?: boolean }): Promise<TestDatabase> =>
  createTestDatabase(inject('postgresUrl'), options);
