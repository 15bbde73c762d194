import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Prices } from '../modules/order/plans.ts';
import { billingVariables, parsePlanPrices } from './billing.ts';
import type { Services } from './engines.ts';
import { createServices, engineVariables, resolveModelsDir } from './engines.ts';
import { ConfigFailure } from './failure.ts';
import { mailVariables } from './mail.ts';
import { mapVariables } from './maps.ts';
import type { Reachability } from './network.ts';
import { getReachability, networkVariables } from './network.ts';
import { operationVariables } from './operation.ts';
import { recorderPortFor, recorderVariables } from './recorders.ts';
import { storageVariables } from './storage.ts';
import type { ValuesOf } from './variable.ts';

export { downloadFolder } from './engines.ts';
export { exposureWarnings } from './exposure.ts';
export { ConfigFailure } from './failure.ts';
export { isLoopbackHost } from './network.ts';

const variables = {
  ...networkVariables,
  ...storageVariables,
  ...mailVariables,
  ...engineVariables,
  ...billingVariables,
  ...recorderVariables,
  ...mapVariables,
  ...operationVariables,
} as const;

type Values = ValuesOf<typeof variables>;

export interface Config extends Omit<Values, 'RECORDER_PORT'>, Reachability {
  readonly RECORDER_PORT: number;
  /** Version of the product. */
  readonly version: string;
  readonly prices: Prices;
  /** Folder for installed models: MODELS_DIR, or a folder in DATA_DIR. */
  readonly modelsDir: string;
  readonly services: Services;
}

/** Variables required if another variable has a particular value. */
const requirements = [
  ['BILLING', 'stripe', ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET']],
  ['STORAGE', 's3', ['S3_BUCKET', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY']],
  ['STORAGE', 'cos', ['COS_BUCKET', 'COS_REGION', 'COS_SECRET_ID', 'COS_SECRET_KEY']],
] as const satisfies [keyof Values, string, (keyof Values)[]][];

/**
 * Parses the environment. An empty variable counts as unset.
 * @throws ConfigFailure with a message that names the variable
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const values = parse(environment);
  checkRequirements(values);
  checkVaultFolder(values);
  const reachability = getReachability(values);
  return {
    ...values,
    ...reachability,
    RECORDER_PORT: recorderPortFor(values.RECORDER_PORT, reachability.exposed),
    prices: parsePlanPrices(values),
    version: productVersion(),
    modelsDir: resolveModelsDir(values.MODELS_DIR, values.DATA_DIR),
    services: createServices(values),
  };
}

function parse(environment: Readonly<Record<string, string | undefined>>): Values {
  const entries = Object.entries(variables).map(([name, { schema }]) => {
    const result = schema.safeParse(environment[name] || undefined);
    if (result.success) return [name, result.data];
    const [issue] = result.error.issues;
    throw new ConfigFailure(name, `${name} is invalid: expected ${issue?.message}.`);
  });
  return Object.fromEntries(entries) as Values;
}

function checkRequirements(values: Values): void {
  for (const [option, value, names] of requirements) {
    const missingName =
      values[option] === value && names.find((name) => values[name] === undefined);
    if (missingName) {
      throw new ConfigFailure(
        missingName,
        `${missingName} is required when ${option} is ${value}.`,
      );
    }
  }
}

/** Rejects a VAULT_DIR where erasing an account could delete unrelated files, or whose files would be imported. */
function checkVaultFolder({ VAULT_DIR, DATA_DIR, IMPORT_DIR }: Values): void {
  if (VAULT_DIR === undefined) return;
  const contains = (outer: string, inner: string) =>
    !path.relative(outer, inner).split(path.sep).includes('..');
  const isUnsafe =
    contains(VAULT_DIR, DATA_DIR) ||
    (IMPORT_DIR !== undefined &&
      (contains(VAULT_DIR, IMPORT_DIR) || contains(IMPORT_DIR, VAULT_DIR)));
  if (isUnsafe) {
    throw new ConfigFailure(
      'VAULT_DIR',
      'VAULT_DIR is invalid: it must not contain DATA_DIR or IMPORT_DIR, or be inside IMPORT_DIR.',
    );
  }
}

function productVersion(): string {
  const manifest = new URL('../../package.json', import.meta.url);
  return JSON.parse(readFileSync(manifest, 'utf8')).version;
}

/** Returns the Markdown table of all variables, as in docs/configuration.md. */
export function configurationTable(): string {
  const rows = Object.entries(variables).map(
    ([name, { format, defaultText, description }]) =>
      `| \`${name}\` | ${format} | ${defaultText} | ${description} |`,
  );
  return ['| Variable | Value | Default | Description |', '|---|---|---|---|', ...rows].join('\n');
}
