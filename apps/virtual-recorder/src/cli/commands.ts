/** The CLI commands. They provide the same functions as the control page. */
import { readFile, writeFile } from 'node:fs/promises';
import type { ParseArgsOptionsConfig } from 'node:util';
import { readConfig } from '../config.ts';
import type { ControlStatus } from '../control/routes.ts';
import { noFaults } from '../faults.ts';
import { serve } from '../serve.ts';
import { type CheckOptions, runCheck } from './check.ts';
import type { CheckTarget } from './check-target.ts';
import { formatFaults, formatSessions, formatStatus } from './format.ts';
import { CommandFailure, type Remote, type Session } from './remote.ts';

/** Thrown if a command's syntax is invalid. The message describes the expected syntax. */
export class UsageFailure extends CommandFailure {}

type Options = Readonly<Record<string, unknown>>;

export interface Command {
  readonly name: string;
  /** The synopsis of the arguments. */
  readonly synopsis: string;
  readonly description: string;
  /** The minimum and maximum number of positional arguments. */
  readonly argumentCount: readonly [minimum: number, maximum: number];
  readonly options?: ParseArgsOptionsConfig;
  /** Runs the command. @returns text to print, or null for no output */
  run(recorder: Remote, args: readonly string[], options: Options): Promise<string | null>;
}

/** How long to hold the power button to toggle recording, in milliseconds. */
const RECORD_MS = 2000;
const SHORT_MS = 100;

function parseNumber(text: string | undefined, name: string): number {
  const value = Number(text);
  if (text === undefined || text.trim() === '' || !Number.isFinite(value)) {
    throw new UsageFailure(`${name} must be a number, not "${text}".`);
  }
  return value;
}

/**
 * Parses a recorder's WebSocket URL. Also accepts the base URL of a software recorder, whose WebSocket is at `/ble`.
 */
function parseRadioUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null;
  const protocols: Readonly<Record<string, string>> = {
    'ws:': 'ws:',
    'wss:': 'wss:',
    'http:': 'ws:',
    'https:': 'wss:',
  };
  const protocol = url && protocols[url.protocol];
  if (!url || !protocol) throw new UsageFailure(`Must be a URL such as ws://…, not "${text}".`);
  url.protocol = protocol;
  if (url.pathname === '/') url.pathname = '/ble';
  return url.href;
}

/** How long to search for a recorder over Bluetooth by default, in seconds. */
const SEARCH_SECONDS = 10;

/** Parses the recorder to check: a URL, or `bluetooth` and an optional name. */
function parseTarget(
  [where, requestedName]: readonly string[],
  defaultUrl: string,
  search: unknown,
): CheckTarget {
  if (where === 'bluetooth') {
    const seconds =
      typeof search === 'string' ? parseNumber(search, 'The search time') : SEARCH_SECONDS;
    if (seconds <= 0) throw new UsageFailure('The search time must be more than 0 seconds.');
    return { kind: 'bluetooth', requestedName: requestedName ?? null, searchSeconds: seconds };
  }
  if (requestedName !== undefined || search !== undefined) {
    throw new UsageFailure('Only "check bluetooth" takes a name and --search.');
  }
  return { kind: 'socket', url: parseRadioUrl(where ?? defaultUrl) };
}

/** Parses the Wi-Fi network that a checked recorder joins. */
function parseNetwork(ssid: unknown, password: unknown): CheckOptions['network'] {
  if (typeof ssid === 'string') {
    return { ssid, password: typeof password === 'string' ? password : '' };
  }
  if (password !== undefined) throw new UsageFailure('Only --network takes a --password.');
  return undefined;
}

function parseSwitch(text: string | undefined): boolean {
  if (text !== 'on' && text !== 'off') throw new UsageFailure(`Must be on or off, not "${text}".`);
  return text === 'on';
}

/** Parses a fault value from the command line. */
function parseFaultValue(text: string | undefined): unknown {
  if (text === undefined || text === 'on') return true;
  if (text === 'off') return false;
  if (text === 'none') return null;
  try {
    return JSON.parse(text);
  } catch {
    // Not JSON, so it's an unquoted string such as `button`.
    return text;
  }
}

function parseFaults(name: string, value: string | undefined): Record<string, unknown> {
  if (!name.startsWith('{')) return { [name]: parseFaultValue(value) };
  try {
    return JSON.parse(name);
  } catch (cause) {
    throw new UsageFailure('Invalid JSON.', { cause });
  }
}

const describeRecording = ({ recording, session }: ControlStatus) =>
  session ? `Recording session ${session.sessionId}.` : `The recorder is ${recording}.`;

