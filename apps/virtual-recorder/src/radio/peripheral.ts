/** The recorder's side of the protocol, for one connection. */
import {
  type AnyReport,
  type AnyRequest,
  type CommandName,
  decodeRequest,
  decodeStream,
  encodeRefusal,
  encodeReport,
  encodeResponse,
  FIXED_TOKEN,
  type Frame,
  FrameDecoder,
  MAX_OPERATIONS,
  MAX_SESSION_ITEMS,
  MAX_WIFI_ITEMS,
  PROTOCOL_VERSION,
  type RequestOf,
  type ResponseOf,
  type ResultName,
} from '@linnet/device/codec';
import { CHUNK_SIZE, PACKET_MS, PACKET_SIZE, PROJECT_CODE } from '../device-types.ts';
import type { SessionRecord } from '../flash/flash.ts';
import type { Outcome, Recorder } from '../recorder.ts';
import { attrOf, storageOnWire } from '../wire.ts';
import type { FrameLink } from './radio.ts';
import { SessionStream } from './stream.ts';

/** How far a phone has come. */
type Stage = 'connected' | 'shook_hands' | 'trusted';
type Refusal = Exclude<ResultName, 'ok'>;
type MaybePromise<T> = T | Promise<T>;
type Answers = {
  readonly [N in CommandName]: (
    value: RequestOf<N>,
    sequence: number,
  ) => MaybePromise<Outcome<ResponseOf<N>>>;
};

const done = <T>(value: T): Outcome<T> => ({ ok: true, value });
const refused = (result: Refusal): Outcome<never> => ({ ok: false, result });

export class Peripheral {
  private stage: Stage = 'connected';
  private readonly decoder = new FrameDecoder();
  private stream: SessionStream | undefined;
  private reports = 0;
  private readonly leave: () => void;
  /** Sequence of the request that announced the image that comes. */
  private update: number | undefined;
  private readonly recorder: Recorder;
  private readonly radio: FrameLink;
  private readonly onReport = (report: AnyReport) => this.report(report);
  private readonly onSilent = (medium?: FrameLink['medium']) => {
    if (medium === undefined || medium === this.radio.medium) this.radio.disconnect();
  };
  private readonly onSession = (sessionId: number) => this.sessionChanged(sessionId);

  constructor(recorder: Recorder, radio: FrameLink) {
    this.recorder = recorder;
    this.radio = radio;
    radio.source = () => this.stream?.next();
    radio.onWrite = (bytes) => {
      for (const frame of this.decoder.push(bytes)) this.received(frame);
    };
    recorder.on('report', this.onReport);
    recorder.on('session', this.onSession);
    recorder.on('silent', this.onSilent);
    this.leave = recorder.welcome(this);
  }

  close(): void {
    this.stream = undefined;
    this.recorder.off('report', this.onReport);
    this.recorder.off('session', this.onSession);
    this.recorder.off('silent', this.onSilent);
    this.leave();
    this.radio.close();
  }

  get isMoving(): boolean {
    return this.stream?.isOpen === true;
  }

  private report({ name, value }: AnyReport): void {
    if (this.stage !== 'trusted') return;
    this.reports = (this.reports + 1) & 0xffff;
    this.radio.send(encodeReport(name, value as never, this.reports));
  }

  private sessionChanged(sessionId: number): void {
    if (this.stream?.sessionId === sessionId) this.radio.wake();
  }

  private received(frame: Frame): void {
    if (frame.kind === 'acknowledgement') {
      const part = decodeStream(frame);
      if (part?.name === 'acknowledge' && this.stream?.sequence === frame.sequence) {
        this.stream.acknowledge(part.value.nextChunk);
        this.radio.wake();
      }
      return;
    }
    if (frame.kind === 'data') {
      const part = decodeStream(frame);
      if (part?.name === 'otaData' && this.update === frame.sequence) {
        this.recorder.firmware.receive(part.value.offset, part.value.data);
      }
      return;
    }
    if (frame.kind !== 'request') return;
    if (this.recorder.faults.silence > 0) {
      this.recorder.faults.silence -= 1;
      return;
    }
    const refuse = (result: Refusal) =>
      this.radio.send(encodeRefusal(frame.command, result, frame.sequence));
    const decoded = decodeRequest(frame);
    if (frame.version !== PROTOCOL_VERSION) refuse('version_unsupported');
    else if (!decoded.ok) refuse(decoded.result);
    else {
      this.answer(decoded.request, frame.sequence, refuse).catch((error: unknown) => {
        console.error(`request ${decoded.request.name} failed`, error);
        refuse('hardware_abnormal');
      });
    }
  }

  private isInOrder(name: AnyRequest['name']): boolean {
    if (name === 'handshake') return true;
    return name === 'token' ? this.stage !== 'connected' : this.stage === 'trusted';
  }

  private async answer(
    request: AnyRequest,
    sequence: number,
    refuse: (result: Refusal) => void,
  ): Promise<void> {
    const { name } = request;
    if (!this.isInOrder(name)) return refuse('out_of_order');
    const answer = this.answers[name] as (
      value: unknown,
      sequence: number,
    ) => MaybePromise<Outcome<ResponseOf<typeof name>>>;
    const outcome = await answer(request.value, sequence);
    if (!outcome.ok) return refuse(outcome.result);
    this.radio.send(encodeResponse(name, outcome.value as never, sequence));
  }

