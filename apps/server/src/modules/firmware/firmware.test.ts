import { createHash, createPublicKey, generateKeyPairSync, randomBytes, verify } from 'node:crypto';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { firmwareDescriptor, firmwarePath } from '@linnet/contract';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCliHere } from '../../../test/run-cli.ts';
import type { TestServer } from '../../../test/server.ts';
import { startTestServer } from '../../../test/server.ts';
import { crc16 } from './crc16.ts';
import { compareVersions, publishFirmware } from './service.ts';
import { signFirmware } from './signing.ts';

let server: TestServer;
let folder: string;
beforeAll(async () => {
  server = await startTestServer();
  folder = await mkdtemp(path.join(tmpdir(), 'linnet-firmware-'));
});
afterAll(async () => {
  await server.close();
  await rm(folder, { recursive: true });
});

const cli = (...args: string[]) =>
  runCliHere(['firmware', ...args], {
    DATABASE_URL: server.databaseUrl,
    DATA_DIR: server.config.DATA_DIR,
  });

async function image(bytes: Uint8Array = randomBytes(50_000)) {
  const file = path.join(folder, `${crypto.randomUUID()}.bin`);
  await writeFile(file, bytes);
  return { file, bytes };
}

const get = (url: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
  server.app.inject({ method, url, headers: { host: 'localhost:8080', ...headers } });

const key = generateKeyPairSync('ed25519').privateKey;
/** Publishes without the command-line interface. */
const publish = (code: string, version: string, bytes: Uint8Array, allowOlder = false) =>
  publishFirmware(server.db, server.store, {
    code,
    version,
    image: bytes,
    notes: '',
    key,
    allowOlder,
    now: new Date(),
  });

describe('published firmware', () => {
  it('has a descriptor with a valid signature and is served', async () => {
    const { file, bytes } = await image();
    const published = await cli(
      'publish',
      file,
      '--project',
      'LNR1',
      '--version',
      '1.2.0',
      '--notes',
      'Faster.',
    );
    expect(published).toMatchObject({ code: 0, err: '' });
    const response = await get(`${firmwarePath('LNR1')}?t=1700000000`);
    expect(response.statusCode).toBe(200);
    expect(response.headers['cache-control']).toBe('no-cache');
    const descriptor = firmwareDescriptor.parse(response.json());
    expect(descriptor).toMatchObject({
      version: '1.2.0',
      project_code: 'LNR1',
      url: 'http://localhost:8080/static/firmware/LNR1/1.2.0.bin',
      size: bytes.length,
      crc16: crc16(bytes),
      sha256: createHash('sha256').update(bytes).digest('hex'),
      notes: 'Faster.',
    });

    const { out } = await cli('key');
    const publicKey = createPublicKey(out.slice(out.indexOf('-----BEGIN')));
    const signature = Buffer.from(descriptor.signature, 'base64');
    const createSignedBytes = (head: string) => Buffer.concat([Buffer.from(head), bytes]);
    expect(
      verify(null, createSignedBytes('Linnet firmware\nLNR1\n1.2.0\n'), publicKey, signature),
    ).toBe(true);
    expect(
      verify(null, createSignedBytes('Linnet firmware\nLNR1\n1.2.1\n'), publicKey, signature),
    ).toBe(false);
    expect(
      verify(null, createSignedBytes('Linnet firmware\nLNR2\n1.2.0\n'), publicKey, signature),
    ).toBe(false);
    const rawKey = createPublicKey({
      key: {
        kty: 'OKP',
        crv: 'Ed25519',
        x: Buffer.from(out.split('\n')[0] ?? '', 'base64').toString('base64url'),
      },
      format: 'jwk',
    });
    expect(
      verify(null, createSignedBytes('Linnet firmware\nLNR1\n1.2.0\n'), rawKey, signature),
    ).toBe(true);
    const keyFile = path.join(server.config.DATA_DIR, 'firmware-key');
    expect((await stat(keyFile)).mode & 0o777).toBe(0o600);

    const served = await get(new URL(descriptor.url).pathname);
    expect(served.rawPayload.equals(bytes)).toBe(true);
    expect(served.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'application/octet-stream',
      'cross-origin-resource-policy': 'cross-origin',
      etag: `"${descriptor.sha256}"`,
    });
  });

  it('supports conditional and range requests', async () => {
    const { bytes } = await image(Buffer.from('0123456789'));
    await publish('PARTS', '1.0', bytes);
    const first = await get(firmwarePath('PARTS'));
    const etag = String(first.headers.etag);
    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const conditional = await get(firmwarePath('PARTS'), { 'if-none-match': tag });
      expect({ status: conditional.statusCode, body: conditional.body }).toEqual({
        status: 304,
        body: '',
      });
    }
    await publish('PARTS', '1.1', bytes);
    const afterUpdate = await get(firmwarePath('PARTS'), { 'if-none-match': etag });
    expect(afterUpdate.json().version).toBe('1.1');

    const url = '/static/firmware/PARTS/1.0.bin';
    const part = await get(url, { range: 'bytes=2-4' });
    expect(part.statusCode).toBe(206);
    expect(part.body).toBe('234');
    expect(part.headers['content-range']).toBe('bytes 2-4/10');
    expect((await get(url, { range: 'bytes=10-' })).statusCode).toBe(416);
    const { 'content-length': length } = (await get(url, {}, 'HEAD')).headers;
    expect(Number(length)).toBe(10);
    const unchanged = await get(url, { 'if-none-match': String(part.headers.etag) });
    expect(unchanged.statusCode).toBe(304);
  });

  it('is served by processes that were started before the publication', async () => {
    const { bytes } = await image();
    const environment = { DATABASE_URL: server.databaseUrl, DATA_DIR: server.config.DATA_DIR };
    const other = await startTestServer(environment);
    await publish('SHARED', '2.0', bytes);
    const url = firmwarePath('SHARED');
    expect((await other.app.inject({ method: 'GET', url })).json().version).toBe('2.0');
    await other.close();
  });

  it.each([
    ['an unknown model', '/static/firmware/NONE/latest.json'],
    ['an unknown version', '/static/firmware/LNR1/9.9.9.bin'],
    ['another spelling', '/static/firmware/lnr1/latest.json'],
    ['the stored metadata', '/static/firmware/LNR1/1.2.0.json'],
    ['a path traversal in the file', '/static/firmware/LNR1/..%2f..%2fsecret.bin'],
    ['a path traversal in the model', '/static/firmware/..%2f..%2fvoice/latest.json'],
    ['a parent folder as the model', '/static/firmware/%2e%2e/latest.json'],
    ['an empty version', '/static/firmware/LNR1/.bin'],
  ])('is not found for %s', async (_, url) => {
    const response = await get(url);
    expect(response.statusCode).toBe(404);
    if (url.includes('%2e')) return;
    expect(response.headers['cache-control']).toBe('no-store');
    expect(response.json()).toMatchObject({
      data: null,
      msg: expect.stringMatching(/^(No firmware|Firmware)/),
    });
  });
});

