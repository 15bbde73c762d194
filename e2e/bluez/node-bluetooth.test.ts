/**
 * Tests the Node transport on the emulated BlueZ with the transport contract suite, and the recorder check over
 * Bluetooth with virtual recorders.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@linnet/device/clock';
import {
  type CheckReport,
  CLAUSES,
  type ClauseResult,
  checkRecorder,
  type Verdict,
} from '@linnet/device/conformance';
import { transportContract } from '@linnet/device/testing';
import { Bluez, type BluezRecorder } from '@linnet/transports/bluez';
import { readConfig } from '@linnet/virtual-recorder/config';
import { type RunningRecorder, startRecorder } from '@linnet/virtual-recorder/start';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { waitUntil } from '../support/wait-until.ts';
import { BareRadio } from './bare-radio.ts';
import { PrivateBus } from './bus.ts';
import { type BluezOptions, EmulatedBluez, virtualRecorder } from './index.ts';

const CLI = join(import.meta.dirname, '../../apps/virtual-recorder/src/cli.ts');
/** How much faster than real time the recorder records and sends. */
const SPEED = 20;
/** How much faster than real time the recorder's timeouts for phones run. */
const TIMEOUT_SPEED = 2;
const OTHER_RECORDER = { name: 'LNR1 OTHER', mac: '02:00:00:00:00:77', rssi: -80 } as const;
/** The clauses that require a second radio, a network, or permission to send invalid firmware. */
const notTested = [
  'link.second-phone',
  'version-1.http',
  'version-1.http-session',
  'wifi.join',
  'wifi.preflight',
  'version-2.no-http',
  'version-2.wifi-proof',
  'wifi.link',
  'version-2.wifi-once',
  'wifi.close',
  'firmware.damaged',
  'firmware.unsigned',
];

let cleanups: (() => unknown)[];
let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'linnet-bluez-'));
  cleanups = [];
});
afterEach(async () => {
  for (const cleanup of cleanups.reverse()) await cleanup();
  await rm(dir, { recursive: true });
});

async function startBluez(options: BluezOptions): Promise<EmulatedBluez> {
  const bluez = await EmulatedBluez.start(options);
  cleanups.push(() => bluez.stop());
  return bluez;
}

async function openBluez({ busAddress }: EmulatedBluez): Promise<Bluez> {
  const bluez = await Bluez.open(busAddress);
  cleanups.push(() => bluez.close());
  return bluez;
}

/** Finds the recorder in range. */
async function find(bluez: Bluez): Promise<BluezRecorder> {
  const isRequested = () => true;
  const [recorder] = await bluez.find({ timeoutMs: 60_000, continueAfterMatchMs: 0, isRequested });
  if (!recorder) throw new Error('no recorder in range');
  return recorder;
}

async function startVirtualRecorder(): Promise<RunningRecorder> {
  const config = readConfig({ RECORDER_PORT: '0', DATA_DIR: dir });
  const running = await startRecorder({ ...config, scenesDir: dir });
  cleanups.push(() => running.stop());
  const { recorder } = running;
  recorder.clock.speed = SPEED;
  recorder.phoneTime = { after: (ms, callback) => systemClock.after(ms / TIMEOUT_SPEED, callback) };
  return running;
}

describe('the contract', () => {
  test.each(transportContract)('bluez: $name', async ({ run }) => {
    const radio = new BareRadio();
    const recorderUrl = await radio.start();
    cleanups.push(() => radio.stop());
    const emulated = await startBluez({ peripheral: virtualRecorder(recorderUrl, 244) });
    const bluez = await openBluez(emulated);
    const recorder = await find(bluez);
    await run({
      open: async () => ({
        transport: await bluez.connect(recorder),
        recorderReceives: async (count) => Uint8Array.from(await radio.take(count)),
        recorderSends: async (...notifications) =>
          radio.send(notifications.map((bytes) => [...bytes])),
        breakLink: async () => emulated.drop(),
      }),
    });
  });
});

/** Returns a virtual recorder in range of this computer, and a function that checks it. */
async function openSubject() {
  const running = await startVirtualRecorder();
  const { recorder } = running;
  const emulated = await startBluez({ peripheral: virtualRecorder(running.url) });
  const bluez = await openBluez(emulated);
  const found = await find(bluez);
  const check = (
    isQuick: boolean,
    onResult: (result: ClauseResult) => void = () => undefined,
  ): Promise<CheckReport> =>
    checkRecorder(
      {
        connect: () => bluez.connect(found),
        supportsSecondConnection: false,
        readAdvertisement: () => bluez.readAdvertisement(found),
        network: undefined,
        sendsInvalidFirmware: false,
        timing: { clock: systemClock, paceMs: 0, timeoutMs: 10_000, settleMs: 100 },
        isQuick,
        unbinds: true,
        loadBinding: async () => undefined,
        storeBinding: async () => undefined,
        mayBind: async () => true,
        requestConfirmation: () => {
          recorder.press('power', recorder.confirmMs ?? 0).catch((error: unknown) => {
            console.error('failed to confirm', error);
          });
        },
      },
      onResult,
    );
  return { recorder, emulated, bluez, found, check };
}

