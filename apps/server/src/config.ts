import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { Prices } from './modules/order/plans.ts';
import { readPrices } from './modules/order/plans.ts';
import { isLoopbackHost } from './modules/site/virtual-recorder.ts';

/** A value in the environment that cannot be used; the message is the whole sentence for the operator. */
export class ConfigFailure extends Error {
  override readonly name = 'ConfigFailure';
  readonly variable: string;
  constructor(variable: string, message: string) {
    super(message);
    this.variable = variable;
  }
}

interface Variable<Schema extends z.ZodType<unknown, string | undefined>> {
  /** What it does, for the table in the docs. */
  readonly text: string;
  /** What it takes, likewise. */
  readonly takes: string;
  /** Its default as the table shows it. */
  readonly standard: string;
  readonly schema: Schema;
}

const variable = <Schema extends z.ZodType<unknown, string | undefined>>(
  takes: string,
  standard: string,
  text: string,
  schema: Schema,
): Variable<Schema> => ({ takes, standard, text, schema });

const standardPrices =
  'vip_monthly=9.99,vip_annual=99.99,package_120=2.99,package_600=9.99,package_3000=39.99';

const port = z
  .string()
  .regex(/^\d{1,5}$/, 'a port number')
  .transform(Number)
  .refine((value) => value <= 65535, 'a port number up to 65535');
const origin = z
  .url({ protocol: /^https?$/, error: 'an address such as https://linnet.example' })
  .transform((value) => value.replace(/\/+$/, ''));
const text = z.string().min(1);
/** What may stand in a header of HTTP. */
const apiKey = z.string().regex(/^[\x21-\x7e]+$/, 'a key without spaces');
const count = (least: number, most: number) =>
  z
    .string()
    .regex(/^\d{1,12}$/, 'a whole number')
    .transform(Number)
    .refine((value) => least <= value && value <= most, `a number from ${least} to ${most}`);
const bucketName = z
  .string()
  .regex(
    /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
    'a bucket of 3 to 63 small letters, digits, dots and hyphens',
  );
const regionName = z.string().regex(/^[a-z0-9-]+$/, 'a region such as us-east-1');
const stringBooleans = {
  truthy: ['true'],
  falsy: ['false'],
  error: 'true or false',
};
const choice = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.string().pipe(z.enum(values, `one of ${values.join(', ')}`));

