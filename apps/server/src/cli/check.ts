import { X509Certificate } from 'node:crypto';
import { readFile, statfs } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { dayMs } from '../calendar.ts';
import { exposureWarnings } from '../config/index.ts';
import { within } from '../deadline.ts';
import { selectAnalyzer } from '../providers/analysis/index.ts';
import { selectMailer } from '../providers/mail/index.ts';
import { SPEECH_SAMPLE_RATE, selectSpeechEngines } from '../providers/speech/index.ts';
import { selectStore } from '../providers/storage/index.ts';
import { readTls } from '../tls.ts';
import type { Context } from './command.ts';
import { command, harmless } from './command.ts';

/** What was found of one part: `warning` works, and will not for ever or for everybody. */
interface Finding {
  readonly state: 'ok' | 'warning' | 'failed';
  readonly text: string;
}
type Check = (context: Context, options: CheckOptions) => Promise<Finding>;
interface CheckOptions {
  /** Where a test mail is sent; the connection alone is tried without. */
  readonly mailTo?: string | undefined;
}

const ok = (text: string): Finding => ({ state: 'ok', text });
const warning = (text: string): Finding => ({ state: 'warning', text });
const failed = (text: string): Finding => ({ state: 'failed', text });

/** Milliseconds that one part may take: an engine that is slow to load, a service that does not answer. */
const limitMs = 60_000;
/** Milliseconds that clocks may differ: signed addresses and tokens allow for no more. */
const clockMs = 5000;
/** Days before its end from which a certificate is worth a warning. */
const certificateDays = 14;
const gibibyte = 1024 ** 3;

const checks: Readonly<Record<string, Check>> = {
  async database({ db }) {
    const { rows } = await sql<{ server_version: string }>`show server_version`.execute(db);
    return ok(`PostgreSQL ${rows[0]?.server_version} answers`);
  },

  async store({ config }) {
    const store = await selectStore(config);
    const key = `check/${uuidv7()}`;
    const content = Buffer.from(key);
    try {
      await store.put(key, arrayOf(content), { maxBytes: content.length });
      const read = await buffer(await store.read(key));
      if (!read.equals(content)) return failed('an object was read otherwise than it was stored');
    } finally {
      await store.delete(key);
    }
    return ok(`${store.id}: an object was stored, read and deleted`);
  },

  async mail({ config }, { mailTo }) {
    const mailer = selectMailer(config);
    try {
      if (config.SMTP_URL === undefined) {
        return config.exposed
          ? failed('SMTP_URL is missing: nobody receives a verification code')
          : ok('lands in the outbox');
      }
      if (mailTo === undefined) {
        await mailer.verify();
        return ok('the mail server accepts us; --mail-to ADDRESS sends a mail');
      }
      await mailer.send({
        to: mailTo,
        subject: 'Linnet: test',
        text: 'Mail of this server arrives.\n',
      });
      return ok(`a mail to ${mailTo} was accepted`);
    } finally {
      mailer.close();
    }
  },

  async speech({ config }) {
    const found: Finding[] = [];
    for (const engine of selectSpeechEngines(config).all) {
      const readiness = await engine.readiness();
      if (readiness.status === 'missing') {
        found.push(warning(`${engine.id} is not installed: ${readiness.needs.join(', ')}`));
        continue;
      }
      const [language] = await engine.languages();
      if (!language) continue;
      // Two seconds of silence: whether the engine runs, not what it recognises.
      const samples = new Int16Array(2 * SPEECH_SAMPLE_RATE);
      await engine.transcribe({ audio: { kind: 'pcm', samples }, language: language.tag });
      found.push(ok(`${engine.id} recognises speech`));
    }
    const working = found.filter(({ state }) => state === 'ok');
    if (working.length === 0) {
      const reasons = found.map(({ text }) => text).join('; ');
      return failed(`no engine works: ${reasons || 'none is configured'}`);
    }
    return ok(working.map(({ text }) => text).join('; '));
  },

  async 'language model'({ config, now }) {
    const analyzer = selectAnalyzer(config);
    const text = 'We will meet on Monday at ten to discuss the budget of the garden.';
    await analyzer.analyze({
      paragraphs: [{ id: 'p1', start: 0, end: 5, text }],
      language: 'en',
      structures: ['general'],
      recordedAt: now(),
    });
    return ok(`${analyzer.id} summarises`);
  },

  async certificate({ config, now }) {
    const tls = await readTls(config);
    if (!tls || config.TLS_CERT === undefined) {
      return config.exposed
        ? ok('is the reverse proxy’s; see public address')
        : ok('none is needed on this machine');
    }
    const certificate = new X509Certificate(await readFile(config.TLS_CERT));
    const { hostname } = new URL(config.origin);
    if (!certificate.checkHost(hostname) && !certificate.checkIP(hostname)) {
      return failed(`it is not for ${hostname}`);
    }
    const left = (Date.parse(certificate.validTo) - now().getTime()) / dayMs;
    const until = `it is valid until ${certificate.validTo}`;
    if (left <= 0 || Date.parse(certificate.validFrom) > now().getTime()) {
      return failed(`it is not valid now: ${certificate.validFrom} to ${certificate.validTo}`);
    }
    return left < certificateDays ? warning(until) : ok(until);
  },

  async clock({ db, now }) {
    const before = now().getTime();
    const { rows } = await sql<{ time: Date }>`select clock_timestamp() as time`.execute(db);
    const after = now().getTime();
    const time = rows[0]?.time.getTime() ?? Number.NaN;
    const apart = Math.max(before - time, time - after, 0);
    const seconds = `${(apart / 1000).toFixed(1)} s`;
    if (!(apart <= clockMs)) return failed(`it differs from the database's by ${seconds}`);
    return ok('agrees with the database’s');
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
    const patience = { redirect: 'manual', signal: AbortSignal.timeout(10_000) } as const;
    const response = await fetch(url, patience).catch((error: unknown) => error);
    if (!(response instanceof Response)) {
      return failed(`${config.origin} does not answer: ${reasonOf(response)}`);
    }
    if (response.status !== 200) return failed(`${url} answers ${response.status}`);
    const date = Date.parse(response.headers.get('date') ?? '');
    const apart = Math.abs(date - now().getTime());
    // The header has whole seconds.
    if (apart > clockMs + 1000) return failed(`its clock differs by ${Math.round(apart / 1000)} s`);
    return ok(`${config.origin} answers`);
  },

  async settings({ config }) {
    const warnings = exposureWarnings(config);
    return warnings.length > 0
      ? warning(warnings.join(' '))
      : ok('fit where the server is reached');
  },
};

