/** CLI commands, equivalent to the control page. */
import { readFile, writeFile } from 'node:fs/promises';
import type { ParseArgsOptionsConfig } from 'node:util';
import { readConfig } from '../config.ts';
import type { ControlStatus } from '../control/routes.ts';
import { noFaults } from '../faults.ts';
import { serve } from '../serve.ts';
import { CommandFailure, type Remote, type Session } from './remote.ts';
import { faultsSet, sessionsText, statusText } from './words.ts';

/** Invalid command syntax; the message describes the expected syntax. */
export class UsageFailure extends CommandFailure {}

type Options = Readonly<Record<string, unknown>>;

export interface Command {
  readonly name: string;
  /** Argument synopsis. */
  readonly takes: string;
  readonly about: string;
  /** Minimum and maximum number of positional arguments. */
  readonly words: readonly [minimum: number, maximum: number];
  readonly options?: ParseArgsOptionsConfig;
  /** @returns text to print, or null for no output */
  run(recorder: Remote, words: readonly string[], options: Options): Promise<string | null>;
}

/** Power button hold time that toggles recording, ms. */
const RECORD_MS = 2000;
const SHORT_MS = 100;

function number(text: string | undefined, name: string): number {
  const value = Number(text);
  if (text === undefined || text.trim() === '' || !Number.isFinite(value)) {
    throw new UsageFailure(`${name} must be a number, not "${text}".`);
  }
  return value;
}

function onOrOff(text: string | undefined): boolean {
  if (text !== 'on' && text !== 'off') throw new UsageFailure(`Must be on or off, not "${text}".`);
  return text === 'on';
}

/** Parses a fault value from the command line. */
function faultValue(text: string | undefined): unknown {
  if (text === undefined || text === 'on') return true;
  if (text === 'off') return false;
  if (text === 'none') return null;
  try {
    return JSON.parse(text);
  } catch {
    // An unquoted word, such as `button`.
    return text;
  }
}