const variables = {
  PORT: variable('port', '8080', 'Where the API and the app answer.', port.default(8080)),
  HOST: variable(
    'address',
    '127.0.0.1',
    'The address to listen on. With any but a loopback address, `PUBLIC_URL` is required.',
    z.string().min(1).default('127.0.0.1'),
  ),
  DATA_DIR: variable(
    'folder',
    './data',
    'Everything that is kept: database, objects, outbox, secrets.',
    z
      .string()
      .min(1)
      .default('./data')
      .transform((folder) => path.resolve(folder)),
  ),
  RECORDER_PORT: variable(
    'port or 0',
    '8090; 0 where others can reach the server',
    'Where the virtual recorder answers, on loopback; 0 for none.',
    port.optional(),
  ),
  RECORDERS: variable(
    'number',
    '1',
    'How many virtual recorders there are, each on the port after the one before.',
    count(1, 16).default(1),
  ),
  DATABASE_URL: variable(
    'postgres://…',
    'embedded',
    'A PostgreSQL of your own; without it, the embedded one is started in `DATA_DIR`.',
    z.url({ protocol: /^postgres(ql)?$/, error: 'an address such as postgres://…' }).optional(),
  ),
  STORAGE: variable(
    'local, s3, cos',
    'local',
    'Where objects lie: `local` is a folder in `DATA_DIR`, `s3` a bucket of Amazon S3 or whatever speaks as it does, `cos` one of Tencent COS.',
    choice(['local', 's3', 'cos']).default('local'),
  ),
  ACCOUNT_BYTES: variable(
    'bytes or 0',
    '100000000000',
    "What the recordings of one account may take on the server together; 0 for no limit. The app shows it on the page of one's space.",
    count(0, 999_999_999_999).default(100_000_000_000),
  ),
  DISK_RESERVE: variable(
    'bytes',
    '1000000000',
    'Free disk below which `STORAGE=local` takes no more objects, so that the database on the same disk can go on.',
    count(0, 999_999_999_999).default(1_000_000_000),
  ),
  S3_BUCKET: variable('name', 'none', 'The bucket, for `STORAGE=s3`.', bucketName.optional()),
  S3_REGION: variable('name', 'us-east-1', 'Its region.', regionName.default('us-east-1')),
  S3_ENDPOINT: variable(
    'http(s)://…',
    "Amazon's",
    'Where the service answers, to this server and to browsers alike.',
    origin.optional(),
  ),
  S3_ACCESS_KEY_ID: variable(
    'text',
    'none',
    'Who uses the bucket, for `STORAGE=s3`.',
    text.optional(),
  ),
  S3_SECRET_ACCESS_KEY: variable('text', 'none', 'The secret that belongs to it.', text.optional()),
  S3_FORCE_PATH_STYLE: variable(
    'true, false',
    'false',
    'Whether the bucket is named in the path, as most services other than Amazon want it.',
    z.stringbool(stringBooleans).default(false),
  ),
  COS_BUCKET: variable(
    'name-appid',
    'none',
    'The bucket with its APPID, for `STORAGE=cos`.',
    z
      .string()
      .regex(/^[a-z0-9][a-z0-9-]*-\d+$/, 'a bucket with its APPID, such as linnet-1250000000')
      .optional(),
  ),
  COS_REGION: variable('name', 'none', 'Its region, for `STORAGE=cos`.', regionName.optional()),
  COS_SECRET_ID: variable(
    'text',
    'none',
    'Who uses the bucket, for `STORAGE=cos`.',
    text.optional(),
  ),
  COS_SECRET_KEY: variable('text', 'none', 'The secret that belongs to it.', text.optional()),
  COS_ENDPOINT: variable(
    'http(s)://…',
    'https://cos.COS_REGION.myqcloud.com',
    'Where COS answers, without the bucket.',
    origin.optional(),
  ),
  COS_STS_ENDPOINT: variable(
    'http(s)://…',
    'https://sts.tencentcloudapi.com',
    'Where Tencent gives out short-lived keys.',
    origin.default('https://sts.tencentcloudapi.com'),
  ),
  SMTP_URL: variable(
    'smtp://… or smtps://…',
    'none',
    'Where mail goes. Without it, mail lands in `DATA_DIR/outbox` and on `/outbox`, which opens with the token that the start prints.',
    z
      .url({ protocol: /^smtps?$/, error: 'an address such as smtp://user:password@host:587' })
      .optional(),
  ),
  MAIL_FROM: variable(
    'address',
    'Linnet <linnet@localhost>',
    'The sender of mail.',
    z.string().min(3).default('Linnet <linnet@localhost>'),
  ),
  ASR: variable(
    'auto, openai, sherpa, pocketsphinx',
    'auto',
    'Which engine hears. `auto` takes the best one there is for each language; `openai` is a service, which the audio is sent to, and comes first in `auto` when it has a key; `sherpa` is neural and wants models, `pocketsphinx` drafts English.',
    choice(['auto', 'openai', 'sherpa', 'pocketsphinx']).default('auto'),
  ),
  ASR_MODELS: variable(
    'language=model, comma-separated',
    'what is installed',
    'Which installed model hears a language, such as `en=parakeet-tdt-0.6b-v3-int8, auto=sense-voice-int8`. A language that is not named is heard by the first model that knows it.',
    z
      .string()
      .default('')
      .transform((list, context) => {
        const pairs = list.split(',').filter((item) => item.trim() !== '');
        const models = pairs.map((pair) => /^\s*([\w-]+)\s*=\s*([\w.-]+)\s*$/.exec(pair)?.slice(1));
        if (models.every((pair) => pair !== undefined)) {
          return Object.fromEntries(models) as Readonly<Record<string, string>>;
        }
        context.addIssue('pairs such as en=parakeet-tdt-0.6b-v3-int8');
        return z.NEVER;
      }),
  ),
  MODELS_DIR: variable(
    'folder',
    'DATA_DIR/models',
    'Where models lie that `npm run cli -- models install` brought.',
    z.string().min(1).optional(),
  ),
  ENGINES_DIR: variable(
    'folder',
    'none',
    'Where engines were unpacked that the system does not have; it holds `usr`. The start sets it.',
    z.string().min(1).optional(),
  ),
  LLM: variable(
    'builtin, openai',
    'builtin',
    'Which engine understands. `builtin` extracts sentences and invents nothing; `openai` is a service with a language model, which transcripts are sent to.',
    choice(['builtin', 'openai']).default('builtin'),
  ),
  OPENAI_BASE_URL: variable(
    'http(s)://…',
    'https://api.openai.com/v1',
    "Where a service answers that speaks OpenAI's API, up to `/v1`.",
    origin.default('https://api.openai.com/v1'),
  ),
  OPENAI_API_KEY: variable(
    'text',
    'none',
    'Its key. `ASR=openai` and `LLM=openai` need it; where the service asks for none, any word.',
    apiKey.optional(),
  ),
  ASR_BASE_URL: variable(
    'http(s)://…',
    'OPENAI_BASE_URL',
    'The same for hearing alone.',
    origin.optional(),
  ),
  ASR_API_KEY: variable('text', 'OPENAI_API_KEY', 'Its key.', apiKey.optional()),
  ASR_MODEL: variable('name', 'whisper-1', 'The model that hears.', text.default('whisper-1')),
  ASR_FORMAT: variable(
    'ogg, wav',
    'ogg',
    'What audio is sent as. `wav` is four times as large, and all that some services take.',
    choice(['ogg', 'wav']).default('ogg'),
  ),
  ASR_MAX_BYTES: variable(
    'bytes',
    '25000000',
    'The largest request that the service takes.',
    count(1_000_000, 2_000_000_000).default(25_000_000),
  ),
  ASR_MAX_SECONDS: variable(
    'seconds',
    '300',
    'The longest audio that is sent in one request: the shorter, the oftener progress is seen.',
    count(30, 7200).default(300),
  ),
  ASR_REQUESTS: variable(
    'number',
    '2',
    'Requests for hearing that one recording has open at the same time.',
    count(1, 32).default(2),
  ),
  VOICE_DETECTION: variable(
    'auto, off',
    'auto',
    'Whether speech is looked for before anything is heard. `off` has all of a recording heard, singing too; what is heard in mere music is charged then.',
    z.enum(['auto', 'off']).default('auto'),
  ),
  LLM_BASE_URL: variable(
    'http(s)://…',
    'OPENAI_BASE_URL',
    'The same for understanding alone.',
    origin.optional(),
  ),
  LLM_API_KEY: variable('text', 'OPENAI_API_KEY', 'Its key.', apiKey.optional()),
  LLM_MODEL: variable(
    'name',
    'gpt-4o-mini',
    'The model that understands.',
    text.default('gpt-4o-mini'),
  ),
  LLM_CONTEXT: variable(
    'tokens',
    '16000',
    'How much the model takes, question and answer together. A longer transcript is read in parts.',
    count(2000, 10_000_000).default(16_000),
  ),
  LLM_REQUESTS: variable(
    'number',
    '2',
    'Requests for understanding that one transcript has open at the same time.',
    count(1, 32).default(2),
  ),
  BILLING: variable(
    'sandbox, stripe, off',
    'sandbox',
    'How VIP and minutes are paid. `sandbox` moves no money; `off` opens everything to everyone.',
    choice(['sandbox', 'stripe', 'off']).default('sandbox'),
  ),
  PRICES: variable(
    'plan=price, comma-separated',
    standardPrices.replaceAll(',', ', '),
    'What is sold, and for how much. A plan that is not named is not sold.',
    z.string().default(standardPrices),
  ),
  CURRENCY: variable(
    'ISO 4217 code',
    'USD',
    'What prices are in.',
    z
      .string()
      .transform((code) => code.toUpperCase())
      .refine((code) => Intl.supportedValuesOf('currency').includes(code), 'a code such as EUR')
      .default('USD'),
  ),
  STRIPE_SECRET_KEY: variable(
    'sk_… or rk_…',
    'none',
    "The key of Stripe's API. `BILLING=stripe` needs it.",
    z
      .string()
      .regex(/^[sr]k_\w+$/, 'a key that begins with sk_ or rk_')
      .optional(),
  ),
  STRIPE_WEBHOOK_SECRET: variable(
    'whsec_…',
    'none',
    'What Stripe signs its events with, which it sends to `/pay/stripe/webhook`. `BILLING=stripe` needs it.',
    z
      .string()
      .regex(/^whsec_\S+$/, 'a secret that begins with whsec_')
      .optional(),
  ),
  STRIPE_URL: variable(
    'http(s)://…',
    'https://api.stripe.com',
    'Where the API of Stripe answers; for tests.',
    origin.default('https://api.stripe.com'),
  ),
  FEEDBACK_TO: variable(
    'address',
    'none',
    'Who gets a mail when somebody sends feedback. It is kept in the database in any case.',
    z.email({ error: 'an e-mail address' }).optional(),
  ),
  SUPPORT_URL: variable(
    'https://… or mailto:…',
    'none',
    'Where customer service opens: a page, or an address for mail. Without it, the app says that there is none and offers the feedback form.',
    z
      .url({
        protocol: /^(https|mailto)$/,
        error: 'an address such as https://help.example or mailto:help@example.org',
      })
      .optional(),
  ),
  TRIAL_DAYS: variable(
    'days',
    '14',
    'How long a new account is VIP.',
    z
      .string()
      .regex(/^\d{1,4}$/, 'a whole number of days')
      .transform(Number)
      .default(14),
  ),
  PUBLIC_URL: variable(
    'http(s)://…',
    'http://localhost:PORT',
    'The address that people open: signed addresses, mails and payment returns are built from it.',
    origin.optional(),
  ),
  ALLOW_PLAIN_HTTP: variable(
    'true, false',
    'false',
    'Accepts a `PUBLIC_URL` without TLS where others can reach the server: passwords, tokens and recordings then cross the network readable.',
    z.stringbool(stringBooleans).default(false),
  ),
  ALLOWED_HOSTS: variable(
    'names, comma-separated',
    'none',
    "Further host names that the server answers to, beside localhost, IP addresses and that of `PUBLIC_URL`; such as a container's name within its network.",
    z
      .string()
      .default('')
      .transform((list) =>
        list
          .split(',')
          .map((item) => item.trim().toLowerCase())
          .filter((item) => item !== ''),
      )
      .pipe(z.array(z.string().regex(/^[a-z0-9_.-]+$/, 'host names without a port'))),
  ),
  TLS_CERT: variable(
    'file',
    'none',
    'A certificate (PEM, with those between it and a known one): with `TLS_KEY` the API answers HTTPS itself. Both are read again on SIGHUP.',
    text.optional(),
  ),
  TLS_KEY: variable('file', 'none', 'The key (PEM) of `TLS_CERT`.', text.optional()),
  MAP_TILES_URL: variable(
    'http(s)://…/{z}/{x}/{y}…',
    'none',
    'Where the app fetches pictures of maps, 256 pixels wide, in Web Mercator. Without it, the app draws the map it brings along, and asks nobody.',
    z
      .string()
      .refine(
        (value) =>
          /^https?:\/\/[^\s"<>]+$/.test(value) &&
          ['{z}', '{x}', '{y}'].every((part) => value.includes(part)) &&
          URL.canParse(value) &&
          !/[{}]/.test(new URL(value).host),
        'an address with {z}, {x} and {y} in its path',
      )
      .optional(),
  ),
  MAP_TILES_ATTRIBUTION: variable(
    'text',
    'none',
    'Who made that map, as its makers want it shown, such as `© OpenStreetMap contributors`.',
    text.max(200).optional(),
  ),
  CORS_ORIGINS: variable(
    'origins, comma-separated',
    'none',
    'Further origins that may call the API: those of apps that are pointed at this server. The app that it serves itself and the Capacitor origins always may.',
    z
      .string()
      .default('')
      .transform((list) =>
        list
          .split(',')
          .map((item) => item.trim())
          .filter((item) => item !== ''),
      )
      .pipe(z.array(origin)),
  ),
  DEVICES: variable(
    'registered, open',
    'registered',
    'Which serial numbers may be bound: registered ones, or any.',
    choice(['registered', 'open']).default('registered'),
  ),
  SECRET: variable(
    'at least 32 characters',
    'generated, kept in DATA_DIR',
    'What every signature is made with, and keys of recorders are sealed with. Several API processes need the same.',
    z.string().min(32, 'at least 32 characters').optional(),
  ),
  METRICS_TOKEN: variable(
    'at least 16 characters',
    'none',
    'Opens `/metrics` to whoever shows it as bearer token. Without it, `/metrics` answers on loopback alone, and not where `PUBLIC_URL` is set.',
    z.string().min(16, 'at least 16 characters').optional(),
  ),
  METRICS_PORT: variable(
    'port',
    'none',
    'Where a worker answers `/healthz`, `/readyz` and `/metrics`: on loopback, or on `HOST` with `METRICS_TOKEN`. Each worker of a machine needs its own.',
    port.optional(),
  ),
  LOG_LEVEL: variable(
    'debug, info, warn, error',
    'info',
    'How much is logged. Logs never hold tokens, mail addresses, titles or transcripts.',
    choice(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
  ),
} as const;

type Values = { [Name in keyof typeof variables]: z.output<(typeof variables)[Name]['schema']> };

export interface Config extends Omit<Values, 'RECORDER_PORT'> {
  readonly RECORDER_PORT: number;
  /** The product's version. */
  readonly version: string;
  /** Whether HOST is reachable from this machine alone. */
  readonly loopback: boolean;
  /** Whether people reach the server from other machines, directly or through a proxy. */
  readonly exposed: boolean;
  /** The address that people open, without a trailing slash. */
  readonly origin: string;
  readonly prices: Prices;
  /** Where models lie: MODELS_DIR, or below DATA_DIR. */
  readonly modelsDir: string;
  /** The services that speak OpenAI's API; null without a key. */
  readonly services: { readonly ASR: ServiceAddress | null; readonly LLM: ServiceAddress | null };
}

export interface ServiceAddress {
  /** Up to and with `/v1`. */
  readonly baseUrl: string;
  readonly apiKey: string;
}

/** What a choice cannot do without. */
const companions = [
  ['BILLING', 'stripe', ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET']],
  ['STORAGE', 's3', ['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY']],
  ['STORAGE', 'cos', ['COS_BUCKET', 'COS_REGION', 'COS_SECRET_ID', 'COS_SECRET_KEY']],
] as const satisfies [keyof Values, string, (keyof Values)[]][];

const loopbackHosts = new Set(['127.0.0.1', 'localhost', '::1']);

/**
 * Reads the environment once. An empty variable counts as unset.
 * @throws ConfigFailure with a sentence that names the variable
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const entries = Object.entries(variables).map(([name, { schema }]) => {
    const result = schema.safeParse(environment[name] || undefined);
    if (result.success) return [name, result.data];
    const [issue] = result.error.issues;
    throw new ConfigFailure(name, `${name} is not usable: it takes ${issue?.message}.`);
  });
  const values = Object.fromEntries(entries) as Values;
  const loopback = loopbackHosts.has(values.HOST);
  if (!loopback && values.PUBLIC_URL === undefined) {
    throw new ConfigFailure(
      'PUBLIC_URL',
      `PUBLIC_URL is missing: HOST is ${values.HOST}, which others can reach, so the address they open has to be set.`,
    );
  }
  for (const [chooser, value, names] of companions) {
    const missing = values[chooser] === value && names.find((name) => values[name] === undefined);
    if (missing) {
      throw new ConfigFailure(
        missing,
        `${missing} is missing: ${chooser} is ${value}, which needs it.`,
      );
    }
  }
  const origin = originFor(values);
  const exposed = !loopback || !isLoopbackHost(new URL(origin).hostname);
  if (exposed && origin.startsWith('http:') && !values.ALLOW_PLAIN_HTTP) {
    throw new ConfigFailure(
      'PUBLIC_URL',
      `PUBLIC_URL is not usable: with ${origin}, passwords and recordings would cross the network readable. Use an address with https, or set ALLOW_PLAIN_HTTP=true.`,
    );
  }
  // An emulated recorder is for trying things out on the same machine.
  const RECORDER_PORT = values.RECORDER_PORT ?? (exposed ? 0 : 8090);
  const prices = pricesOf(values);
  const manifest = new URL('../package.json', import.meta.url);
  const { version } = JSON.parse(readFileSync(manifest, 'utf8'));
  const modelsDir = path.resolve(values.MODELS_DIR ?? path.join(values.DATA_DIR, 'models'));
  const services = { ASR: serviceOf(values, 'ASR'), LLM: serviceOf(values, 'LLM') };
  return {
    ...values,
    ...{ RECORDER_PORT, version, loopback, exposed, origin, prices, modelsDir, services },
  };
}

/** Settings that are fine on one's own machine and dangerous where others reach the server, a sentence each. */
export function exposureWarnings(config: Config): string[] {
  if (!config.exposed) return [];
  const { origin, BILLING, SMTP_URL } = config;
  return [
    origin.startsWith('http:') &&
      `${origin} is plain HTTP: passwords, tokens and recordings cross the network readable.`,
    BILLING === 'sandbox' &&
      'BILLING is sandbox: anyone gets membership and minutes without paying. Set stripe or off.',
    SMTP_URL === undefined &&
      'SMTP_URL is missing: mail stays on /outbox, and nobody else receives a verification code.',
  ].filter((warning) => warning !== false);
}

function serviceOf(values: Values, role: 'ASR' | 'LLM'): ServiceAddress | null {
  const apiKey = values[`${role}_API_KEY`] ?? values.OPENAI_API_KEY;
  if (apiKey !== undefined) {
    return { baseUrl: values[`${role}_BASE_URL`] ?? values.OPENAI_BASE_URL, apiKey };
  }
  if (values[role] !== 'openai') return null;
  throw new ConfigFailure(
    'OPENAI_API_KEY',
    `OPENAI_API_KEY is missing: ${role} is openai, which needs it or ${role}_API_KEY.`,
  );
}

function originFor({ PORT, PUBLIC_URL, TLS_CERT, TLS_KEY }: Values): string {
  if ((TLS_CERT === undefined) !== (TLS_KEY === undefined)) {
    const missing = TLS_CERT === undefined ? 'TLS_CERT' : 'TLS_KEY';
    throw new ConfigFailure(missing, `${missing} is missing: TLS needs a certificate and its key.`);
  }
  const scheme = TLS_CERT === undefined ? 'http' : 'https';
  if (scheme === 'https' && PUBLIC_URL?.startsWith('http:')) {
    const sentence = 'PUBLIC_URL is not usable: with TLS_CERT it takes an address with https.';
    throw new ConfigFailure('PUBLIC_URL', sentence);
  }
  return PUBLIC_URL ?? `${scheme}://localhost:${PORT}`;
}

function pricesOf({ PRICES, CURRENCY }: Values): Prices {
  try {
    return readPrices(PRICES, CURRENCY);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new ConfigFailure('PRICES', `PRICES is not usable: it takes ${error.message}.`);
  }
}

/** The table of docs/configuration.md. */
export function configurationTable(): string {
  const rows = Object.entries(variables).map(
    ([name, { takes, standard, text }]) => `| \`${name}\` | ${takes} | ${standard} | ${text} |`,
  );
  return ['| Variable | Takes | Default | What it does |', '|---|---|---|---|', ...rows].join('\n');
}
