/** The command `check`. Verifies every part of an installation and reports problems that the operator has to fix. */
import { X509Certificate } from 'node:crypto';
import { readFile, statfs } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { decodedKinds, findFfmpeg } from '../audio/ffmpeg.ts';
import { dayMs } from '../calendar.ts';
import { exposureWarnings } from '../config/index.ts';
import { cancelAfter } from '../deadline.ts';
import { selectAnalyzer } from '../providers/analysis/index.ts';
import { selectEmbedder } from '../providers/embedding/index.ts';
import { selectMailer } from '../providers/mail/index.ts';
import { SPEECH_SAMPLE_RATE, selectSpeechEngines } from '../providers/speech/index.ts';
import { selectStore } from '../providers/storage/index.ts';
import { createVectorIndex } from '../retrieval/embeddings/vector-index.ts';
import { readTls } from '../tls.ts';
import type { Context } from './command.ts';
import { command, sanitize } from './command.ts';

/** The result of a check. A `warning` is a problem that doesn't prevent operation yet. */
interface Finding {
  readonly state: 'ok' | 'warning' | 'failed';
  readonly text: string;
}
/** A check. `signal` aborts when the check times out. */
type Check = (context: Context, options: CheckOptions, signal: AbortSignal) => Promise<Finding>;
interface CheckOptions {
  /** Recipient of a test mail. If undefined, only the connection is checked. */
  readonly mailTo?: string | undefined;
}

const ok = (text: string): Finding => ({ state: 'ok', text });
const warning = (text: string): Finding => ({ state: 'warning', text });
const failed = (text: string): Finding => ({ state: 'failed', text });

/** Timeout per check in milliseconds, generous enough for slow engines and unresponsive services. */
const limitMs = 60_000;
/** Timeout in milliseconds for a language model on this machine, which has to be loaded and write a summary. */
const localModelMs = 15 * 60_000;
/** Maximum clock difference in milliseconds that signed URLs and tokens tolerate. */
const clockMs = 5000;
/** A certificate that expires in fewer days causes a warning. */
const certificateDays = 14;
const gibibyte = 1024 ** 3;

const checks: Readonly<Record<string, Check>> = {
  async database({ db }) {
    const { rows } = await sql<{ server_version: string }>`show server_version`.execute(db);
    return ok(`PostgreSQL ${rows[0]?.server_version} responds`);
  },

  async store({ config }) {
    const store = await selectStore(config);
    const key = `check/${uuidv7()}`;
    const content = Buffer.from(key);
    try {
      await store.put(key, toAsyncIterable(content), { maxBytes: content.length });
      const storedContent = await buffer(await store.read(key));
      if (!storedContent.equals(content))
        return failed('an object was read with different content than was stored');
    } finally {
      await store.delete(key);
    }
    return ok(`${store.id}: stored, read and deleted an object`);
  },

  async mail({ config }, { mailTo }) {
    const mailer = selectMailer(config);
    try {
      if (config.SMTP_URL === undefined) {
        return config.exposed
          ? failed('SMTP_URL is not set, so users receive no verification codes')
          : ok('mail is written to the outbox');
      }
      if (mailTo === undefined) {
        await mailer.verify();
        return ok('the mail server accepts the connection; --mail-to ADDRESS sends a test mail');
      }
      await mailer.send({
        to: mailTo,
        language: 'en',
        subject: 'Linnet: test',
        text: 'This server can send mail.\n',
      });
      return ok(`the mail server accepted a mail to ${mailTo}`);
    } finally {
      mailer.close();
    }
  },

  async speech({ config }, _options, signal) {
    const engineFindings: Finding[] = [];
    for (const engine of selectSpeechEngines(config).all) {
      const readiness = await engine.readiness();
      if (readiness.status === 'missing') {
        engineFindings.push(
          warning(`${engine.id} is not installed: ${readiness.needs.join(', ')}`),
        );
        continue;
      }
      const [language] = await engine.languages();
      if (!language) continue;
      await engine.transcribe({
        audio: { kind: 'pcm', samples: testTone() },
        language: language.tag,
        signal,
      });
      engineFindings.push(ok(`${engine.id} works`));
    }
    const working = engineFindings.filter(({ state }) => state === 'ok');
    if (working.length === 0) {
      const reasons = engineFindings.map(({ text }) => text).join('; ');
      return failed(`no engine works: ${reasons || 'none is configured'}`);
    }
    return ok(working.map(({ text }) => text).join('; '));
  },

  async 'audio decoder'({ config }) {
    const ffmpeg = await findFfmpeg(config.FFMPEG);
    const names = decodedKinds(ffmpeg).map(({ name }) => name);
    const decoder = ffmpeg ? `ffmpeg ${ffmpeg.version}` : 'ffmpeg is not installed or is disabled';
    return ok(`${decoder}; decodes ${names.join(', ')}`);
  },

  async 'language model'({ config, now }, _options, signal) {
    const analyzer = selectAnalyzer(config);
    const text = 'We will meet on Monday at ten to discuss the budget of the garden.';
    try {
      await analyzer.analyze({
        paragraphs: [{ id: 'p1', start: 0, end: 5, text }],
        language: 'en',
        structures: ['general'],
        recordedAt: now(),
        signal,
      });
    } finally {
      await analyzer.close?.();
    }
    return ok(`${analyzer.id} works`);
  },

  async embeddings({ db, config }, _options, signal) {
    const embedder = selectEmbedder(config);
    if (embedder === null) return ok('not used: questions are answered by keyword search only');
    try {
      const missingCount = await createVectorIndex(db, embedder).countMissing(signal);
      return ok(`${embedder.id} works; recordings waiting for embeddings: ${missingCount}`);
    } finally {
      await embedder.close?.();
    }
  },

  async certificate({ config, now }) {
    const tls = await readTls(config);
    if (!tls || config.TLS_CERT === undefined) {
      return config.exposed
        ? ok('handled by the reverse proxy; see public address')
        : ok('not needed on this machine');
    }
    const certificate = new X509Certificate(await readFile(config.TLS_CERT));
    const { hostname } = new URL(config.origin);
    if (!certificate.checkHost(hostname) && !certificate.checkIP(hostname)) {
      return failed(`not issued for ${hostname}`);
    }
    const daysLeft = (Date.parse(certificate.validTo) - now().getTime()) / dayMs;
    const expiry = `valid until ${certificate.validTo}`;
    if (daysLeft <= 0 || Date.parse(certificate.validFrom) > now().getTime()) {
      return failed(`only valid from ${certificate.validFrom} to ${certificate.validTo}`);
    }
    return daysLeft < certificateDays ? warning(expiry) : ok(expiry);
  },

  async clock({ db, now }) {
    const requestedAt = now().getTime();
    const { rows } = await sql<{ time: Date }>`select clock_timestamp() as time`.execute(db);
    const after = now().getTime();
    const time = rows[0]?.time.getTime() ?? Number.NaN;
    const difference = Math.max(requestedAt - time, time - after, 0);
    const seconds = `${(difference / 1000).toFixed(1)} s`;
    if (!(difference <= clockMs)) return failed(`differs from the database clock by ${seconds}`);
    return ok('agrees with the database clock');
  },

  async disk({ config: { DATA_DIR } }) {
    const { bavail, blocks, bsize } = await statfs(DATA_DIR);
    const [free, share] = [bavail * bsize, bavail / blocks];
    const text = `${(free / gibibyte).toFixed(1)} GiB free in ${DATA_DIR} (${Math.round(share * 100)}%)`;
    if (free < gibibyte) return failed(text);
    return free < 5 * gibibyte || share < 0.05 ? warning(text) : ok(text);
  },

  async 'public address'({ config, now }) {
    const url = `${config.origin}/readyz`;
    const options = { redirect: 'manual', signal: AbortSignal.timeout(10_000) } as const;
    const response = await fetch(url, options).catch((error: unknown) => error);
    if (!(response instanceof Response)) {
      return failed(`${config.origin} does not respond: ${describeError(response)}`);
    }
    if (response.status !== 200) return failed(`${url} returns ${response.status}`);
    const date = Date.parse(response.headers.get('date') ?? '');
    const difference = Math.abs(date - now().getTime());
    // The header has a resolution of one second.
    if (difference > clockMs + 1000) {
      return failed(`its clock differs by ${Math.round(difference / 1000)} s`);
    }
    return ok(`${config.origin} responds`);
  },

  async settings({ config }) {
    const warnings = exposureWarnings(config);
    return warnings.length > 0
      ? warning(warnings.join(' '))
      : ok('safe for how the server is reached');
  },
};

