/** Control API for operating the recorder by hand or from tests and scripts. */
import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { SAMPLE_RATE } from '@linnet/audio/format';
import { toMono } from '@linnet/audio/resample';
import { parseWave } from '@linnet/audio/wave';
import { BUTTONS, RESTART_MS } from '../buttons.ts';
import { devicePublicKey } from '../device-key.ts';
import { PACKET_MS, PACKET_SIZE, PROJECT_CODE } from '../device-types.ts';
import { setFaults } from '../faults.ts';
import type { SessionRecord } from '../flash/flash.ts';
import type { WebSocketRadio } from '../radio/web-socket.ts';
import type { Recorder } from '../recorder.ts';
import { recorderPackets, type Scene } from '../sound/scenes.ts';
import { isLocal, localOrigin } from './origin.ts';

/** Maximum size of a request body. Enough for a 90-minute WAV file at 48 kHz stereo. */
const MAX_BODY_BYTES = 2 ** 30;
const MAX_SPEED = 1000;
const SIGNAL_DBM = -48;

type Reply =
  | { readonly status: number; readonly json: unknown }
  | { readonly status: 200; readonly bytes: Uint8Array; readonly type: string };

/** Thrown if a request is invalid. The message gives the reason. */
class BadRequest extends Error {
  override readonly name = 'BadRequest';
}

/** The Ogg capture pattern (RFC 3533, section 6). */
const OGG_MAGIC = 'OggS';

/** Decodes a WAV file to samples, or extracts the packets of an Ogg file in the recorder's format. */
function readAudio(file: Buffer): Int16Array | readonly Uint8Array[] {
  try {
    if (file.toString('latin1', 0, OGG_MAGIC.length) !== OGG_MAGIC) {
      return toMono(parseWave(file), SAMPLE_RATE);
    }
    const packets = recorderPackets(file);
    if (packets) return packets;
  } catch (error) {
    throw new BadRequest('body is neither a 16-bit WAV file nor an Ogg file', { cause: error });
  }
  throw new BadRequest("the Ogg file is not in the recorder's format");
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    size += part.length;
    if (size > MAX_BODY_BYTES) throw new BadRequest('body too large');
    parts.push(part);
  }
  return Buffer.concat(parts);
}

async function readJson(request: IncomingMessage): Promise<Record<string, unknown>> {
  const text = (await readBody(request)).toString('utf8') || '{}';
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new BadRequest('body is not JSON', { cause: error });
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new BadRequest('body is not a JSON object');
  }
  return value as Record<string, unknown>;
}

/** Serves a file of the control page. */
async function readPage(name: string, type: string): Promise<Reply> {
  const bytes = await readFile(join(import.meta.dirname, name));
  return { status: 200, bytes, type: `${type}; charset=utf-8` };
}

function parseChoice<T extends string>(value: string, allowed: readonly T[], name: string): T {
  const match = allowed.find((each) => each === value);
  if (!match) throw new BadRequest(`${name} must be one of ${allowed.join(', ')}`);
  return match;
}

export type ControlStatus = ReturnType<ControlApi['status']>;

export class ControlApi {
  private readonly recorder: Recorder;
  private readonly radio: WebSocketRadio;
  private readonly scenes: readonly Scene[];

  constructor(recorder: Recorder, radio: WebSocketRadio, scenes: readonly Scene[]) {
    this.recorder = recorder;
    this.radio = radio;
    this.scenes = scenes;
  }

  handle(request: IncomingMessage, response: ServerResponse): void {
    this.reply(request).then(
      (reply) => this.send(request, response, reply),
      (error: unknown) => {
        const isInvalid = error instanceof BadRequest;
        if (!isInvalid) console.error(`${request.method} ${request.url}`, error);
        const message = isInvalid ? error.message : 'internal error; see the log';
        this.send(request, response, { status: isInvalid ? 400 : 500, json: { error: message } });
      },
    );
  }

