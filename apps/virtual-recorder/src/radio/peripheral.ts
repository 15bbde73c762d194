/** The recorder's side of the protocol, for one connection. */
import {
  type AnyReport,
  type AnyRequest,
  decodeRequest,
  decodeStream,
  encodeRefusal,
  encodeReport,
  encodeResponse,
  FIXED_TOKEN,
  type Frame,
  FrameDecoder,
  MAX_SESSION_ITEMS,
  PROTOCOL_VERSION,
  type ResponseOf,
  type ResultName,
} from '@linnet/device/codec';
import { CHUNK_SIZE, PACKET_MS, PACKET_SIZE } from '../device-types.ts';
import { PROJECT_CODE, type SessionRecord } from '../flash/flash.ts';
import type { Recorder } from '../recorder.ts';
import type { Radio } from './radio.ts';
import { SessionStream } from './stream.ts';

export const FIRMWARE_VERSION = '1.0.0';

/** How far a phone has come. */
type Stage = 'connected' | 'shook_hands' | 'trusted';
type Refusal = Exclude<ResultName, 'ok'>;

export class Peripheral {
  private stage: Stage = 'connected';
  private readonly decoder = new FrameDecoder();
  private stream: SessionStream | undefined;
  private reports = 0;
  private readonly recorder: Recorder;
  private readonly radio: Radio;
  private readonly onReport = (report: AnyReport) => this.report(report);
  private readonly onSession = (sessionId: number) => this.sessionChanged(sessionId);

  constructor(recorder: Recorder, radio: Radio) {
    this.recorder = recorder;
    this.radio = radio;
    radio.source = () => this.stream?.next();
    radio.onWrite = (bytes) => {
      for (const frame of this.decoder.push(bytes)) this.received(frame);
    };
    recorder.on('report', this.onReport);
    recorder.on('session', this.onSession);
  }

  close(): void {
    this.stream = undefined;
    this.recorder.off('report', this.onReport);
    this.recorder.off('session', this.onSession);
    this.radio.close();
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
    const { recorder, radio } = this;
    if (!this.isInOrder(request.name)) return refuse('out_of_order');
    switch (request.name) {
      case 'handshake': {
        const { minVersion, maxVersion } = request.value;
        if (minVersion > PROTOCOL_VERSION || maxVersion < PROTOCOL_VERSION) {
          return refuse('version_unsupported');
        }
        this.stage = 'shook_hands';
        return radio.send(encodeResponse('handshake', this.introduction(), sequence));
      }
      case 'token':
        if (request.value.token !== FIXED_TOKEN) return refuse('token_refused');
        this.stage = 'trusted';
        return radio.send(encodeResponse('token', {}, sequence));
      case 'bind':
        return radio.send(encodeResponse('bind', { state: await recorder.bind() }, sequence));
      case 'unbind':
        await recorder.unbind();
        return radio.send(encodeResponse('unbind', {}, sequence));
      case 'timeSync':
        recorder.setTime(request.value.unixTime);
        return radio.send(encodeResponse('timeSync', {}, sequence));
      case 'status':
        return radio.send(encodeResponse('status', this.status(), sequence));
      case 'recordStart': {
        const started = await recorder.start(request.value, 'phone');
        if (!started.ok) return refuse(started.result);
        return radio.send(encodeResponse('recordStart', started.value, sequence));
      }
      case 'recordEnd': {
        const ended = await recorder.stop();
        if (!ended.ok) return refuse(ended.result);
        return radio.send(encodeResponse('recordEnd', ended.value, sequence));
      }
      case 'sessionList': {
        if (recorder.faults.listBusy > 0) {
          recorder.faults.listBusy -= 1;
          return refuse('busy');
        }
        const page = this.sessionPage(request.value.afterSessionId);
        return radio.send(encodeResponse('sessionList', page, sequence));
      }
      case 'syncFile': {
        const durable = recorder.durable(request.value.sessionId);
        if (!durable) return refuse('session_unknown');
        const chunks = Math.ceil(durable.size / CHUNK_SIZE);
        if (request.value.fromChunk > chunks) return refuse('chunk_out_of_range');
        const response = {
          fileSize: durable.size,
          stillRecording: durable.sha256 === undefined,
        };
        radio.send(encodeResponse('syncFile', response, sequence));
        this.stream = new SessionStream(recorder, request.value, sequence, () => this.radio.wake());
        return;
      }
      case 'syncStop':
        this.stream = undefined;
        return radio.send(encodeResponse('syncStop', {}, sequence));
      case 'deleteRecord': {
        const { sessionId } = request.value;
        if (this.stream?.sessionId === sessionId) this.stream = undefined;
        const deleted = await recorder.deleteSession(sessionId);
        if (!deleted.ok) return refuse(deleted.result);
        return radio.send(encodeResponse('deleteRecord', {}, sequence));
      }
    }
  }

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
      firmwareVersion: FIRMWARE_VERSION,
    };
  }

  private status(): ResponseOf<'status'> {
    const { recorder } = this;
    const { recording, storage } = recorder;
    const idle = recorder.status === 'idle' && !recorder.faults.unavailable;
    return {
      recording: recording ? 'recording' : idle ? 'idle' : 'unavailable',
      mode: recording?.record.mode ?? 'normal',
      scene: recording?.record.scene ?? 'note',
      sessionId: recording?.record.sessionId ?? 0,
      elapsedMs: Math.floor(recording?.elapsedMs ?? 0),
      isBind: recorder.bindState === 'bound',
      charging: recorder.faults.charging,
      level: recorder.batteryLevel,
      totalSpace: Math.floor(storage.total / 1024),
      free: Math.floor(storage.free / 1024),
      useRate: Math.min(100, Math.ceil((100 * storage.used) / Math.max(1, storage.total))),
      isFull: storage.isFull,
      recLedStatus: true,
      recScene: 'note',
      recMode: 'normal',
      dmicMode: 0,
      sessionCount: recorder.flash.sessions().length,
    };
  }

  private sessionPage(afterSessionId: number): ResponseOf<'sessionList'> {
    const later = this.recorder.flash
      .sessions()
      .filter(({ sessionId }) => sessionId > afterSessionId);
    const items = later.slice(0, MAX_SESSION_ITEMS).map((record) => this.sessionItem(record));
    return { more: later.length > items.length, items };
  }

  private sessionItem(record: SessionRecord): ResponseOf<'sessionList'>['items'][number] {
    const { sessionId, mode, scene, hasMarkers, startTime, closed } = record;
    const fileSize = this.recorder.durable(sessionId)?.size ?? 0;
    return {
      sessionId,
      fileSize,
      attr: { mode, scene, hasMarkers, stillRecording: !closed },
      startTime,
      durationMs: (fileSize / PACKET_SIZE) * PACKET_MS,
    };
  }
}
