import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { makeFolder } from '../../test/folder.ts';
import { download } from './download.ts';

const content = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 7919) % 251));
const sha256 = createHash('sha256').update(content).digest('hex');

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

type Handler = (request: IncomingMessage, response: ServerResponse, from: number) => void;

/** Starts a server that sends the responses in order, and then repeats the last one. */
async function serve(...handlers: Handler[]) {
  const ranges: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    ranges.push(request.headers.range);
    const from = Number(/^bytes=(\d+)-$/.exec(request.headers.range ?? '')?.[1] ?? 0);
    const handler = handlers[Math.min(ranges.length, handlers.length) - 1] as Handler;
    handler(request, response, from);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });
  const { port } = server.address() as AddressInfo;
  return { address: `http://127.0.0.1:${port}/file.bin`, ranges };
}

const head = (response: ServerResponse, from: number, bytes = content): void => {
  const headers = { 'content-length': bytes.length - from };
  if (from === 0) response.writeHead(200, headers);
  else {
    const range = `bytes ${from}-${bytes.length - 1}/${bytes.length}`;
    response.writeHead(206, { ...headers, 'content-range': range });
  }
};
const complete: Handler = (_, response, from) => {
  head(response, from);
  response.end(content.subarray(from));
};
/** Sends this many bytes, and disconnects once some of them have been written to the file. */
const disconnectAfter =
  (bytes: number, part: () => string): Handler =>
  async (_, response, from) => {
    head(response, from);
    response.write(content.subarray(from, from + bytes));
    const size = async () => (await stat(part()).catch(() => ({ size: 0 }))).size;
    await vi.waitUntil(async () => (await size()) > from, { interval: 5, timeout: 60_000 });
    response.destroy();
  };
const status =
  (code: number): Handler =>
  (_, response) =>
    response.writeHead(code).end('sorry');

async function job(address: string) {
  const file = path.join(await makeFolder(), 'file.bin');
  return { address, file, sha256, pauseSeconds: 0 };
}

