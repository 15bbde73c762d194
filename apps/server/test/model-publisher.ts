import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { onTestFinished, vi } from 'vitest';
import type { KnownModel } from '../src/models/index.ts';
import { makeFolder } from './folder.ts';
import { toneModel, writeModel } from './tiny-models.ts';

/** Returns a catalog model and its archive. The archive also contains files that aren't needed. */
export async function publishedModel(
  unneeded: Uint8Array = Buffer.from('unneeded'),
): Promise<{ model: KnownModel; archive: string; content: Buffer }> {
  const folder = await writeModel(await makeFolder(), toneModel());
  await rm(path.join(folder, 'model.json'));
  await mkdir(path.join(folder, 'test_wavs'));
  await writeFile(path.join(folder, 'test_wavs', '0.wav'), unneeded);
  const archive = path.join(await makeFolder(), 'tones-int8.tar.bz2');
  const packed = spawnSync('tar', ['-cjf', archive, '-C', path.dirname(folder), 'tones']);
  if (packed.status !== 0) throw new Error(String(packed.stderr));
  const content = await readFile(archive);
  const model: KnownModel = {
    name: 'tones',
    kind: 'ctc',
    description: 'tones as English words',
    licence: 'MIT',
    languages: [{ tag: 'en', quality: 'good' }],
    detectsLanguage: false,
    punctuated: false,
    download: {
      address: 'http://127.0.0.1:9/tones-int8.tar.bz2',
      bytes: content.length,
      sha256: createHash('sha256').update(content).digest('hex'),
    },
    roles: { model: 'model.onnx', tokens: 'tokens.txt' },
    archiveFolder: 'tones',
  };
  return { model, archive, content };
}

/** Like `publishedModel`, with an archive of about 0.5 MB that can be interrupted many times. */
export const largePublishedModel = () => publishedModel(randomBytes(500_000));

type Handler = (response: ServerResponse, from: number) => unknown;

/** A fake model publisher. Supports ranges and ETags, like release servers. */
export interface Publisher {
  /** Base URL, for `MODELS_URL`. */
  readonly mirror: string;
  /** The range and condition of each request. */
  readonly requests: { readonly range: string | undefined; readonly ifRange: string | undefined }[];
  /** Replaces the content and the ETag. */
  publish(content: Buffer): void;
}

/**
 * Starts a publisher that runs until the end of the test.
 * @param handlers one for each of the first requests. Later requests receive all of the remaining content.
 */
export async function startPublisher(
  initialContent: Buffer,
  handlers: readonly Handler[] = [],
  port = 0,
): Promise<Publisher> {
  const requests: Publisher['requests'] = [];
  let content = initialContent;
  let etag = computeEtag(content);
  const server = createServer((request: IncomingMessage, response) => {
    const { range, 'if-range': ifRange } = request.headers as Record<string, string | undefined>;
    const handler = handlers[requests.length];
    requests.push({ range, ifRange });
    const matches = ifRange === undefined || ifRange === etag;
    const from = matches ? Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1] ?? 0) : 0;
    const headers = { etag, 'content-length': content.length - from };
    if (from === 0) response.writeHead(200, headers);
    else {
      const contentRange = `bytes ${from}-${content.length - 1}/${content.length}`;
      response.writeHead(206, { ...headers, 'content-range': contentRange });
    }
    if (handler) handler(response, from);
    else response.end(content.subarray(from));
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    mirror: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    publish(changedContent) {
      content = changedContent;
      etag = computeEtag(content);
    },
  };
}

const computeEtag = (content: Buffer) => `"${createHash('md5').update(content).digest('hex')}"`;

/** Sends part of the content, waits until the client has stored some of it, and breaks the connection. */
export const breakAfter =
  (content: Buffer, bytes: number, modelsDir: string): Handler =>
  async (response, from) => {
    response.write(content.subarray(from, from + bytes));
    await vi.waitUntil(async () => (await storedBytes(modelsDir)) > from, {
      interval: 5,
      timeout: 60_000,
    });
    response.destroy();
  };

/** Sends part of the content and then stalls without closing the connection. */
export const stallAfter =
  (content: Buffer, bytes: number): Handler =>
  (response, from) =>
    response.write(content.subarray(from, from + bytes));

/** Returns the size of the partial download in a models folder. */
export async function storedBytes(modelsDir: string): Promise<number> {
  const incoming = path.join(modelsDir, '.incoming');
  const names = await readdir(incoming).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const part = names.find((name) => name.endsWith('.part'));
  return part === undefined ? 0 : (await stat(path.join(incoming, part))).size;
}