async function* arrayOf(content: Uint8Array): AsyncIterable<Uint8Array> {
  yield content;
}

/** What an error says, and what it was caused by. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code } = error as NodeJS.ErrnoException;
  const own = error.message || code || error.name;
  return error.cause === undefined ? own : `${own}: ${reasonOf(error.cause)}`;
}

/** Runs every check, each on its own: one that throws has failed. */
async function checkAll(
  context: Context,
  options: CheckOptions = {},
): Promise<ReadonlyMap<string, Finding>> {
  const entries = Object.entries(checks).map(async ([name, check]) => {
    const finding = await within(limitMs, check(context, options)).catch((error: unknown) =>
      failed(reasonOf(error)),
    );
    return [name, finding] as const;
  });
  return new Map(await Promise.all(entries));
}

/** The lines that are printed, one for each check. */
function checkLines(findings: ReadonlyMap<string, Finding>): string {
  return [...findings]
    .map(
      ([name, { state, text }]) => `${state.padEnd(7)}  ${name}: ${text.replaceAll(/\s+/g, ' ')}`,
    )
    .map(harmless)
    .join('\n');
}

export const checkCommands = [
  command({
    name: 'check',
    about:
      'tries database, store, mail, speech engines, language model, certificate, clock, disk and public address; exit code 1 if one fails',
    options: { 'mail-to': { value: 'e-mail' } },
    async run(context, _operands, { 'mail-to': mailTo }) {
      const findings = await checkAll(context, { mailTo });
      if ([...findings.values()].some(({ state }) => state === 'failed')) process.exitCode = 1;
      return checkLines(findings);
    },
  }),
];
