import { createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ContractLink, transportContract } from '@linnet/device/testing';
import { TransportError } from '@linnet/device/transport';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type WebSocket as ServerSocket, WebSocketServer } from 'ws';
import { Inbox } from '../testing/inbox.ts';
import { openWifi, WIFI_PROTOCOL, WIFI_PROTOCOL_2 } from './index.ts';

const token = '00112233445566778899aabbccddeeff';
let server: WebSocketServer;
let origin: string;
/** The URL and offered subprotocols of each connection attempt. */
let attempts: { readonly url: string | undefined; readonly offered: string[] | undefined }[];

beforeEach(async () => {
  attempts = [];
  server = new WebSocketServer({
    host: '127.0.0.1',
    port: 0,
    handleProtocols: () => WIFI_PROTOCOL,
    verifyClient: ({ req }: { req: IncomingMessage }) => {
      const offered = req.headers['sec-websocket-protocol']?.split(/, */);
      attempts.push({ url: req.url, offered });
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
  const transport = await openWifi(
    { version: 1, origin, token },
    { deviceId: 'LNR1', name: 'Linnet' },
  );
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

const errorCode = (action: Promise<unknown>) =>
  action.then(
    () => 'none',
    (error: unknown) => (error instanceof TransportError ? error.code : String(error)),
  );

test('keeps the token out of the URL and rejects a wrong token', async () => {
  const { transport } = await open();
  expect(transport).toMatchObject({ kind: 'wifi', deviceId: 'LNR1', name: 'Linnet' });
  expect(attempts).toEqual([{ url: '/link', offered: [WIFI_PROTOCOL, token] }]);
  await transport.close();
  const wrongTokenLink = openWifi(
    { version: 1, origin, token: 'f'.repeat(32) },
    { deviceId: 'LNR1' },
  );
  expect(await errorCode(wrongTokenLink)).toBe('connect_failed');
});

test('fails without the network and can be aborted', async () => {
  const unreachable = { version: 1, origin: 'http://127.0.0.1:1', token } as const;
  expect(await errorCode(openWifi(unreachable, { deviceId: 'LNR1' }))).toBe('connect_failed');
  const controller = new AbortController();
  const opening = openWifi(
    { version: 1, origin, token },
    { deviceId: 'LNR1', signal: controller.signal },
  );
  controller.abort();
  expect(await errorCode(opening)).toBe('aborted');
});

describe('under version 2', () => {
  const secret = token;
  const challenge = '5a'.repeat(32);
  let serverVersion2: WebSocketServer;
  /** The subprotocols and text messages received from each phone. */
  let messages: { offered: string | undefined; texts: string[] }[];
  let endpoint: { version: 2; origin: string; secret: string };

  /** Starts a recorder that sends `greeting` and confirms the link after the first text message. */
  async function serve(greeting: string, protocol = WIFI_PROTOCOL_2): Promise<void> {
    serverVersion2 = new WebSocketServer({
      host: '127.0.0.1',
      port: 0,
      handleProtocols: () => protocol,
    });
    serverVersion2.on('connection', (socket, request) => {
      const phone = { offered: request.headers['sec-websocket-protocol'], texts: [] as string[] };
      messages.push(phone);
      socket.on('message', (data: Buffer) => {
        phone.texts.push(data.toString());
        socket.send('{"connected":true}');
      });
      socket.send(greeting);
    });
    await new Promise((resolve) => serverVersion2.once('listening', resolve));
    const { port } = serverVersion2.address() as AddressInfo;
    endpoint = { version: 2, origin: `http://127.0.0.1:${port}`, secret };
  }
  beforeEach(() => {
    messages = [];
  });
  afterEach(async () => {
    for (const client of serverVersion2.clients) client.terminate();
    await new Promise((resolve) => serverVersion2.close(resolve));
  });

  test('proves the secret without sending it', async () => {
    await serve(JSON.stringify({ challenge }));
    const link = await openWifi(endpoint, { deviceId: 'LNR1' });
    const message = Buffer.concat([
      Buffer.from('Linnet WiFi 2'.padEnd(16, '\0')),
      Buffer.from(challenge, 'hex'),
    ]);
    const proof = createHmac('sha256', Buffer.from(secret, 'hex')).update(message).digest('hex');
    expect(messages).toEqual([{ offered: 'linnet2', texts: [proof] }]);
    await link.close();
  });

  test.each([
    ['that requests no proof', '{"connected":true}', WIFI_PROTOCOL_2],
    ['with a short challenge', '{"challenge":"5a"}', WIFI_PROTOCOL_2],
    ['of version 1', '{"connected":true}', WIFI_PROTOCOL],
  ])('rejects a recorder %s without sending a proof', async (_, greeting, protocol) => {
    await serve(greeting, protocol);
    expect(await errorCode(openWifi(endpoint, { deviceId: 'LNR1' }))).toBe('connect_failed');
    expect(messages.flatMap(({ texts }) => texts)).toEqual([]);
    expect(JSON.stringify(messages)).not.toContain(secret);
  });
});
