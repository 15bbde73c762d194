/** The recorder's side of the protocol, for one connection. */
import { Mutex } from '@linnet/base';
import {
  answerChannel,
  attestationMessage,
  type Channel,
  deriveBindingKey,
  hashOwnerTag,
  newKeyPair,
} from '@linnet/device/channel';
import { systemClock } from '@linnet/device/clock';
import {
  type AnyReport,
  type AnyRequest,
  COMMANDS,
  type CommandName,
  decodeRequest,
  decodeStream,
  encodeFrame,
  encodeRefusal,
  encodeReport,
  encodeResponse,
  FIXED_TOKEN,
  FLAG_SEALED,
  type Frame,
  FrameDecoder,
  MAX_OPERATIONS,
  RESULTS,
  type RequestOf,
  type ResponseOf,
  VERSION_1,
  VERSION_2,
} from '@linnet/device/codec';
import { BIND_CONFIRM_MS, FRAME_GAP_MS } from '@linnet/device/session';
import { signWith } from '../device-key.ts';
import { CHUNK_SIZE } from '../device-types.ts';
import { done, type Outcome, type Refusal, refused } from '../outcome.ts';
import type { Viewer } from '../ownership.ts';
import type { Recorder } from '../recorder.ts';
import {
  batteryOf,
  introductionOf,
  networksOf,
  sessionPageFor,
  statusFor,
  storageOf,
} from '../wire.ts';
import type { ConnectedPhone, FrameLink } from './radio.ts';
import { SessionStream } from './stream.ts';
import { isInOrder, type NewKey, type Stage } from './trust.ts';

/**
 * Authentication timeout of a link, ms: a token accepted, or the first record of a channel verified
 * (PROTOCOL.md, section 4). Opening a channel takes three requests, 300 ms apart.
 */
const PROOF_MS = 10_000;

type MaybePromise<T> = T | Promise<T>;
type Answers = {
  readonly [N in CommandName]: (
    value: RequestOf<N>,
    sequence: number,
  ) => MaybePromise<Outcome<ResponseOf<N>>>;
};

export class Peripheral implements ConnectedPhone {
  private stage: Stage = { at: 'connected' };
  private newKey: NewKey | undefined;
  /** Cancels the version 1 bind requested on this link. */
  private takeBackBind: (() => void) | undefined;
  private isOver = false;
  private readonly decoder = new FrameDecoder();
  /** Serializes request handling. */
  private readonly requests = new Mutex();
  /** Cancels the authentication timeout. */
  private cancelDeadline: () => void = () => undefined;
  /** Whether this link has requested a bind; further requests do not extend the timeout. */
  private hasAsked = false;
  /** Cancels the incomplete-frame timeout. */
  private cancelGap: (() => void) | undefined;
  private stream: SessionStream | undefined;
  private reports = 0;
  private readonly leave: () => void;
  /** Sequence of the request that announced the incoming image. */
  private update: number | undefined;
  private readonly recorder: Recorder;
  private readonly radio: FrameLink;
  private readonly onReport = (report: AnyReport) => {
    if (this.stage.at === 'trusted') this.report(report);
  };
  private readonly onSilent = (medium?: FrameLink['medium']) => {
    if (medium === undefined || medium === this.medium) this.hangUp();
  };
  private readonly onRebound = (by: ConnectedPhone | null) => {
    if (by !== this) this.hangUp();
  };
  private readonly onSession = (sessionId: number) => this.sessionChanged(sessionId);

  constructor(recorder: Recorder, radio: FrameLink) {
    this.recorder = recorder;
    this.radio = radio;
    radio.source = () => {
      const frame = this.stage.at === 'trusted' ? this.stream?.next() : undefined;
      return frame && this.sealed(frame);
    };
    radio.onWrite = (bytes) => this.written(bytes);
    recorder.on('report', this.onReport);
    recorder.on('session', this.onSession);
    recorder.on('silent', this.onSilent);
    recorder.on('rebound', this.onRebound);
    this.leave = recorder.welcome(this);
    this.expectProof(PROOF_MS);
  }

  close(): void {
    this.isOver = true;
    this.cancelGap?.();
    this.cancelDeadline();
    this.stream = undefined;
    this.forgetQuestion();
    this.recorder.off('report', this.onReport);
    this.recorder.off('session', this.onSession);
    this.recorder.off('silent', this.onSilent);
    this.recorder.off('rebound', this.onRebound);
    this.leave();
    this.radio.close();
  }

