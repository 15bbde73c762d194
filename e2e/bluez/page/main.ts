/** Test page of `browser-bluetooth.test.ts`. Exposes a Web Bluetooth transport to the test. */
import { toHex } from '@linnet/base';
import type { GattLink } from '@linnet/device/gatt';
import { openRecorderSession } from '@linnet/device/session';
import {
  type GattContractSource,
  gattContract,
  gattContractProfile,
  transportContract,
} from '@linnet/device/testing';
import type { Transport } from '@linnet/device/transport';
import { TransportError } from '@linnet/device/transport';
import { createCapacitorFinder } from '@linnet/transports/capacitor-ble';
import { createWebBluetoothFinder } from '@linnet/transports/web-bluetooth';

/** Functions that the test exposes to the page, and the object that the page exposes to the test. */
declare global {
  interface Window {
    recorderReceives(count: number): Promise<number[]>;
    recorderSends(notifications: number[][]): Promise<void>;
    breakLink(): Promise<void>;
    gattReceived(): Promise<number[][]>;
    gattNotify(source: GattContractSource, values: number[][]): Promise<void>;
    testPage: typeof testPage;
  }
}

const finders = {
  'web-bluetooth': () => createWebBluetoothFinder([gattContractProfile]),
  'capacitor-ble': () => createCapacitorFinder([gattContractProfile]),
};
export type Adapter = keyof typeof finders;
/** The URL fragment selects the adapter. */
const finder = finders[location.hash.slice(1) as Adapter]();
let chosenDeviceId: string | undefined;

/** Opens a link. The first call opens the device chooser, which requires a tap. Later calls don't. */
async function connect(): Promise<Transport> {
  if (chosenDeviceId)
    return finder.reopen({ kind: finder.kind, deviceId: chosenDeviceId, name: '' });
  const [candidate] = await finder.find();
  if (!candidate) throw new Error('no recorder chosen');
  chosenDeviceId = candidate.deviceId;
  return candidate.connect();
}

/** Opens a link to a recorder from another manufacturer that was chosen. */
async function connectGatt(): Promise<GattLink> {
  if (!chosenDeviceId) throw new Error('no recorder chosen');
  return finder.openGatt({ kind: finder.kind, deviceId: chosenDeviceId, name: '' });
}

const testPage = {
  availability: () => finder.availability(),

  getFailureCode: (action: 'connect' | 'reopenUnknown') => {
    const unknown = { kind: finder.kind, deviceId: 'unknown', name: '' };
    const actions = {
      find: () => finder.find(),
      connect,
      reopenUnknown: () => finder.reopen(unknown),
    };
    return actions[action]().then(
      () => 'none',
      (error: unknown) => (error instanceof TransportError ? error.code : String(error)),
    );
  },

  kind: () => finder.kind,

  caseNames: () => transportContract.map(({ name }) => name),

  runCase: async (name: string) => {
    const contractCase = transportContract.find((each) => each.name === name);
    if (!contractCase) throw new Error(`unknown case ${name}`);
    await contractCase.run({
      open: async () => ({
        transport: await connect(),
        recorderReceives: async (count) => Uint8Array.from(await window.recorderReceives(count)),
        recorderSends: (...notifications) =>
          window.recorderSends(notifications.map((bytes) => [...bytes])),
        breakLink: () => window.breakLink(),
      }),
    });
  },

  gattCaseNames: () => gattContract.map(({ name }) => name),

  runGattCase: async (name: string) => {
    const contractCase = gattContract.find((each) => each.name === name);
    if (!contractCase) throw new Error(`unknown case ${name}`);
    await contractCase.run(async () => ({
      link: await connectGatt(),
      received: async () => (await window.gattReceived()).map((each) => Uint8Array.from(each)),
      notify: (source, ...values) =>
        window.gattNotify(
          source,
          values.map((bytes) => [...bytes]),
        ),
      breakLink: () => window.breakLink(),
    }));
  },

  chosenId: () => chosenDeviceId,

  /** Reconnects to a recorder that was chosen before the page was reloaded. */
  reopen: async (deviceId: string) => {
    const transport = await finder.reopen({ kind: finder.kind, deviceId, name: '' });
    const session = await openRecorderSession(transport);
    await session.close();
    return session.info.sn;
  },

  /** Reads the recorder's first session and returns its size and hashes. */
  readFirstSession: async () => {
    const transport = await connect();
    const session = await openRecorderSession(transport);
    const sessions = await session.listSessions();
    const first = sessions[0];
    if (!first) throw new Error('the recorder has no sessions');
    const parts: Uint8Array[] = [];
    const started = performance.now();
    const digest = await session.readSession(first.sessionId, 0, {
      onChunk: async (_, bytes) => {
        parts.push(bytes);
      },
    });
    const ms = performance.now() - started;
    const bytes = new Uint8Array(await new Blob(parts as Uint8Array<ArrayBuffer>[]).arrayBuffer());
    const sha256 = toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)));
    await session.close();
    return {
      sn: session.info.sn,
      count: sessions.length,
      sessionId: first.sessionId,
      size: bytes.length,
      sha256,
      recorderSha256: toHex(digest.sha256),
      ms,
    };
  },

  /** Reads until the link breaks, reconnects, and continues after the last chunk. */
  readAcrossDrop: async (breakAtChunk: number) => {
    const parts: Uint8Array[] = [];
    let links = 0;
    for (;;) {
      links += 1;
      const session = await openRecorderSession(await connect());
      const sessions = await session.listSessions();
      const sessionId = sessions[0]?.sessionId ?? 0;
      try {
        const digest = await session.readSession(sessionId, parts.length, {
          onChunk: async (_, bytes) => {
            parts.push(bytes);
            if (links === 1 && parts.length === breakAtChunk) await window.breakLink();
          },
        });
        await session.close();
        const bytes = await new Blob(parts as Uint8Array<ArrayBuffer>[]).arrayBuffer();
        const sha256 = toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)));
        return { links, sha256, recorderSha256: toHex(digest.sha256) };
      } catch (error) {
        if (links > 1) throw error;
      }
    }
  },
};
window.testPage = testPage;

// The device chooser requires a tap, so the test clicks the page.
document.body.addEventListener('click', () => {
  const isOther = (error: unknown) =>
    error instanceof TransportError && error.code === 'not_a_recorder';
  connect()
    .then((transport) => transport.close())
    .then(
      () => document.body.setAttribute('data-chosen', 'yes'),
      (error: unknown) =>
        document.body.setAttribute('data-chosen', isOther(error) ? 'yes' : String(error)),
    );
});