  private send(request: IncomingMessage, response: ServerResponse, reply: Reply): void {
    const origin = localOrigin(request);
    if (origin) {
      response.setHeader('Access-Control-Allow-Origin', origin);
      response.setHeader('Access-Control-Allow-Methods', 'GET, POST');
      response.setHeader('Access-Control-Allow-Headers', 'Content-Type');
    }
    response.setHeader('Vary', 'Origin');
    response.setHeader('Cache-Control', 'no-store');
    response.statusCode = reply.status;
    const [type, body] =
      'json' in reply
        ? ['application/json', JSON.stringify(reply.json)]
        : [reply.type, Buffer.from(reply.bytes)];
    response.setHeader('Content-Type', type);
    response.end(reply.status === 204 ? undefined : body);
  }

  private async reply(request: IncomingMessage): Promise<Reply> {
    if (!isLocal(request)) return { status: 403, json: { error: 'local requests only' } };
    if (request.method === 'OPTIONS') return { status: 204, json: null };
    const url = new URL(request.url ?? '/', 'http://localhost');
    const session = /^\/sessions\/(\d+)\/packets$/.exec(url.pathname);
    switch (`${request.method} ${session ? '/sessions/:id/packets' : url.pathname}`) {
      case 'GET /':
        return readPage('page.html', 'text/html');
      case 'GET /page.css':
        return readPage('page.css', 'text/css');
      case 'GET /page.js':
        return readPage('page.js', 'text/javascript');
      case 'GET /microphone-worklet.js':
        return readPage('microphone-worklet.js', 'text/javascript');
      case 'GET /status':
        return { status: 200, json: this.status() };
      case 'GET /advertisement':
        return { status: 200, json: this.advertisement() };
      case 'GET /sessions':
        return { status: 200, json: this.recorder.flash.sessions().map(this.describeSession) };
      case 'GET /sessions/:id/packets':
        return this.packets(Number(session?.[1]));
      case 'POST /sessions':
        return this.addSession(url, await readBody(request));
      case 'POST /press':
        return this.press(await readJson(request));
      case 'POST /wifi/join':
        return this.joinHotspot(await readJson(request));
      case 'POST /faults':
        return this.setFaults(await readJson(request));
      case 'POST /clock':
        return this.setClock(await readJson(request));
      case 'POST /battery':
        return this.setBattery(await readJson(request));
      case 'POST /scene':
        return this.setScene(await readJson(request));
      default:
        return { status: 404, json: { error: 'not found' } };
    }
  }

  private readonly describeSession = (record: SessionRecord) => {
    const fileSize = this.recorder.sessions.durablePart(record.sessionId)?.size ?? 0;
    return {
      sessionId: record.sessionId,
      startTime: record.startTime,
      mode: record.mode,
      scene: record.scene,
      stillRecording: !record.closed,
      fileSize,
      durationMs: (fileSize / PACKET_SIZE) * PACKET_MS,
      sha256: record.closed?.sha256 ?? null,
    };
  };

  /** The response of `GET /status`. */
  status() {
    const { recorder } = this;
    const { recording, flash } = recorder;
    return {
      sn: flash.state.sn,
      name: this.advertisement().name,
      projectCode: PROJECT_CODE,
      publicKey: devicePublicKey(flash.state.deviceKey),
      firmwareVersion: recorder.firmware.version,
      recording: recorder.status,
      session: recording
        ? {
            sessionId: recording.record.sessionId,
            mode: recording.record.mode,
            scene: recording.record.scene,
            elapsedMs: Math.floor(recording.elapsedMs),
            isPaused: recording.isPaused,
            levels: recording.levels,
            fileSize: recording.writer.durableSize,
          }
        : null,
      settings: recorder.settings,
      bind: recorder.isBindPending ? 'waiting' : recorder.isBound ? 'bound' : 'unbound',
      confirmMs: recorder.confirmMs,
      isSealed: recorder.ownership.key !== null,
      power: { state: recorder.power.state, isLit: recorder.power.isLit },
      wifi: { status: recorder.wifi.status, ...recorder.wifi.credentials },
      connected: this.radio.connected,
      battery: { level: recorder.battery.level, charging: recorder.faults.charging },
      storage: recorder.sessions.storage,
      speed: recorder.clock.speed,
      scenes: this.scenes.map(({ name, title }) => ({ name, title })),
      scene: recorder.scene ?? null,
      faults: recorder.faults,
      sessions: flash.sessions().map(this.describeSession),
    };
  }