  get medium(): FrameLink['medium'] {
    return this.radio.medium;
  }

  get isMoving(): boolean {
    return this.stream?.isOpen === true;
  }

  /** Starts the authentication timeout. @param ms milliseconds, phone time */
  private expectProof(ms: number): void {
    this.cancelDeadline();
    this.cancelDeadline = this.recorder.phoneTime.after(ms, () => {
      if (this.stage.at !== 'trusted' && this.stage.at !== 'claiming') this.hangUp();
    });
  }

  private hangUp(): void {
    this.isOver = true;
    this.radio.disconnect();
  }

  private get viewer(): Viewer {
    return this.stage.at === 'trusted' ? this.stage.viewer : null;
  }

  /** Channel that seals outgoing frames. Until it is proved, responses are sent in clear. */
  private get channel(): Channel | null {
    if (this.stage.at === 'claiming') return this.stage.channel;
    return this.stage.at === 'trusted' ? (this.stage.sealed?.channel ?? null) : null;
  }

  /** Must be called in sending order. @returns undefined if the channel is exhausted and the link was closed */
  private sealed(frame: Uint8Array): Uint8Array | undefined {
    const { channel } = this;
    if (!channel?.isExhausted) return channel?.seal(frame) ?? frame;
    this.hangUp();
    return undefined;
  }

  private send(frame: Uint8Array): void {
    const sealed = this.sealed(frame);
    if (sealed) this.radio.send(sealed);
  }

  private report({ name, value }: AnyReport): void {
    this.reports = (this.reports + 1) & 0xffff;
    this.send(encodeReport(name, value as never, this.reports));
  }

  private sessionChanged(sessionId: number): void {
    if (this.stream?.sessionId === sessionId) this.radio.wake();
  }

  private written(bytes: Uint8Array): void {
    this.cancelGap?.();
    this.cancelGap = undefined;
    for (const frame of this.decoder.push(bytes)) this.received(frame);
    if (this.decoder.pending === 0 || this.isOver) return;
    // Phones run in real time regardless of the recorder's clock speed.
    this.cancelGap = systemClock.after(FRAME_GAP_MS, () => {
      for (const frame of this.decoder.abandon()) this.received(frame);
    });
  }

  private received(frame: Frame): void {
    if (this.isOver) return;
    const isSealed = frame.version === VERSION_2 && frame.flags === FLAG_SEALED;
    const channel = this.stage.at === 'proving' && isSealed ? this.stage.channel : this.channel;
    if (!channel) {
      this.take(frame);
      return;
    }
    const opened = channel.open(frame);
    if (!opened) {
      this.hangUp();
      return;
    }
    if (this.stage.at === 'proving') this.proved(this.stage);
    this.take(opened);
  }

  /** The phone has proved possession of the key. */
  private proved({ channel, key, isNew }: Extract<Stage, { at: 'proving' }>): void {
    if (isNew) {
      this.stage = { at: 'claiming', channel, key };
      return;
    }
    this.stage = { at: 'trusted', sealed: { channel, key }, viewer: this.recorder.ownership.owner };
    this.tellFirmware();
  }

  private take(frame: Frame): void {
    // Whatever is not asked belongs to what a phone that is trusted has asked for.
    if (frame.kind !== 'request' && this.stage.at !== 'trusted') return;
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
    const { faults } = this.recorder;
    if (faults.silentTo && COMMANDS[faults.silentTo].number === frame.command) return;
    if (faults.silence > 0) {
      faults.silence -= 1;
      return;
    }
    const refuse = (result: Refusal) =>
      this.send(encodeRefusal(frame.command, result, frame.sequence));
    const decoded = decodeRequest(frame);
    if (frame.version !== VERSION_1) refuse('version_unsupported');
    else if (!decoded.ok) refuse(decoded.result);
    else {
      const { request } = decoded;
      this.requests
        .run(() => this.answer(request, frame.sequence, refuse))
        .catch((error: unknown) => {
          console.error(`request ${request.name} failed`, error);
          refuse('hardware_abnormal');
        });
    }
  }