describe('publishing', () => {
  it('rejects an older version without --allow-older', async () => {
    const [{ file: newer }, { file: older }] = [await image(), await image()];
    const model = ['--project', 'OLD1'];
    expect((await cli('publish', newer, ...model, '--version', '1.10.0')).code).toBe(0);
    const refused = await cli('publish', older, ...model, '--version', '1.9.9');
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.err).toBe(
      'the current version 1.10.0 is newer than 1.9.9; use --allow-older to publish it anyway\n',
    );
    expect((await get('/static/firmware/OLD1/1.9.9.bin')).statusCode).toBe(404);
    const forced = await cli('publish', older, ...model, '--version', '1.9.9', '--allow-older');
    expect(forced).toMatchObject({ code: 0, err: '' });
    expect((await get(firmwarePath('OLD1'))).json().version).toBe('1.9.9');
    const { out } = await cli('list');
    const lines = out.split('\n').filter((line) => line.startsWith('OLD1'));
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatch(/^OLD1\t1\.9\.9\t.*\toffered$/);
    expect(lines[1]).toMatch(/^OLD1\t1\.10\.0\t.*\t$/);
  });

  it('accepts identical bytes for a published version, but no others', async () => {
    const [first, second] = [randomBytes(1000), randomBytes(1000)];
    const firstRelease = await publish('SAME', '1.0.0', first);
    expect(await publish('SAME', '1.0.0', first)).toEqual(firstRelease);
    await expect(publish('SAME', '1.0.0', second)).rejects.toThrow('increase the version');
    expect((await get('/static/firmware/SAME/1.0.0.bin')).rawPayload.equals(first)).toBe(true);
  });

  it('several versions concurrently makes the latest one current', async () => {
    const versions = ['3.0', '3.2', '3.1', '3.10'];
    const results = await Promise.allSettled(
      versions.map((version) => publish('RACE', version, randomBytes(5000))),
    );
    expect(results.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0);
    expect((await get(firmwarePath('RACE'))).json().version).toBe('3.10');
  });

  it.each([
    ['../x', '1.0', 'invalid project code'],
    ['a/b', '1.0', 'invalid project code'],
    ['', '1.0', 'invalid project code'],
    ['MUCHTOOLONG', '1.0', 'invalid project code'],
    ['LNR1', '../../secret', 'invalid version'],
    ['LNR1', 'latest', 'invalid version'],
    ['LNR1', '1', 'invalid version'],
    ['LNR1', '1.2.3-beta', 'invalid version'],
    ['LNR1', '100.100.100.100', 'invalid version'],
    ['lnr1', '9.0', 'differs from LNR1 only in case'],
  ])('rejects the model %j with version %j', async (code, version, message) => {
    await expect(publish(code, version, randomBytes(10))).rejects.toThrow(message);
  });

  it('rejects an empty image, a missing file and a missing version', async () => {
    await expect(publish('LNR1', '9.0', new Uint8Array())).rejects.toThrow('must have 1 to');
    const absentResult = await cli('publish', '/no/such', '--project', 'LNR1', '--version', '9.0');
    expect(absentResult).toMatchObject({ code: 1, err: expect.stringContaining('no such file') });
    const { file } = await image();
    const unnamed = await cli('publish', file, '--project', 'LNR1');
    expect(unnamed).toMatchObject({ code: 1, err: expect.stringContaining('--version') });
  });

  it('signs with the key in a file, which must be an Ed25519 key', async () => {
    const { file, bytes } = await image();
    const pair = generateKeyPairSync('ed25519');
    const pem = path.join(folder, 'key.pem');
    await writeFile(pem, pair.privateKey.export({ type: 'pkcs8', format: 'pem' }));
    const model = ['--project', 'KEYED', '--version', '1.0'];
    expect((await cli('publish', file, ...model, '--key', pem)).code).toBe(0);
    const { signature } = (await get(firmwarePath('KEYED'))).json();
    expect(signature).toBe(signFirmware(pair.privateKey, 'KEYED', '1.0', bytes));
    const other = path.join(folder, 'rsa.pem');
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    await writeFile(other, privateKey.export({ type: 'pkcs8', format: 'pem' }));
    const refused = await cli('publish', file, ...model, '--key', other);
    expect(refused).toMatchObject({
      code: 1,
      err: `${other} contains a private key other than Ed25519\n`,
    });
    await writeFile(other, 'nothing');
    expect((await cli('key', '--key', other)).err).toBe(`${other} contains no private key (PEM)\n`);
  });
});

describe('CRC-16', () => {
  it('matches the implementation of the recorder', () => {
    expect(crc16(Buffer.from('123456789'))).toBe(0x29b1);
    expect(crc16(new Uint8Array())).toBe(65535);
  });
});

describe('versions', () => {
  const version = fc
    .array(fc.nat({ max: 30 }), { minLength: 2, maxLength: 4 })
    .map((parts) => parts.join('.'));

  it('are ordered by number', () => {
    expect(compareVersions('1.10', '1.9')).toBeGreaterThan(0);
    expect(compareVersions('1.0', '1.0.0')).toBe(0);
    fc.assert(
      fc.property(version, version, version, (a, b, c) => {
        expect(Math.sign(compareVersions(a, b))).toBe(-Math.sign(compareVersions(b, a)) || 0);
        const [x, y, z] = [a, b, c].toSorted(compareVersions) as [string, string, string];
        expect(compareVersions(x, y)).toBeLessThanOrEqual(0);
        expect(compareVersions(x, z)).toBeLessThanOrEqual(0);
      }),
    );
  });
});
