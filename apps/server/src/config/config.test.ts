import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { ConfigFailure, configurationTable, exposureWarnings, readConfig } from './index.ts';

const configFailure = (environment: Record<string, string>) => {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigFailure) return error;
    throw error;
  }
  throw new Error('expected a ConfigFailure');
};

describe('configuration', () => {
  it('has a default for every variable', () => {
    expect(readConfig({})).toMatchObject({
      PORT: 8080,
      HOST: '127.0.0.1',
      STORAGE: 'local',
      BILLING: 'sandbox',
      TRIAL_DAYS: 14,
      CORS_ORIGINS: [],
      loopback: true,
    });
  });

  it('treats an empty variable as unset', () => {
    expect(readConfig({ PORT: '', SMTP_URL: '' })).toMatchObject({ PORT: 8080 });
  });

  it.each([
    [{ VAULT_DIR: '/data', DATA_DIR: '/data' }],
    [{ VAULT_DIR: '/', DATA_DIR: '/data' }],
    [{ VAULT_DIR: '/in/vault', IMPORT_DIR: '/in' }],
    [{ VAULT_DIR: '/in', IMPORT_DIR: '/in' }],
    [{ VAULT_DIR: '/in', IMPORT_DIR: '/in/audio' }],
  ])('rejects a folder of vaults in which other files could be lost: %j', (folders) => {
    expect(configFailure(folders).variable).toBe('VAULT_DIR');
  });

  it('accepts a vault folder beside other folders', () => {
    const folders = { VAULT_DIR: '/data/vault', DATA_DIR: '/data', IMPORT_DIR: '/data/vault-in' };
    expect(readConfig(folders)).toMatchObject(folders);
  });

  it('parses the addresses and networks of trusted proxies, and rejects /0 networks', () => {
    const TRUSTED_PROXIES = '10.244.0.0/16, 192.0.2.1,fd00::/8';
    expect(readConfig({ TRUSTED_PROXIES }).TRUSTED_PROXIES).toEqual([
      ...['10.244.0.0/16', '192.0.2.1', 'fd00::/8'],
    ]);
    for (const value of ['0.0.0.0/0', '::/0', 'proxy.example', '10.0.0.0/33', '*']) {
      expect(configFailure({ TRUSTED_PROXIES: value }).variable).toBe('TRUSTED_PROXIES');
    }
  });

  it('parses lists and addresses', () => {
    const config = readConfig({
      CORS_ORIGINS: 'https://a.example, http://b.example/',
      RECORDER_URLS: 'http://127.0.0.1:23011/, https://recorder.example,http://127.0.0.1:23011',
      HOST: '0.0.0.0',
      PUBLIC_URL: 'https://linnet.example/',
    });
    expect(config.CORS_ORIGINS).toEqual(['https://a.example', 'http://b.example']);
    expect(config.RECORDER_URLS).toEqual(['http://127.0.0.1:23011', 'https://recorder.example']);
    expect(config.PUBLIC_URL).toBe('https://linnet.example');
    expect(config.loopback).toBe(false);
  });

  it('parses the models of each language and the models folder', () => {
    const config = readConfig({ ASR_MODELS: 'en = a.b-1, auto=c', DATA_DIR: '/var/linnet' });
    expect(config.ASR_MODELS).toEqual({ en: 'a.b-1', auto: 'c' });
    expect(config.modelsDir).toBe('/var/linnet/models');
    expect(readConfig({ MODELS_DIR: '/srv/models' }).modelsDir).toBe('/srv/models');
  });

  it.each([
    ['PORT', 'eighty'],
    ['PORT', '70000'],
    ['DATABASE_URL', 'mysql://x'],
    ['STORAGE', 'floppy'],
    ['SMTP_URL', 'mailhost'],
    ['ASR', 'ears'],
    ['ASR_MODELS', 'parakeet'],
    ['ASR_MAX_BYTES', '1000'],
    ['ASR_MAX_SECONDS', 'five'],
    ['OPENAI_BASE_URL', 'api.openai.com'],
    ['OPENAI_API_KEY', 'two words'],
    ['LLM_CONTEXT', '1.5'],
    ['ASR_MODELS', 'en=parakeet,=whisper'],
    ['BILLING', 'cash'],
    ['TRIAL_DAYS', '-1'],
    ['PUBLIC_URL', 'linnet.example'],
    ['CORS_ORIGINS', 'https://a.example,nonsense'],
    ['ALLOWED_HOSTS', 'https://linnet'],
    ['RECORDER_URLS', '127.0.0.1:23011'],
    ['RECORDER_URLS', 'ws://127.0.0.1:23011/ble'],
    ['RECORDER_URLS', 'http://127.0.0.1:23011/ble'],
    ['RECORDER_URLS', "http://127.0.0.1:23011;script-src 'unsafe-inline'"],
    ['RECORDER_URLS', Array.from({ length: 17 }, (_, n) => `http://127.0.0.1:${n + 1}`).join()],
    ['DEVICES', 'all'],
    ['MAP_TILES_URL', 'tiles.example/{z}/{x}/{y}.png'],
    ['MAP_TILES_URL', 'https://tiles.example/{z}/{x}.png'],
    ['MAP_TILES_URL', 'https://{s}.tiles.example/{z}/{x}/{y}.png'],
    ['SECRET', 'short'],
    ['LOG_LEVEL', 'loud'],
    ['LIST_PRICES', 'vip_monthly'],
    ['PRICES', 'vip_monthly'],
    ['PRICES', 'vip_monthly=9.99,'],
    ['PRICES', 'gold=9.99'],
    ['PRICES', 'vip_monthly=9.999'],
    ['PRICES', 'vip_monthly=0'],
    ['PRICES', 'vip_monthly=-1'],
    ['PRICES', 'vip_monthly=1,vip_monthly=2'],
    ['CURRENCY', 'gold'],
    ['STRIPE_SECRET_KEY', 'pk_test_x'],
    ['STRIPE_WEBHOOK_SECRET', 'secret'],
    ['FEEDBACK_TO', 'me'],
    ['SUPPORT_URL', 'http://help.example'],
    ['SUPPORT_URL', 'javascript:alert(1)'],
    ['S3_BUCKET', 'Capital'],
    ['S3_REGION', 'us east'],
    ['S3_ENDPOINT', 's3.example'],
    ['S3_FORCE_PATH_STYLE', 'maybe'],
    ['COS_BUCKET', 'linnet'],
    ['COS_REGION', 'AP'],
    ['COS_ENDPOINT', 'cos.example'],
    ['COS_STS_ENDPOINT', 'sts.example'],
  ])('rejects %s=%s with a message that names the variable', (name, value) => {
    const failure = configFailure({ [name]: value });
    expect(failure.variable).toBe(name);
    expect(failure.message).toMatch(new RegExp(`^${name} is invalid: expected .+\\.$`));
  });

  it.each([
    ['ASR', 'ASR_BASE_URL'],
    ['LLM', 'LLM_BASE_URL'],
    ['EMBEDDINGS', 'EMBEDDINGS_URL'],
  ] as const)(
    'requires a key when %s is a service, and falls back to the shared address and key',
    (role, address) => {
      expect(readConfig({}).services[role]).toBeNull();
      expect(configFailure({ [role]: 'openai' }).message).toBe(
        `OPENAI_API_KEY is required when ${role} is openai, unless ${role}_API_KEY is set.`,
      );
      const shared = { [role]: 'openai', OPENAI_API_KEY: 'sk-1' };
      expect(readConfig(shared).services[role]).toEqual({
        baseUrl: 'https://api.openai.com/v1',
        apiKey: 'sk-1',
      });
      const separate = {
        [address]: 'http://gpu.local:8000/v1/',
        [`${role}_API_KEY`]: 'mine',
      };
      expect(readConfig({ ...shared, ...separate }).services[role]).toEqual({
        baseUrl: 'http://gpu.local:8000/v1',
        apiKey: 'mine',
      });
      expect(readConfig({ [role]: 'openai', ...separate })[role]).toBe('openai');
    },
  );

  it('requires PUBLIC_URL on an exposed server', () => {
    expect(configFailure({ HOST: '0.0.0.0' }).variable).toBe('PUBLIC_URL');
  });

  const exposed = { HOST: '0.0.0.0', PUBLIC_URL: 'https://linnet.example' };
  const plainHttpUrl = 'http://192.0.2.1:8080';

  it.each([{ HOST: '0.0.0.0', PUBLIC_URL: plainHttpUrl }, { PUBLIC_URL: plainHttpUrl }])(
    'rejects plain HTTP on an exposed server without ALLOW_PLAIN_HTTP: %j',
    (environment) => {
      const { variable, message } = configFailure(environment);
      expect(variable).toBe('PUBLIC_URL');
      expect(message).toContain('ALLOW_PLAIN_HTTP=true');
      const allowed = readConfig({ ...environment, ALLOW_PLAIN_HTTP: 'true' });
      expect(exposureWarnings(allowed)[0]).toContain('plain HTTP');
      expect(configFailure({ ...environment, ALLOW_PLAIN_HTTP: 'yes' }).variable).toBe(
        'ALLOW_PLAIN_HTTP',
      );
    },
  );

  it('warns about the sandbox and the outbox on an exposed server', () => {
    expect(exposureWarnings(readConfig({}))).toEqual([]);
    expect(exposureWarnings(readConfig({ PUBLIC_URL: 'http://localhost:9' }))).toEqual([]);
    const warnings = exposureWarnings(readConfig(exposed));
    expect(warnings.map((text) => text.split(' ')[0])).toEqual(['BILLING', 'SMTP_URL']);
    const safeEnvironment = { ...exposed, BILLING: 'off', SMTP_URL: 'smtp://mail.example' };
    expect(exposureWarnings(readConfig(safeEnvironment))).toEqual([]);
  });

  it('starts no virtual recorder on an exposed server unless RECORDER_PORT is set', () => {
    expect(readConfig({}).RECORDER_PORT).toBe(8090);
    expect(readConfig(exposed).RECORDER_PORT).toBe(0);
    expect(readConfig({ PUBLIC_URL: exposed.PUBLIC_URL }).RECORDER_PORT).toBe(0);
    expect(readConfig({ ...exposed, RECORDER_PORT: '8091' }).RECORDER_PORT).toBe(8091);
  });

  it('parses prices into the smallest unit of their currency', () => {
    expect(readConfig({ PRICES: ' vip_monthly=9.5, package_120 = 3' }).prices).toEqual({
      currency: 'USD',
      amounts: { vip_monthly: 950, package_120: 300 },
    });
    const yen = readConfig({ PRICES: 'vip_annual=9800', CURRENCY: 'jpy' }).prices;
    expect(yen).toEqual({ currency: 'JPY', amounts: { vip_annual: 9800 } });
    expect(configFailure({ PRICES: 'vip_annual=98.00', CURRENCY: 'JPY' }).message).toContain(
      'no decimals in JPY',
    );
  });

  it('requires the Stripe secrets when BILLING is stripe', () => {
    const stripe = { BILLING: 'stripe', STRIPE_WEBHOOK_SECRET: 'whsec_x' };
    expect(configFailure(stripe).message).toMatch(/^STRIPE_SECRET_KEY is required/);
    expect(configFailure({ BILLING: 'stripe', STRIPE_SECRET_KEY: 'sk_x' }).variable).toBe(
      'STRIPE_WEBHOOK_SECRET',
    );
    expect(readConfig({ ...stripe, STRIPE_SECRET_KEY: 'rk_test_x' }).BILLING).toBe('stripe');
  });

  const s3 = { S3_BUCKET: 'linnet', S3_ACCESS_KEY_ID: 'a', S3_SECRET_ACCESS_KEY: 'b' };
  const cos = {
    COS_BUCKET: 'linnet-1250000000',
    COS_REGION: 'ap-guangzhou',
    COS_SECRET_ID: 'a',
    COS_SECRET_KEY: 'b',
  };
  it.each([
    ['s3', s3],
    ['cos', cos],
  ])('requires the variables of %s storage', (STORAGE, variables) => {
    expect(readConfig({ STORAGE, ...variables })).toMatchObject({ STORAGE, ...variables });
    for (const name of Object.keys(variables)) {
      const failure = configFailure({ STORAGE, ...variables, [name]: '' });
      expect(failure.message).toBe(`${name} is required when STORAGE is ${STORAGE}.`);
    }
  });

  it('matches the table in the documentation', async () => {
    const file = new URL('../../../../docs/configuration.md', import.meta.url);
    expect(await readFile(file, 'utf8')).toContain(configurationTable());
  });
});