/** Toggles recording with the power button; fails if already in the requested state. */
async function pressPower(recorder: Remote, requested: 'idle' | 'recording'): Promise<string> {
  const { recording } = await recorder.status();
  if (recording === requested) {
    throw new CommandFailure(requested === 'idle' ? 'Not recording.' : 'Already recording.');
  }
  return describeRecording(await recorder.post('/press', { button: 'power', ms: RECORD_MS }));
}

export const commands: readonly Command[] = [
  {
    name: 'start',
    synopsis: '[--count <n>] [--data <folder>] [--scene <name>] [--payload <bytes>]',
    description: 'run one or more recorders on consecutive ports until Ctrl-C',
    argumentCount: [0, 0],
    options: {
      count: { type: 'string' },
      data: { type: 'string' },
      scene: { type: 'string' },
      payload: { type: 'string' },
    },
    async run(recorder, _, { count, data, scene, payload }) {
      const variables = {
        RECORDER_PORT: new URL(recorder.url).port,
        RECORDERS: count,
        DATA_DIR: data,
        RECORDER_SCENE: scene,
        RECORDER_PAYLOAD: payload,
      };
      const definedVariables = Object.entries(variables).flatMap(([name, value]) =>
        typeof value === 'string' ? [[name, value]] : [],
      );
      await serve(readConfig({ ...process.env, ...Object.fromEntries(definedVariables) }));
      return null;
    },
  },
  {
    name: 'check',
    synopsis:
      '[<ws://host:port/ble> | bluetooth [<name or address>] [--search <s>]] [--bind] [--unbind] [--quick] [--network <name> [--password <password>]] [--firmware] [--json] [--pace <ms>] [--bindings <file>]',
    description: `check a recorder against PROTOCOL.md, over a WebSocket or this computer's Bluetooth (Linux with BlueZ; searches for ${SEARCH_SECONDS} s by default); records, reads and deletes a session of its own, and restores the settings`,
    argumentCount: [0, 2],
    options: {
      search: { type: 'string' },
      bind: { type: 'boolean' },
      unbind: { type: 'boolean' },
      quick: { type: 'boolean' },
      network: { type: 'string' },
      password: { type: 'string' },
      firmware: { type: 'boolean' },
      json: { type: 'boolean' },
      pace: { type: 'string' },
      bindings: { type: 'string' },
    },
    async run(recorder, words, values) {
      const { search, bind, unbind, quick, network, password, firmware } = values;
      const { json, pace, bindings } = values;
      const isPassed = await runCheck({
        target: parseTarget(words, `${recorder.url}/ble`, search),
        binds: bind === true,
        unbinds: unbind === true,
        isQuick: quick === true,
        network: parseNetwork(network, password),
        sendsInvalidFirmware: firmware === true,
        isJson: json === true,
        paceMs: typeof pace === 'string' ? parseNumber(pace, 'The pace') : undefined,
        bindingsFile: typeof bindings === 'string' ? bindings : undefined,
      });
      if (!isPassed) process.exitCode = 1;
      return null;
    },
  },
  {
    name: 'status',
    synopsis: '[--json]',
    description: 'show the status',
    argumentCount: [0, 0],
    options: { json: { type: 'boolean' } },
    async run(recorder, _, { json }) {
      const status = await recorder.status();
      return json ? JSON.stringify(status) : formatStatus(recorder.url, status);
    },
  },
  {
    name: 'sessions',
    synopsis: '[--json]',
    description: 'list the sessions: number, start, duration, kind, size, SHA-256',
    argumentCount: [0, 0],
    options: { json: { type: 'boolean' } },
    async run(recorder, _, { json }) {
      const { sessions } = await recorder.status();
      return json ? JSON.stringify(sessions) : formatSessions(sessions);
    },
  },
  {
    name: 'press',
    synopsis: '<power|wifi|corner> [<ms>]',
    description: `press a button, for ${SHORT_MS} ms by default`,
    argumentCount: [1, 2],
    async run(recorder, [button, ms]) {
      const holdMs = ms === undefined ? SHORT_MS : parseNumber(ms, 'The hold time');
      return describeRecording(await recorder.post('/press', { button, ms: holdMs }));
    },
  },
  {
    name: 'confirm',
    synopsis: '',
    description: 'confirm the pending bind with the required press or hold',
    argumentCount: [0, 0],
    async run(recorder) {
      const { confirmMs } = await recorder.status();
      if (confirmMs === null) throw new CommandFailure('No bind is pending.');
      return describeRecording(await recorder.post('/press', { button: 'power', ms: confirmMs }));
    },
  },
  {
    name: 'record',
    synopsis: '',
    description: 'start recording with the power button',
    argumentCount: [0, 0],
    run: (recorder) => pressPower(recorder, 'recording'),
  },
  {
    name: 'stop',
    synopsis: '',
    description: 'stop recording with the power button',
    argumentCount: [0, 0],
    run: (recorder) => pressPower(recorder, 'idle'),
  },
  {
    name: 'add',
    synopsis:
      '<file.wav> [--mode <normal|call>] [--scene <call|meeting|note>] [--time <unix seconds>]',
    description: 'add a 16-bit WAV file as a session',
    argumentCount: [1, 1],
    options: {
      mode: { type: 'string' },
      scene: { type: 'string' },
      time: { type: 'string' },
    },
    async run(recorder, [file = ''], { mode, scene, time }) {
      const query = new URLSearchParams();
      for (const [name, value] of Object.entries({ mode, scene, startTime: time })) {
        if (typeof value === 'string') query.set(name, value);
      }
      const body = await readFile(file);
      const response = await recorder.request(`/sessions?${query}`, { method: 'POST', body });
      return formatSessions([(await response.json()) as Session]);
    },
  },
  {
    name: 'packets',
    synopsis: '<session> <file>',
    description: 'save the Opus packets of a session, 160 bytes each, to a file',
    argumentCount: [2, 2],
    async run(recorder, [session, file = '']) {
      const id = parseNumber(session, 'The session');
      const response = await recorder.request(`/sessions/${id}/packets`);
      const bytes = new Uint8Array(await response.arrayBuffer());
      await writeFile(file, bytes);
      return `Saved ${bytes.length} bytes to ${file}.`;
    },
  },
  {
    name: 'hear',
    synopsis: '<scene|silence>',
    description: 'select the scene of the next recording',
    argumentCount: [1, 1],
    async run(recorder, [name]) {
      const { scene } = await recorder.post('/scene', { name: name === 'silence' ? null : name });
      return `Scene: ${scene ?? 'silence'}.`;
    },
  },
  {
    name: 'clock',
    synopsis: '<times>',
    description: 'set the speed of radio, microphone and battery',
    argumentCount: [1, 1],
    async run(recorder, [times]) {
      const { speed } = await recorder.post('/clock', { speed: parseNumber(times, 'The speed') });
      return `The clock runs at ${speed} times normal speed.`;
    },
  },
  {
    name: 'battery',
    synopsis: '<percent>',
    description: 'set the battery level',
    argumentCount: [1, 1],
    async run(recorder, [percent]) {
      const level = parseNumber(percent, 'The battery level');
      const { battery } = await recorder.post('/battery', { level });
      return `Battery level: ${battery.level}%.`;
    },
  },
  {
    name: 'charging',
    synopsis: '<on|off>',
    description: 'connect or disconnect the charger',
    argumentCount: [1, 1],
    async run(recorder, [word]) {
      const { battery } = await recorder.post('/faults', { charging: parseSwitch(word) });
      return battery.charging ? 'Charging.' : 'Not charging.';
    },
  },
  {
    name: 'fill',
    synopsis: '<percent>',
    description: 'shrink the storage so that the sessions fill this share of it',
    argumentCount: [1, 1],
    async run(recorder, [percent]) {
      const share = parseNumber(percent, 'The share') / 100;
      if (!(share > 0 && share <= 1)) throw new UsageFailure('Must be above 0 and at most 100%.');
      const { used } = (await recorder.status()).storage;
      if (used === 0) throw new CommandFailure('The recorder is empty. Add a session first.');
      const storageBytes = Math.floor(used / share);
      const { storage } = await recorder.post('/faults', { storageBytes });
      return `${storage.used} of ${storage.total} bytes used${storage.isFull ? ', storage full' : ''}.`;
    },
  },
  {
    name: 'join',
    synopsis: '[<network> <password>]',
    description: "join the recorder's hotspot from this machine",
    argumentCount: [0, 2],
    async run(recorder, [network, secret]) {
      const { wifi } = await recorder.status();
      const [ssid, password] = [network ?? wifi.ssid, secret ?? wifi.password];
      await recorder.post('/wifi/join', { ssid, password });
      return `Joined ${ssid}.`;
    },
  },
  {
    name: 'fault',
    synopsis: '[<name> [<value>] | <json>]',
    description: `inject faults: drop, ${Object.keys(noFaults()).join(', ')}`,
    argumentCount: [0, 2],
    async run(recorder, [name, value]) {
      const { faults } = await (name === undefined
        ? recorder.status()
        : recorder.post('/faults', parseFaults(name, value)));
      return `Faults: ${formatFaults(faults)}`;
    },
  },
];
