import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ContractLink, transportContract } from '@linnet/device/testing';
import { TransportError } from '@linnet/device/transport';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type WebSocket as ServerSocket, WebSocketServer } from 'ws';
import { Inbox } from '../testing/inbox.ts';
import { createWebSocketFinder, openWebSocket, RADIO_CLOSE } from './index.ts';

let server: WebSocketServer;
let url: string;

beforeEach(async () => {
  server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  await new Promise((resolve) => server.once('listening', resolve));
  url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}/ble`;
});
afterEach(async () => {
  for (const client of server.clients) client.terminate();
  await new Promise((resolve) => server.close(resolve));
});

async function open(): Promise<ContractLink> {
  const inbox = new Inbox();
  const accepted = new Promise<ServerSocket>((resolve) => {
    server.once('connection', (socket) => {
      socket.on('message', (data: Buffer) => inbox.put(data));
      socket.send('{"connected":true}');
      resolve(socket);
    });
  });
  const transport = await openWebSocket(url);
  const socket = await accepted;
  return {
    transport,
    recorderReceives: (count) => inbox.take(count),
    recorderSends: async (...notifications) => {
      for (const bytes of notifications) socket.send(bytes);
    },
    breakLink: async () => socket.terminate(),
  };
}

test.each(transportContract)('websocket: $name', (contractCase) => contractCase.run({ open }));

async function errorCode(action: Promise<unknown>): Promise<string> {
  return action.then(
    () => 'none',
    (error: unknown) => (error instanceof TransportError ? error.code : String(error)),
  );
}

test('rejects with recorder_busy while another phone is connected', async () => {
  server.once('connection', (socket) => socket.close(RADIO_CLOSE.busy));
  expect(await errorCode(openWebSocket(url))).toBe('recorder_busy');
});

test('rejects with connect_failed if the recorder refuses the connection or is absent', async () => {
  server.once('connection', (socket) => socket.terminate());
  expect(await errorCode(openWebSocket(url))).toBe('connect_failed');
  expect(await errorCode(openWebSocket('ws://127.0.0.1:1/ble'))).toBe('connect_failed');
});

test('can be aborted while connecting', async () => {
  const controller = new AbortController();
  const opening = openWebSocket(url, { signal: controller.signal });
  controller.abort();
  expect(await errorCode(opening)).toBe('aborted');
  expect(await errorCode(openWebSocket(url, { signal: controller.signal }))).toBe('aborted');
});

test('reports not_found if there is no recorder', async () => {
  const finder = createWebSocketFinder({ recorders: ['http://127.0.0.1:1'] });
  expect(await finder.availability()).toEqual({ status: 'unavailable', code: 'not_found' });
  expect(await errorCode(finder.find())).toBe('not_found');
  const remembered = { kind: 'websocket', deviceId: 'x', name: '' } as const;
  expect(await errorCode(finder.reopen(remembered))).toBe('not_found');
});

test('does not wait for an address that does not respond', async () => {
  const silentServer = createServer(() => undefined);
  let isClosed = false;
  silentServer.on('connection', (socket) => socket.on('close', () => (isClosed = true)));
  const web = createServer((_request, response) =>
    response.end(JSON.stringify({ name: 'Linnet 0001', sn: 'DEMO-00000001' })),
  );
  const recorders: string[] = [];
  for (const httpServer of [silentServer, web]) {
    await new Promise<void>((resolve) => httpServer.listen(0, '127.0.0.1', resolve));
    recorders.push(`http://127.0.0.1:${(httpServer.address() as AddressInfo).port}`);
  }
  const finder = createWebSocketFinder({ recorders });
  expect(await finder.availability()).toEqual({ status: 'ready' });
  const deviceId = (await createWebSocketFinder({ recorders: recorders.slice(1) }).find())[0]
    ?.deviceId;
  const remembered = { kind: 'websocket', deviceId: deviceId ?? '', name: '' } as const;
  // The recorder has no radio, so that it is found but not opened.
  expect(await errorCode(finder.reopen(remembered))).toBe('connect_failed');
  expect(isClosed).toBe(false);
  for (const httpServer of [silentServer, web]) {
    httpServer.closeAllConnections();
    await new Promise((resolve) => httpServer.close(resolve));
  }
});

describe('findAt', () => {
  let web: Server;
  let base: string;
  let advertisement: unknown;

  beforeEach(async () => {
    advertisement = { name: 'Linnet 0001', sn: 'DEMO-00000001' };
    web = createServer((_request, response) => response.end(JSON.stringify(advertisement)));
    await new Promise<void>((resolve) => web.listen(0, '127.0.0.1', resolve));
    base = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
  });
  afterEach(() => new Promise((resolve) => web.close(resolve)));

  const findAt = (address: string, recorders: readonly string[]) =>
    createWebSocketFinder({ recorders }).findAt?.(address) ?? expect.fail('no findAt');

  test.each([
    ['as listed by the server', (at: string) => at],
    ['with a slash and spaces', (at: string) => ` ${at}/ `],
    ["of the recorder's radio", (at: string) => `${at.replace('http', 'ws')}/ble`],
    ['without a scheme', (at: string) => at.replace('http://', '')],
  ])('finds the recorder at an address %s', async (_, typed) => {
    const { deviceId } = await findAt(typed(base), ['http://127.0.0.1:1', base]);
    expect(deviceId).toBe('DEMO-00000001');
  });

  test('rejects an address that the server does not list', async () => {
    expect(await errorCode(findAt(base, ['http://127.0.0.1:1']))).toBe('address_not_allowed');
    expect(await errorCode(findAt('recorder.example', [base]))).toBe('address_not_allowed');
  });

  test('rejects an address where no recorder responds', async () => {
    const silentUrl = 'http://127.0.0.1:1';
    expect(await errorCode(findAt(silentUrl, [silentUrl]))).toBe('address_silent');
    expect(await errorCode(findAt('http://', [base]))).toBe('address_silent');
    expect(await errorCode(findAt('ftp://127.0.0.1', [base]))).toBe('address_silent');
    advertisement = { name: 'Printer' };
    expect(await errorCode(findAt(base, [base]))).toBe('address_silent');
  });
});

test('rejects writes on a closing socket', async () => {
  const sent: unknown[] = [];
  class RecordingWebSocket extends WebSocket {
    override send(...data: Parameters<WebSocket['send']>): void {
      sent.push(this.readyState);
      super.send(...data);
    }
  }
  vi.stubGlobal('WebSocket', RecordingWebSocket);
  const accepted = once(server, 'connection') as Promise<[ServerSocket]>;
  server.once('connection', (socket) => socket.send('{"connected":true}'));
  const transport = await openWebSocket(url);
  const [socket] = await accepted;
  // The server sends a close frame but never reads the reply, so both sides stay in the closing state.
  socket.pause();
  socket.close(RADIO_CLOSE.lost);
  await expect
    .poll(() => errorCode(transport.write(Uint8Array.of(1), { withResponse: false })))
    .toBe('link_lost');
  expect(new Set(sent)).toEqual(new Set([WebSocket.OPEN]));
  socket.terminate();
  await transport.close();
  vi.unstubAllGlobals();
});