const getClauseIds = ({ results }: CheckReport, status: Verdict['status']) =>
  results.filter(({ verdict }) => verdict.status === status).map(({ clause }) => clause.id);

describe('a check over Bluetooth', () => {
  test('reports that a correct recorder meets every clause', async () => {
    const { recorder, emulated, check } = await openSubject();
    for (let hour = 9; hour > 0; hour--) {
      const startTime = recorder.unixTime() - 3600 * hour;
      const metadata = { startTime, mode: 'normal', scene: 'note' } as const;
      await recorder.addSession(new Int16Array(16_000), metadata);
    }
    const report = await check(false);
    const ids = CLAUSES.map(({ id }) => id);
    expect(getClauseIds(report, 'broken')).toEqual([]);
    expect(getClauseIds(report, 'kept')).toEqual(ids.filter((id) => !notTested.includes(id)));
    expect(report.recorder?.sn).toBe(recorder.flash.state.sn);
    expect(report.leftovers).toEqual([]);
    expect(emulated.isConnected).toBe(false);
  });

  test('reports the clauses that a faulty recorder breaks', async () => {
    const { recorder, check } = await openSubject();
    recorder.faults.unknownCommands = ['status'];
    expect(getClauseIds(await check(true), 'broken')).toContain('order.before-handshake');
  });

  test('rejects instead of blaming the recorder if Bluetooth is turned off', async () => {
    const { emulated, check } = await openSubject();
    const report = check(true, ({ clause }) => {
      if (clause.id === 'order.before-handshake') emulated.setPower(false);
    });
    await expect(report).rejects.toMatchObject({ name: 'TransportError', code: 'radio_off' });
  });

  test('reconnects to a recorder that BlueZ has forgotten', async () => {
    const { emulated, bluez, found } = await openSubject();
    emulated.forget();
    const link = await bluez.connect(found);
    await link.close();
    emulated.setPluggedIn(false);
    await waitUntil('connecting fails', () =>
      bluez.connect(found).then(
        () => false,
        ({ code }: { code?: unknown }) => code === 'radio_off',
      ),
    );
  });

  test('finds a recorder that another program has already found', async () => {
    const { url } = await startVirtualRecorder();
    const emulated = await startBluez({ peripheral: virtualRecorder(url), isSteady: true });
    await emulated.searchElsewhere();
    const { address } = await find(await openBluez(emulated));
    const advertisement = await virtualRecorder(url).advertise();
    expect(address).toBe(advertisement?.mac);
  });

  test('reads a new advertisement while another program is searching', async () => {
    const { url, recorder } = await startVirtualRecorder();
    const radio = virtualRecorder(url);
    const before = await radio.advertise();
    let isOld = true;
    const peripheral = { ...radio, advertise: async () => (isOld ? before : radio.advertise()) };
    const emulated = await startBluez({ peripheral });
    await emulated.searchElsewhere();
    const bluez = await openBluez(emulated);
    const found = await find(bluez);
    await recorder.ownership.bind();
    isOld = false;
    const { extendInfo } = await bluez.readAdvertisement(found);
    expect(extendInfo?.isBind).toBe(true);
  });

  test('closes a link that an interrupted check left open', async () => {
    const { emulated, bluez, found } = await openSubject();
    await bluez.connect(found);
    const other = await openBluez(emulated);
    const link = await other.connect(await find(other));
    expect(emulated.isConnected).toBe(true);
    await link.close();
    expect(emulated.isConnected).toBe(false);
  });
});

type Result = { readonly code: number; readonly out: string; readonly err: string };

/** Runs `check bluetooth`. */
function runCheck(busAddress: string, ...words: string[]): Promise<Result> {
  const env = { ...process.env, DBUS_SYSTEM_BUS_ADDRESS: busAddress, DATA_DIR: dir };
  const args = [CLI, 'check', 'bluetooth', ...words];
  return new Promise((resolve) => {
    execFile(process.execPath, args, { env }, (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, out, err }),
    );
  });
}