  /** What each command does, and what is answered. */
  private readonly answers: Answers = {
    handshake: ({ minVersion, maxVersion }) => {
      if (minVersion > PROTOCOL_VERSION || maxVersion < PROTOCOL_VERSION) {
        return refused('version_unsupported');
      }
      this.stage = 'shook_hands';
      return done(this.introduction());
    },
    token: ({ token }) => {
      if (token !== FIXED_TOKEN) return refused('token_refused');
      this.stage = 'trusted';
      this.recorder.tellFirmware().catch((error: unknown) => {
        console.error('what became of the firmware could not be told', error);
      });
      return done({});
    },
    bind: async () => done({ state: await this.recorder.bind() }),
    unbind: async () => {
      await this.recorder.unbind();
      return done({});
    },
    timeSync: ({ unixTime }) => {
      this.recorder.setTime(unixTime);
      return done({});
    },
    status: () => done(this.status()),
    serial: () => done({ sn: this.recorder.flash.state.sn }),
    recordStart: (request) => this.recorder.start(request, 'phone'),
    recordEnd: () => this.recorder.stop(),
    recordPause: () => this.recorder.pause(),
    recordRestore: () => this.recorder.restore(),
    sessionList: ({ afterSessionId }) => {
      const { faults } = this.recorder;
      if (faults.listBusy > 0) {
        faults.listBusy -= 1;
        return refused('busy');
      }
      return done(this.sessionPage(afterSessionId));
    },
    syncFile: (request, sequence) => {
      const durable = this.recorder.durable(request.sessionId);
      if (!durable) return refused('session_unknown');
      const chunks = Math.ceil(durable.size / CHUNK_SIZE);
      if (request.fromChunk > chunks) return refused('chunk_out_of_range');
      this.stream = new SessionStream(this.recorder, request, sequence, () => this.radio.wake());
      return done({ fileSize: durable.size, stillRecording: durable.sha256 === undefined });
    },
    syncStop: () => {
      this.stream = undefined;
      return done({});
    },
    deleteRecord: async ({ sessionId }) => {
      if (this.stream?.sessionId === sessionId) this.stream = undefined;
      const deleted = await this.recorder.deleteSession(sessionId);
      return deleted.ok ? done({}) : deleted;
    },
    storageVolume: () => done(storageOnWire(this.recorder)),
    generalSetting: async (settings) => {
      await this.recorder.set(settings);
      return done({});
    },
    battery: () => done(this.battery()),
    ledGet: () => done({ recLedStatus: this.recorder.settings.recLedStatus }),
    ledSet: async ({ recLedStatus }) => {
      await this.recorder.set({ ...this.recorder.settings, recLedStatus });
      return done({});
    },
    resetPassword: async () => {
      await this.recorder.flash.saveState({ hotspotPassword: null });
      return done({});
    },
    wifiOpen: ({ sessions }) => this.recorder.openHotspot(sessions),
    wifiClose: async () => {
      await this.recorder.wifi.fall();
      return done({});
    },
    wifiSearch: () => done({ networks: this.networks() }),
    wifiConfigure: (network) => this.recorder.joinNetwork(network),
    otaStart: (announced, sequence) => {
      this.update = sequence;
      return this.recorder.updateFrom(announced);
    },
    otaFinish: async () => done(await this.recorder.finishUpdate()),
    usageStatistics: () => done(this.recorder.usage),
    operationData: ({ afterEntry }) => {
      const later = this.recorder.notesAfter(afterEntry);
      const items = later.slice(0, MAX_OPERATIONS);
      return done({ more: later.length > items.length, items });
    },
  };

  private introduction(): ResponseOf<'handshake'> {
    const { sn, mac, isBind } = this.recorder.flash.state;
    return {
      version: PROTOCOL_VERSION,
      tranVersion: PROTOCOL_VERSION,
      payloadSize: this.radio.payload,
      isBind,
      mac: Uint8Array.from(Buffer.from(mac, 'hex')),
      projectCode: PROJECT_CODE,
      sn,
      firmwareVersion: this.recorder.firmware.version,
    };
  }

  private status(): ResponseOf<'status'> {
    const { recorder } = this;
    const { recording } = recorder;
    const idle = recorder.status === 'idle' && !recorder.faults.unavailable;
    return {
      recording: recording
        ? recording.isPaused
          ? 'paused'
          : 'recording'
        : idle
          ? 'idle'
          : 'unavailable',
      mode: recording?.record.mode ?? 'normal',
      scene: recording?.record.scene ?? 'note',
      sessionId: recording?.record.sessionId ?? 0,
      elapsedMs: Math.floor(recording?.elapsedMs ?? 0),
      isBind: recorder.bindState === 'bound',
      ...this.battery(),
      ...storageOnWire(recorder),
      ...recorder.settings,
      sessionCount: recorder.flash.sessions().length,
    };
  }

  private networks(): ResponseOf<'wifiSearch'>['networks'] {
    return [...this.recorder.faults.networks]
      .sort((a, b) => b.rssi - a.rssi)
      .slice(0, MAX_WIFI_ITEMS)
      .map(({ ssid, rssi, password }) => ({ ssid, rssi, isSecured: password !== null }));
  }

  private battery(): ResponseOf<'battery'> {
    const { faults, batteryLevel } = this.recorder;
    return { charging: faults.charging, level: batteryLevel };
  }

  private sessionPage(afterSessionId: number): ResponseOf<'sessionList'> {
    const later = this.recorder.flash
      .sessions()
      .filter(({ sessionId }) => sessionId > afterSessionId);
    const items = later.slice(0, MAX_SESSION_ITEMS).map((record) => this.sessionItem(record));
    return { more: later.length > items.length, items };
  }

  private sessionItem(record: SessionRecord): ResponseOf<'sessionList'>['items'][number] {
    const { sessionId, startTime } = record;
    const fileSize = this.recorder.toldSize(sessionId);
    return {
      sessionId,
      fileSize,
      attr: attrOf(record),
      startTime,
      durationMs: (fileSize / PACKET_SIZE) * PACKET_MS,
    };
  }
}