  private advertisement() {
    const { sn, mac, isBind } = this.recorder.flash.state;
    return {
      name: `Linnet ${sn.slice(-4)}`,
      rssi: SIGNAL_DBM,
      mac: (mac.toUpperCase().match(/../g) ?? []).join(':'),
      sn,
      extendInfo: {
        projectCode: PROJECT_CODE,
        version: this.recorder.firmware.version,
        sn,
        isBind,
        tranVersion: this.recorder.protocol,
      },
    };
  }

  private async packets(sessionId: number): Promise<Reply> {
    const durable = this.recorder.sessions.durablePart(sessionId);
    if (!durable) return { status: 404, json: { error: 'session not found' } };
    const bytes = await this.recorder.flash.read(sessionId, 0, durable.size);
    return { status: 200, bytes, type: 'application/octet-stream' };
  }

  private async addSession(url: URL, body: Buffer): Promise<Reply> {
    const { searchParams } = url;
    const mode = parseChoice(searchParams.get('mode') ?? 'normal', ['normal', 'call'], 'mode');
    const scene = parseChoice(
      searchParams.get('scene') ?? 'note',
      ['call', 'meeting', 'note'],
      'scene',
    );
    const startTime = Number(searchParams.get('startTime') ?? this.recorder.unixTime());
    if (!Number.isInteger(startTime) || startTime < 0 || startTime > 0xffffffff) {
      throw new BadRequest('startTime must be unix seconds');
    }
    const audio = readAudio(body);
    if (audio.length === 0) throw new BadRequest('the file contains no audio');
    const record = await this.recorder.addSession(audio, { startTime, mode, scene });
    return { status: 201, json: this.describeSession(record) };
  }

  private async press(body: Record<string, unknown>): Promise<Reply> {
    const ms = Number(body.ms ?? 0);
    const button = parseChoice(String(body.button), BUTTONS, 'button');
    if (!(ms >= 0)) throw new BadRequest('ms must be a number of milliseconds');
    const pressed = await this.recorder.press(button, ms);
    if (!pressed.ok) return { status: 409, json: { error: pressed.result } };
    return { status: 200, json: this.status() };
  }

  /** Joins the hotspot, as a user does in a phone's Wi-Fi settings. */
  private joinHotspot({ ssid, password }: Record<string, unknown>): Reply {
    const joined = this.recorder.wifi.join(String(ssid), String(password));
    if (!joined) return { status: 403, json: { error: 'unknown network or wrong password' } };
    return { status: 200, json: this.status() };
  }

  private async setFaults(body: Record<string, unknown>): Promise<Reply> {
    const { drop, reboot, ...change } = body;
    const invalid = setFaults(this.recorder.faults, change);
    if (invalid) throw new BadRequest(`unknown fault or invalid value: ${invalid}`);
    if (drop === true) this.radio.drop();
    if (reboot === true) await this.recorder.press('corner', RESTART_MS);
    return { status: 200, json: this.status() };
  }

  private setClock(body: Record<string, unknown>): Reply {
    const speed = body.speed;
    if (typeof speed !== 'number' || !(speed > 0 && speed <= MAX_SPEED)) {
      throw new BadRequest(`speed must be a number above 0, at most ${MAX_SPEED}`);
    }
    this.recorder.clock.speed = speed;
    return { status: 200, json: this.status() };
  }

  private setBattery({ level }: Record<string, unknown>): Reply {
    if (typeof level !== 'number' || !(level >= 0 && level <= 100)) {
      throw new BadRequest('level must be a number from 0 to 100');
    }
    this.recorder.battery.set(level);
    return { status: 200, json: this.status() };
  }

  private setScene(body: Record<string, unknown>): Reply {
    const { name } = body;
    if (name !== null && !this.scenes.some((scene) => scene.name === name)) {
      throw new BadRequest('name must be the name of a scene, or null');
    }
    this.recorder.scene = name === null ? undefined : String(name);
    return { status: 200, json: this.status() };
  }
}
