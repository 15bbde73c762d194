import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ContractLink, transportContract } from '@linnet/device/testing';
import { TransportError } from '@linnet/device/transport';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type WebSocket as ServerSocket, WebSocketServer } from 'ws';
import { Inbox } from '../testing/inbox.ts';
import { openWifi, WIFI_PROTOCOL } from './index.ts';

const token = '00112233445566778899aabbccddeeff';
let server: WebSocketServer;
let origin: string;
/** What each phone offered, and where it knocked. */
let knocks: { readonly url: string | undefined; readonly offered: string[] | undefined }[];

beforeEach(async () => {
  knocks = [];
  server = new WebSocketServer({
    host: '127.0.0.1',
    port: 0,
    handleProtocols: () => WIFI_PROTOCOL,
    verifyClient: ({ req }: { req: IncomingMessage }) => {
      const offered = req.headers['sec-websocket-protocol']?.split(/, */);
      knocks.push({ url: req.url, offered });
      return offered?.includes(token) === true;
    },
  });
  await new Promise((resolve) => server.once('listening', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
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
  const transport = await openWifi({ origin, token }, { deviceId: 'LNR1', name: 'Linnet' });
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

test.each(transportContract)('wifi: $name', (contractCase) => contractCase.run({ open }));

const failure = (action: Promise<unknown>) =>
  action.then(
    () => 'none',
    (error: unknown) => (error instanceof TransportError ? error.code : String(error)),
  );

test('the token is in no address, and who has another is not let in', async () => {
  const { transport } = await open();
  expect(transport).toMatchObject({ kind: 'wifi', deviceId: 'LNR1', name: 'Linnet' });
  expect(knocks).toEqual([{ url: '/link', offered: [WIFI_PROTOCOL, token] }]);
  await transport.close();
  const wrong = openWifi({ origin, token: 'f'.repeat(32) }, { deviceId: 'LNR1' });
  expect(await failure(wrong)).toBe('connect_failed');
});

test('a network that is not joined cannot be connected, and connecting can be called off', async () => {
  const nowhere = { origin: 'http://127.0.0.1:1', token };
  expect(await failure(openWifi(nowhere, { deviceId: 'LNR1' }))).toBe('connect_failed');
  const controller = new AbortController();
  const opening = openWifi({ origin, token }, { deviceId: 'LNR1', signal: controller.signal });
  controller.abort();
  expect(await failure(opening)).toBe('aborted');
});