function faultsFrom(name: string, value: string | undefined): Record<string, unknown> {
  if (!name.startsWith('{')) return { [name]: faultValue(value) };
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
    takes: '[--count <n>] [--data <folder>] [--scene <name>] [--payload <bytes>]',
    about: 'run one or more recorders on consecutive ports until Ctrl-C',
    words: [0, 0],
    options: {
      count: { type: 'string' },
      data: { type: 'string' },
      scene: { type: 'string' },
      payload: { type: 'string' },
    },
    async run(recorder, _, { count, data, scene, payload }) {
      const given = {
        RECORDER_PORT: new URL(recorder.url).port,
        RECORDERS: count,
        DATA_DIR: data,
        RECORDER_SCENE: scene,
        RECORDER_PAYLOAD: payload,
      };
      const set = Object.entries(given).flatMap(([name, value]) =>
        typeof value === 'string' ? [[name, value]] : [],
      );
      await serve(readConfig({ ...process.env, ...Object.fromEntries(set) }));
      return null;
    },
  },
  {
    name: 'status',
    takes: '[--json]',
    about: 'show the status',
    words: [0, 0],
    options: { json: { type: 'boolean' } },
    async run(recorder, _, { json }) {
      const status = await recorder.status();
      return json ? JSON.stringify(status) : statusText(recorder.url, status);
    },
  },
  {
    name: 'sessions',
    takes: '[--json]',
    about: 'list the sessions: number, start, duration, kind, size, SHA-256',
    words: [0, 0],
    options: { json: { type: 'boolean' } },
    async run(recorder, _, { json }) {
      const { sessions } = await recorder.status();
      return json ? JSON.stringify(sessions) : sessionsText(sessions);
    },
  },
  {
    name: 'press',
    takes: '<power|wifi|corner> [<ms>]',
    about: `press a button, for ${SHORT_MS} ms by default`,
    words: [1, 2],
    async run(recorder, [button, ms]) {
      const held = ms === undefined ? SHORT_MS : number(ms, 'The hold time');
      return describeRecording(await recorder.post('/press', { button, ms: held }));
    },
  },
  {
    name: 'confirm',
    takes: '',
    about: 'confirm the pending bind with the required press or hold',
    words: [0, 0],
    async run(recorder) {
      const { confirmMs } = await recorder.status();
      if (confirmMs === null) throw new CommandFailure('No bind is pending.');
      return describeRecording(await recorder.post('/press', { button: 'power', ms: confirmMs }));
    },
  },
  {
    name: 'record',
    takes: '',
    about: 'start recording with the power button',
    words: [0, 0],
    run: (recorder) => pressPower(recorder, 'recording'),
  },
  {
    name: 'stop',
    takes: '',
    about: 'stop recording with the power button',
    words: [0, 0],
    run: (recorder) => pressPower(recorder, 'idle'),
  },
  {
    name: 'add',
    takes:
      '<file.wav> [--mode <normal|call>] [--scene <call|meeting|note>] [--time <unix seconds>]',
    about: 'add a 16-bit WAV file as a session',
    words: [1, 1],
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
      const answer = await recorder.ask(`/sessions?${query}`, { method: 'POST', body });
      return sessionsText([(await answer.json()) as Session]);
    },
  },
  {
    name: 'packets',
    takes: '<session> <file>',
    about: 'save the Opus packets of a session, 160 bytes each, to a file',
    words: [2, 2],
    async run(recorder, [session, file = '']) {
      const id = number(session, 'The session');
      const answer = await recorder.ask(`/sessions/${id}/packets`);
      const bytes = new Uint8Array(await answer.arrayBuffer());
      await writeFile(file, bytes);
      return `Saved ${bytes.length} bytes to ${file}.`;
    },
  },
  {
    name: 'hear',
    takes: '<scene|silence>',
    about: 'select the scene of the next recording',
    words: [1, 1],
    async run(recorder, [name]) {
      const { scene } = await recorder.post('/scene', { name: name === 'silence' ? null : name });
      return `Scene: ${scene ?? 'silence'}.`;
    },
  },
  {
    name: 'clock',
    takes: '<times>',
    about: 'set the speed of radio, microphone and battery',
    words: [1, 1],
    async run(recorder, [times]) {
      const { speed } = await recorder.post('/clock', { speed: number(times, 'The speed') });
      return `The clock runs at ${speed} times normal speed.`;
    },
  },
  {
    name: 'battery',
    takes: '<percent>',
    about: 'set the battery level',
    words: [1, 1],
    async run(recorder, [percent]) {
      const level = number(percent, 'The battery level');
      const { battery } = await recorder.post('/battery', { level });
      return `Battery level: ${battery.level} %.`;
    },
  },
  {
    name: 'charging',
    takes: '<on|off>',
    about: 'connect or disconnect the charger',
    words: [1, 1],
    async run(recorder, [word]) {
      const { battery } = await recorder.post('/faults', { charging: onOrOff(word) });
      return battery.charging ? 'Charging.' : 'Not charging.';
    },
  },
  {
    name: 'fill',
    takes: '<percent>',
    about: 'shrink the storage so that the sessions fill this share of it',
    words: [1, 1],
    async run(recorder, [percent]) {
      const share = number(percent, 'The share') / 100;
      if (!(share > 0 && share <= 1)) throw new UsageFailure('Must be above 0 and at most 100 %.');
      const { used } = (await recorder.status()).storage;
      if (used === 0) throw new CommandFailure('The recorder is empty. Add a session first.');
      const storageBytes = Math.floor(used / share);
      const { storage } = await recorder.post('/faults', { storageBytes });
      return `${storage.used} of ${storage.total} bytes used${storage.isFull ? ', storage full' : ''}.`;
    },
  },
  {
    name: 'join',
    takes: '[<network> <password>]',
    about: "join the recorder's hotspot from this machine",
    words: [0, 2],
    async run(recorder, [network, secret]) {
      const { wifi } = await recorder.status();
      const [ssid, password] = [network ?? wifi.ssid, secret ?? wifi.password];
      await recorder.post('/wifi/join', { ssid, password });
      return `Joined ${ssid}.`;
    },
  },
  {
    name: 'fault',
    takes: '[<name> [<value>] | <json>]',
    about: `inject faults: drop, ${Object.keys(noFaults()).join(', ')}`,
    words: [0, 2],
    async run(recorder, [name, value]) {
      const { faults } = await (name === undefined
        ? recorder.status()
        : recorder.post('/faults', faultsFrom(name, value)));
      return `Faults: ${faultsSet(faults)}`;
    },
  },
];