describe('download', () => {
  it('stores a file and reports progress', async () => {
    const { address, ranges } = await serve(complete);
    const fractions: number[] = [];
    const task = await job(address);
    expect(await download({ ...task, onProgress: (done) => fractions.push(done) })).toBe(sha256);
    expect(await readFile(task.file)).toEqual(content);
    expect(await readdir(path.dirname(task.file))).toEqual(['file.bin']);
    expect(fractions).toEqual([...fractions].sort((a, b) => a - b));
    expect(fractions.at(-1)).toBe(1);
    expect(ranges).toEqual([undefined]);
  });

  it('resumes after every interruption', async () => {
    let part = '';
    const { address, ranges } = await serve(
      disconnectAfter(100_000, () => part),
      disconnectAfter(50_000, () => part),
      status(503),
      complete,
    );
    const task = await job(address);
    part = `${task.file}.part`;
    await download(task);
    expect(await readFile(task.file)).toEqual(content);
    expect(ranges[0]).toBeUndefined();
    const starts = ranges.slice(1).map((range) => Number(/^bytes=(\d+)-$/.exec(range ?? '')?.[1]));
    expect(starts[0]).toBeGreaterThan(0);
    expect(starts).toEqual([...starts].sort((a, b) => a - b));
  });

  it('resumes a download of another process', async () => {
    const { address, ranges } = await serve(complete);
    const task = await job(address);
    await writeFile(`${task.file}.part`, content.subarray(0, 120_000));
    await download(task);
    expect(await readFile(task.file)).toEqual(content);
    expect(ranges).toEqual(['bytes=120000-']);
  });

  it('starts over if the server does not support ranges', async () => {
    const { address } = await serve((request, response) => complete(request, response, 0));
    const task = await job(address);
    await writeFile(`${task.file}.part`, 'content of another file');
    await download(task);
    expect(await readFile(task.file)).toEqual(content);
  });

  it.each([
    [
      'a different range',
      (from: number) => `bytes ${from - 10}-${content.length - 1}/${content.length}`,
    ],
    ['an invalid range', () => 'nonsense'],
  ])('starts over if the server sends %s', async (_, range) => {
    const wrongRange: Handler = (_request, response, from) => {
      response.writeHead(206, { 'content-range': range(from) });
      response.end(content.subarray(from - 10));
    };
    const { address, ranges } = await serve(wrongRange, complete);
    const task = await job(address);
    await writeFile(`${task.file}.part`, content.subarray(0, 1000));
    await download(task);
    expect(await readFile(task.file)).toEqual(content);
    expect(ranges).toEqual(['bytes=1000-', undefined]);
  });

  it('starts over if the partial file is longer than the file', async () => {
    const unsatisfiable: Handler = (_, response) =>
      response.writeHead(416, { 'content-range': `bytes */${content.length}` }).end();
    const { address, ranges } = await serve(unsatisfiable, complete);
    const task = await job(address);
    await writeFile(`${task.file}.part`, Buffer.concat([content, content]));
    await download(task);
    expect(await readFile(task.file)).toEqual(content);
    expect(ranges).toEqual(['bytes=600000-', undefined]);
  });

  it('rejects and deletes a file with unexpected content', async () => {
    const corrupted = Buffer.from(content).fill(1, 500, 600);
    const { address } = await serve((_, response) => response.end(corrupted));
    const task = await job(address);
    await expect(download(task)).rejects.toMatchObject({
      code: 'content-mismatch',
      message: expect.stringContaining('has unexpected content: its SHA-256 is'),
    });
    expect(await readdir(path.dirname(task.file))).toEqual([]);
  });

  it('starts over once if a resumed file has unexpected content', async () => {
    const { address, ranges } = await serve(complete);
    const task = await job(address);
    await writeFile(`${task.file}.part`, Buffer.alloc(5000));
    await download(task);
    expect(await readFile(task.file)).toEqual(content);
    expect(ranges).toEqual(['bytes=5000-', undefined]);
  });

  it('resumes only the version of the file that it began with', async () => {
    const conditions: unknown[] = [];
    let etag = '"first"';
    let part = '';
    /** Responds to a range only if the condition matches, like a server that supports `If-Range`. */
    const versioned =
      (handler: Handler): Handler =>
      (request, response, from) => {
        conditions.push(request.headers['if-range']);
        response.setHeader('etag', etag);
        handler(request, response, request.headers['if-range'] === etag ? from : 0);
      };
    const { address } = await serve(
      versioned((request, response, from) => {
        disconnectAfter(100_000, () => part)(request, response, from);
        etag = '"second"';
      }),
      versioned(complete),
    );
    const task = await job(address);
    part = `${task.file}.part`;
    await download(task);
    expect(conditions).toEqual([undefined, '"first"']);
    expect(await readFile(task.file)).toEqual(content);
    expect(await readdir(path.dirname(task.file))).toEqual(['file.bin']);
  });

  it('starts over if a server without conditional ranges has a different version', async () => {
    const { address, ranges } = await serve((_, response, from) => {
      response.setHeader('etag', 'W/"second"');
      complete(_, response, from);
    });
    const task = await job(address);
    await writeFile(`${task.file}.part`, content.subarray(0, 1000));
    await writeFile(`${task.file}.part.etag`, 'W/"first"');
    await download(task);
    expect(ranges).toEqual(['bytes=1000-', undefined]);
    expect(await readFile(task.file)).toEqual(content);
  });

  it('rejects a file of unexpected size before the download', async () => {
    const { address } = await serve(complete);
    const task = { ...(await job(address)), bytes: content.length + 1 };
    await expect(download(task)).rejects.toThrow(
      'offers 300000 bytes instead of 300001: it is a different file',
    );
  });

  it('rejects more bytes than announced', async () => {
    const endlessHandler: Handler = (_, response) => {
      response.writeHead(200);
      const appendedContent = () => {
        while (response.write(content));
        response.once('drain', appendedContent);
      };
      appendedContent();
    };
    const { address } = await serve(endlessHandler);
    const task = { ...(await job(address)), bytes: 1_000_000 };
    await expect(download(task)).rejects.toThrow('sent more bytes than announced');
    expect(await readdir(path.dirname(task.file))).toEqual([]);
  });

  it.each([404, 403])('fails immediately on status %i', async (code) => {
    const { address, ranges } = await serve(status(code));
    await expect(download(await job(address))).rejects.toThrow(`the server returned ${code}`);
    expect(ranges).toHaveLength(1);
  });

  it('fails after repeated attempts without progress and keeps the partial file', async () => {
    let part = '';
    const { address, ranges } = await serve(
      disconnectAfter(100_000, () => part),
      status(503),
    );
    const task = await job(address);
    part = `${task.file}.part`;
    await expect(download(task)).rejects.toThrow(
      /could not be downloaded: the server returned 503$/,
    );
    expect(ranges).toHaveLength(6);
    expect(await readdir(path.dirname(task.file))).toEqual(['file.bin.part']);
  });

  it('stops when aborted', async () => {
    const controller = new AbortController();
    const { address } = await serve((_, response) => {
      head(response, 0);
      response.write(content.subarray(0, 100_000));
    });
    const task = await job(address);
    await expect(
      download({ ...task, signal: controller.signal, onProgress: () => controller.abort() }),
    ).rejects.toMatchObject({ name: 'AbortError' });
  });
});