/** Returns two seconds of a 440 Hz tone. Not silence, because recognizers don't send silence to their service. */
function testTone(): Int16Array {
  return Int16Array.from({ length: 2 * SPEECH_SAMPLE_RATE }, (_, index) =>
    Math.round(8000 * Math.sin((2 * Math.PI * 440 * index) / SPEECH_SAMPLE_RATE)),
  );
}

async function* toAsyncIterable(content: Uint8Array): AsyncIterable<Uint8Array> {
  yield content;
}

/** Joins the messages of an error and its causes. */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as NodeJS.ErrnoException;
  const message = error.message || code || error.name;
  return error.cause === undefined ? message : `${message}: ${describeError(error.cause)}`;
}

/** Runs all checks independently of each other. A check that throws counts as failed. */
async function checkAll(
  context: Context,
  options: CheckOptions = {},
): Promise<ReadonlyMap<string, Finding>> {
  const entries = Object.entries(checks).map(async ([name, check]) => {
    const isLocalModel =
      (name === 'language model' && context.config.LLM === 'local') ||
      (name === 'embeddings' && context.config.EMBEDDINGS === 'local');
    const limit = isLocalModel ? localModelMs : limitMs;
    const run = (signal: AbortSignal) => check(context, options, signal);
    const finding = await cancelAfter(limit, run).catch((error: unknown) =>
      failed(describeError(error)),
    );
    return [name, finding] as const;
  });
  return new Map(await Promise.all(entries));
}

/** Formats the findings, one line per check. */
function checkLines(findings: ReadonlyMap<string, Finding>): string {
  return [...findings]
    .map(
      ([name, { state, text }]) => `${state.padEnd(7)}  ${name}: ${text.replaceAll(/\s+/g, ' ')}`,
    )
    .map(sanitize)
    .join('\n');
}

export const checkCommands = [
  command({
    name: 'check',
    description:
      'check database, store, mail, speech engines, audio decoder, language model, embeddings, certificate, clock, disk and public address; exit code 1 if any fails',
    options: { 'mail-to': { value: 'email' } },
    async run(context, _positionals, { 'mail-to': mailTo }) {
      const findings = await checkAll(context, { mailTo });
      const hasProblem = [...findings.values()].some(({ state }) => state === 'failed');
      return { text: checkLines(findings), hasProblem };
    },
  }),
];