describe('the command', () => {
  const quickArgs = ['--quick', '--pace', '0'];

  test('prints each clause of the recorder in range', async () => {
    const { url, recorder } = await startVirtualRecorder();
    const { busAddress } = await startBluez({ peripheral: virtualRecorder(url) });
    const { code, out, err } = await runCheck(busAddress, ...quickArgs);
    expect(code).toBe(0);
    expect(err).toMatch(/^Checking .+ \([0-9A-F:]{17}\)\.\n/);
    expect(out).toMatch(/^kept {8}handshake: /);
    expect(out).toMatch(/^kept {8}advertisement\.fields: /m);
    expect(out).toMatch(/^not tested {2}link\.second-phone: .+\n {12}requires a second radio$/m);
    recorder.faults.unknownCommands = ['status'];
    const faulty = await runCheck(busAddress, ...quickArgs);
    expect(faulty.code).toBe(1);
    expect(faulty.out).toMatch(/^BROKEN {6}order\.before-handshake: /m);
  });

  test('checks one of several recorders, by name or address', async () => {
    const { url } = await startVirtualRecorder();
    const peripheral = virtualRecorder(url);
    const advertisement = await peripheral.advertise();
    if (!advertisement) throw new Error('the recorder does not advertise');
    const { name, mac } = advertisement;
    const { busAddress } = await startBluez({ peripheral, others: [OTHER_RECORDER] });
    const several = await runCheck(busAddress, ...quickArgs);
    expect(several).toMatchObject({ code: 1, out: '' });
    expect(several.err).toContain('(several_found)');
    expect(several.err).toContain(`\n  ${name} (${mac}), `);
    expect(several.err).toContain(`\n  ${OTHER_RECORDER.name} (${OTHER_RECORDER.mac}), `);
    for (const word of [name, mac.toLowerCase()]) {
      const { code, err } = await runCheck(busAddress, word, ...quickArgs);
      expect({ code, err }).toMatchObject({ code: 0, err: expect.stringContaining(mac) });
    }
    const refused = await runCheck(busAddress, OTHER_RECORDER.name);
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.err).toContain(
      `Can't connect to ${OTHER_RECORDER.name} (${OTHER_RECORDER.mac}): connect_failed (`,
    );
    const missingResult = await runCheck(busAddress, 'Absent', '--search', '1');
    expect(missingResult.err).toContain(
      'No recorder matching "Absent" was found within 1 second (none_found)',
    );
    expect(missingResult.err).toContain(OTHER_RECORDER.mac);
  });

  test('reports a missing recorder, adapter, BlueZ or bus', async () => {
    const silentRecorder = {
      ...virtualRecorder('http://127.0.0.1:1'),
      advertise: async () => null,
    };
    const bluez = await startBluez({ peripheral: silentRecorder });
    const run = (address = bluez.busAddress) => runCheck(address, '--search', '0.5');
    expect(await run()).toEqual({
      code: 1,
      out: '',
      err: 'No recorder was found within 0.5 seconds (none_found).\n',
    });
    bluez.setPower(false);
    expect(await run()).toMatchObject({ code: 1, err: expect.stringContaining('(adapter_off)') });
    bluez.setPluggedIn(false);
    expect(await run()).toMatchObject({ code: 1, err: expect.stringContaining('(no_adapter)') });
    const bus = await PrivateBus.start();
    cleanups.push(() => bus.stop());
    for (const address of [bus.address, `unix:path=${join(dir, 'none')}`]) {
      const { code, err } = await run(address);
      expect({ code, err }).toMatchObject({ code: 1, err: expect.stringContaining('(no_bluez)') });
    }
  });

  test('reports that the link was lost', async () => {
    const { url } = await startVirtualRecorder();
    const peripheral = virtualRecorder(url);
    const { busAddress } = await startBluez({
      peripheral: {
        ...peripheral,
        async connect(on) {
          const link = await peripheral.connect(on);
          return {
            ...link,
            setNotifying() {
              link.close();
              on.closed();
            },
          };
        },
      },
    });
    const { code, err } = await runCheck(busAddress, ...quickArgs);
    expect({ code, err }).toMatchObject({ code: 1, err: expect.stringContaining(': link_lost') });
  });

  test.each([
    [['a', 'b'], 'Usage: check'],
    [['--search', 'long'], 'The search time must be a number'],
    [['--search', '0'], 'more than 0 seconds'],
  ])('rejects %j', async (words, sentence) => {
    const result = await runCheck('unix:path=/', ...words);
    expect(result).toMatchObject({ code: 2, out: '', err: expect.stringContaining(sentence) });
  });
});