  private async answer(
    request: AnyRequest,
    sequence: number,
    refuse: (result: Refusal) => void,
  ): Promise<void> {
    const { name } = request;
    // The link closed while the request was queued.
    if (this.isOver) return;
    if (!isInOrder(this.stage, name)) return refuse('out_of_order');
    const answer = this.answers[name] as (
      value: unknown,
      sequence: number,
    ) => MaybePromise<Outcome<ResponseOf<typeof name>>>;
    const outcome = await answer(request.value, sequence);
    if (!outcome.ok) return refuse(outcome.result);
    if (name === 'sessionList' && this.recorder.faults.listMalformed) {
      // Announces three items and sends none.
      const payload = Uint8Array.of(RESULTS.ok, 0, 3);
      const command = COMMANDS.sessionList.number;
      const head = { version: VERSION_1, flags: 0, kind: 'response' } as const;
      return this.send(encodeFrame({ ...head, command, sequence, payload }));
    }
    this.send(encodeResponse(name, outcome.value as never, sequence));
  }

  /** Command handlers. */
  private readonly answers: Answers = {
    handshake: ({ minVersion, maxVersion }) => {
      const { protocol, ownership, flash } = this.recorder;
      const version = Math.min(maxVersion, protocol);
      const lowest = ownership.key ? VERSION_2 : VERSION_1;
      if (version < Math.max(minVersion, lowest)) return refused('version_unsupported');
      this.forgetQuestion();
      this.stream = undefined;
      this.update = undefined;
      // A new handshake on a trusted link requires new proof.
      if (this.stage.at === 'trusted') this.expectProof(PROOF_MS);
      const agreed = { minVersion, maxVersion, version, sn: flash.state.sn };
      this.stage = { at: 'agreed', agreed };
      return done(introductionOf(this.recorder, version, this.radio.payload));
    },
    token: ({ token }) => {
      if (token !== FIXED_TOKEN) return refused('token_refused');
      this.stage = { at: 'trusted', sealed: null, viewer: null };
      this.tellFirmware();
      return done({});
    },
    bind: () => {
      const { state, takeBack } = this.recorder.binding.bind();
      if (takeBack) this.takeBackBind = takeBack;
      return done({ state });
    },
    unbind: async () => {
      await this.recorder.binding.unbind(this);
      return done({});
    },
    agreeKey: ({ publicKey }) => this.agreeKey(publicKey),
    openChannel: ({ publicKey }) => this.openChannel(publicKey),
    claim: ({ ownerTag }) => this.claim(ownerTag),
    attest: ({ ownerTag, challenge }) => this.attest(ownerTag, challenge),
    timeSync: ({ unixTime }) => {
      this.recorder.setTime(unixTime);
      return done({});
    },
    status: () => done(statusFor(this.viewer, this.recorder)),
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
      return done(sessionPageFor(this.viewer, this.recorder.sessions, afterSessionId));
    },
    syncFile: (request, sequence) => {
      const durable = this.recorder.sessions.durable(request.sessionId);
      if (!durable || !this.shows(request.sessionId)) return refused('session_unknown');
      const { refuseSession } = this.recorder.faults;
      if (refuseSession?.sessionId === request.sessionId) return refused(refuseSession.result);
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
      if (!this.shows(sessionId)) return refused('session_unknown');
      if (this.stream?.sessionId === sessionId) this.stream = undefined;
      const deleted = await this.recorder.sessions.delete(sessionId);
      return deleted.ok ? done({}) : deleted;
    },
    storageVolume: () => done(storageOf(this.recorder.sessions)),
    generalSetting: async (settings) => {
      await this.recorder.set(settings);
      return done({});
    },
    battery: () => done(batteryOf(this.recorder)),
    ledGet: () => done({ recLedStatus: this.recorder.settings.recLedStatus }),
    ledSet: async ({ recLedStatus }) => {
      await this.recorder.set({ ...this.recorder.settings, recLedStatus });
      return done({});
    },
    resetPassword: async () => {
      await this.recorder.flash.saveState({ hotspotPassword: null });
      return done({});
    },
    wifiOpen: ({ sessions }) => this.recorder.wifi.open(sessions, this.viewer),
    wifiClose: async () => {
      await this.recorder.wifi.fall();
      return done({});
    },
    wifiSearch: () => done({ networks: networksOf(this.recorder) }),
    wifiConfigure: (network) => this.recorder.wifi.configure(network, this.viewer),
    otaStart: (announced, sequence) => {
      this.update = sequence;
      return this.recorder.update.announce(announced);
    },
    otaFinish: () => this.recorder.update.finish(),
    usageStatistics: () => done(this.recorder.usage),
    operationData: ({ afterEntry }) => {
      const later = this.recorder.notesAfter(afterEntry);
      const items = later.slice(0, MAX_OPERATIONS);
      return done({ more: later.length > items.length, items });
    },
  };

  /** Requests confirmation of a bind from the owner. */
  private agreeKey(peerKey: Uint8Array): Outcome<ResponseOf<'agreeKey'>> {
    const { recorder } = this;
    // One radio at a time: a bind would take the network from under its own feet.
    if (this.medium === 'wifi') return refused('wifi_mode');
    const keyPair = newKeyPair();
    const key = deriveBindingKey({ role: 'recorder', keyPair, peerKey }, recorder.flash.state.sn);
    if (!key) return refused('request_malformed');
    this.forgetQuestion();
    // A channel that was opened before goes with its key, whatever is answered now.
    if (this.stage.at === 'proving') this.stage = { at: 'agreed', agreed: this.stage.agreed };
    const asked = recorder.binding.askToBind((isConfirmed) => {
      this.expectProof(PROOF_MS);
      if (isConfirmed) this.newKey = { key, isConfirmed, forget: () => undefined };
      else this.newKey = undefined;
      this.report({ name: 'bindChanged', value: { isBind: isConfirmed } });
    });
    if (!asked.ok) return asked;
    // The owner has a minute; then, or with the answer, the link's own time goes on.
    if (!this.hasAsked) this.expectProof(BIND_CONFIRM_MS + PROOF_MS);
    this.hasAsked = true;
    this.newKey = { key, isConfirmed: false, forget: asked.value };
    return done({ publicKey: keyPair.publicKey });
  }

  private openChannel(peerKey: Uint8Array): Outcome<ResponseOf<'openChannel'>> {
    const { stage, newKey } = this;
    if (stage.at !== 'agreed' && stage.at !== 'proving') return refused('out_of_order');
    if (newKey && !newKey.isConfirmed) return refused('waiting_for_bind');
    const key = newKey?.key ?? this.recorder.ownership.key;
    if (!key) return refused('binding_unknown');
    const keyPair = newKeyPair();
    const answered = answerChannel({ keyPair, peerKey }, key, stage.agreed);
    if (!answered) return refused('request_malformed');
    const { channel, proof } = answered;
    const isNew = newKey !== undefined;
    this.stage = { at: 'proving', agreed: stage.agreed, channel, key, isNew };
    return done({ publicKey: keyPair.publicKey, proof });
  }

  private async claim(ownerTag: Uint8Array): Promise<Outcome<ResponseOf<'claim'>>> {
    const { stage, recorder } = this;
    if (stage.at === 'trusted') {
      // A second time, or from another phone of the owner's. A key that was cleared wants a new bind.
      const isTheirs = stage.sealed && recorder.ownership.has(stage.sealed.key, ownerTag);
      return isTheirs ? done({}) : refused('out_of_order');
    }
    if (stage.at !== 'claiming') return refused('out_of_order');
    const { channel, key } = stage;
    const claimed = await recorder.binding.claim(key, ownerTag, this);
    if (!claimed.ok) return claimed;
    this.newKey = undefined;
    this.stage = { at: 'trusted', sealed: { channel, key }, viewer: recorder.ownership.owner };
    recorder.binding.tell();
    this.tellFirmware();
    return done({});
  }

  /** Signs an attestation for the account that is claiming, or has claimed, the recorder. */
  private attest(ownerTag: Uint8Array, challenge: Uint8Array): Outcome<ResponseOf<'attest'>> {
    const { stage, recorder } = this;
    const mayBe =
      stage.at === 'claiming' ||
      (stage.at === 'trusted' &&
        stage.sealed &&
        recorder.ownership.has(stage.sealed.key, ownerTag));
    if (!mayBe) return refused('out_of_order');
    const { sn, deviceKey } = recorder.flash.state;
    const message = attestationMessage(sn, hashOwnerTag(ownerTag), challenge);
    return done({ signature: signWith(deviceKey, message) });
  }

  /** Cancels the bind requested on this link and discards its key. */
  private forgetQuestion(): void {
    this.newKey?.forget();
    this.newKey = undefined;
    this.takeBackBind?.();
    this.takeBackBind = undefined;
  }

  private tellFirmware(): void {
    this.recorder.update.tell().catch((error: unknown) => {
      console.error('what became of the firmware could not be told', error);
    });
  }

  private shows(sessionId: number): boolean {
    return this.recorder.sessions.shows(sessionId, this.viewer);
  }
}
