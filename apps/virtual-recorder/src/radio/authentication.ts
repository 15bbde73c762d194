/** Authentication of one link: version, token or sealed (encrypted) channel, bind and claim. */
import {
  attestationMessage,
  type Channel,
  deriveBindingKey,
  generateKeyPair,
  hashOwnerTag,
  openRecorderChannel,
} from '@linnet/device/channel';
import {
  type AnyReport,
  type CommandName,
  FIXED_TOKEN,
  FLAG_SEALED,
  type Frame,
  type RequestOf,
  type ResponseOf,
  VERSION_1,
  VERSION_2,
} from '@linnet/device/codec';
import { BIND_CONFIRM_MS } from '@linnet/device/session';
import { signWithDeviceKey } from '../device-key.ts';
import { type Outcome, refused, succeeded } from '../outcome.ts';
import type { Viewer } from '../ownership.ts';
import type { Recorder } from '../recorder.ts';
import { isAllowed, type PendingKey, type Stage } from './authentication-stage.ts';
import type { ConnectedPhone } from './radio.ts';

/**
 * Authentication timeout, in milliseconds: a token must be accepted or a channel's first record verified within this
 * time (PROTOCOL.md, section 4). Opening a channel takes three requests, 300 ms apart.
 */
const AUTHENTICATION_MS = 10_000;

/** The link being authenticated. */
export interface AuthenticatedLink extends ConnectedPhone {
  disconnect(): void;
  sendReport(report: AnyReport): void;
}

export class Authentication {
  private stage: Stage = { status: 'connected' };
  private pendingKey: PendingKey | undefined;
  /** Cancels the version 1 bind requested on this link. */
  private cancelBind: (() => void) | undefined;
  private cancelTimeout: () => void = () => undefined;
  /** Whether this link has requested a bind. Further requests do not extend the timeout. */
  private hasRequestedBind = false;
  private readonly recorder: Recorder;
  private readonly link: AuthenticatedLink;

  constructor(recorder: Recorder, link: AuthenticatedLink) {
    this.recorder = recorder;
    this.link = link;
    this.startTimeout(AUTHENTICATION_MS);
  }

  close(): void {
    this.cancelTimeout();
    this.cancelPendingBind();
  }

  get isTrusted(): boolean {
    return this.stage.status === 'trusted';
  }

  get viewer(): Viewer {
    return this.stage.status === 'trusted' ? this.stage.viewer : null;
  }

  allows(name: CommandName): boolean {
    return isAllowed(this.stage, name);
  }

  /**
   * Seals an outgoing frame. Must be called in sending order.
   * @returns null if the channel is exhausted
   */
  seal(frame: Uint8Array): Uint8Array | null {
    const { channel } = this;
    if (channel?.isExhausted) return null;
    return channel?.seal(frame) ?? frame;
  }

  /**
   * Opens an incoming frame.
   * @returns null for an invalid record
   */
  open(frame: Frame): Frame | null {
    const isSealed = frame.version === VERSION_2 && frame.flags === FLAG_SEALED;
    const { stage } = this;
    const channel = stage.status === 'proving' && isSealed ? stage.channel : this.channel;
    if (!channel) return frame;
    const opened = channel.open(frame);
    if (opened && stage.status === 'proving') this.acceptProof(stage);
    return opened;
  }

  /** Selects the protocol version. A new handshake on a trusted link requires new authentication. */
  handshake({ minVersion, maxVersion }: RequestOf<'handshake'>): Outcome<number> {
    const { protocol, ownership, flash } = this.recorder;
    const version = Math.min(maxVersion, protocol);
    const minimum = ownership.key ? VERSION_2 : VERSION_1;
    if (version < Math.max(minVersion, minimum)) return refused('version_unsupported');
    this.cancelPendingBind();
    if (this.isTrusted) this.startTimeout(AUTHENTICATION_MS);
    const handshake = { minVersion, maxVersion, version, sn: flash.state.sn };
    this.stage = { status: 'negotiated', handshake };
    return succeeded(version);
  }

  token({ token }: RequestOf<'token'>): Outcome<ResponseOf<'token'>> {
    if (token !== FIXED_TOKEN) return refused('token_refused');
    this.stage = { status: 'trusted', sealed: null, viewer: null };
    this.reportFirmware();
    return succeeded({});
  }

  /** Binds under version 1. */
  bind(): Outcome<ResponseOf<'bind'>> {
    const { state, cancel } = this.recorder.binding.bind();
    if (cancel) this.cancelBind = cancel;
    return succeeded({ state });
  }

  /** Asks the user to confirm a bind. */
  agreeKey({ publicKey: peerKey }: RequestOf<'agreeKey'>): Outcome<ResponseOf<'agreeKey'>> {
    const { recorder } = this;
    // Reject the bind, because it would stop the network and therefore this link.
    if (this.link.medium === 'wifi') return refused('wifi_mode');
    const keyPair = generateKeyPair();
    const key = deriveBindingKey({ role: 'recorder', keyPair, peerKey }, recorder.flash.state.sn);
    if (!key) return refused('request_malformed');
    this.cancelPendingBind();
    // Discard a channel that was opened with the previous key.
    if (this.stage.status === 'proving') {
      this.stage = { status: 'negotiated', handshake: this.stage.handshake };
    }
    const requested = recorder.binding.requestBind((isConfirmed) => {
      this.startTimeout(AUTHENTICATION_MS);
      this.pendingKey = isConfirmed ? { key, isConfirmed, cancel: () => undefined } : undefined;
      this.link.sendReport({ name: 'bindChanged', value: { isBind: isConfirmed } });
    });
    if (!requested.ok) return requested;
    // Extend the authentication timeout by the time that the user has to confirm.
    if (!this.hasRequestedBind) this.startTimeout(BIND_CONFIRM_MS + AUTHENTICATION_MS);
    this.hasRequestedBind = true;
    this.pendingKey = { key, isConfirmed: false, cancel: requested.value };
    return succeeded({ publicKey: keyPair.publicKey });
  }

  openChannel({
    publicKey: peerKey,
  }: RequestOf<'openChannel'>): Outcome<ResponseOf<'openChannel'>> {
    const { stage, pendingKey } = this;
    if (stage.status !== 'negotiated' && stage.status !== 'proving') return refused('out_of_order');
    if (pendingKey && !pendingKey.isConfirmed) return refused('waiting_for_bind');
    const key = pendingKey?.key ?? this.recorder.ownership.key;
    if (!key) return refused('binding_unknown');
    const { handshake } = stage;
    const keyPair = generateKeyPair();
    const answer = openRecorderChannel({ keyPair, peerKey }, key, handshake);
    if (!answer) return refused('request_malformed');
    const { channel, proof } = answer;
    this.stage = { status: 'proving', handshake, channel, key, isNew: pendingKey !== undefined };
    return succeeded({ publicKey: keyPair.publicKey, proof });
  }

  async claim({ ownerTag }: RequestOf<'claim'>): Promise<Outcome<ResponseOf<'claim'>>> {
    const { stage, recorder } = this;
    if (stage.status === 'trusted') {
      // A repeated claim by the same account succeeds, unless its key was cleared.
      const isOwner = stage.sealed && recorder.ownership.isBoundBy(stage.sealed.key, ownerTag);
      return isOwner ? succeeded({}) : refused('out_of_order');
    }
    if (stage.status !== 'claiming') return refused('out_of_order');
    const { channel, key } = stage;
    const claimed = await recorder.binding.claim(key, ownerTag, this.link);
    if (!claimed.ok) return claimed;
    this.pendingKey = undefined;
    const viewer = recorder.ownership.owner;
    this.stage = { status: 'trusted', sealed: { channel, key }, viewer };
    recorder.binding.report();
    this.reportFirmware();
    return succeeded({});
  }

  /** Signs an attestation for the account that is claiming, or has claimed, the recorder. */
  attest({ ownerTag, challenge }: RequestOf<'attest'>): Outcome<ResponseOf<'attest'>> {
    const { stage, recorder } = this;
    const isAllowedNow =
      stage.status === 'claiming' ||
      (stage.status === 'trusted' &&
        stage.sealed &&
        recorder.ownership.isBoundBy(stage.sealed.key, ownerTag));
    if (!isAllowedNow) return refused('out_of_order');
    const { sn, deviceKey } = recorder.flash.state;
    const message = attestationMessage(sn, hashOwnerTag(ownerTag), challenge);
    return succeeded({ signature: signWithDeviceKey(deviceKey, message) });
  }

  /**
   * The channel that encrypts outgoing frames. Responses are unencrypted until the phone has proved that it has the
   * key.
   */
  private get channel(): Channel | null {
    if (this.stage.status === 'claiming') return this.stage.channel;
    return this.stage.status === 'trusted' ? (this.stage.sealed?.channel ?? null) : null;
  }

  /** Restarts the authentication timeout. @param ms milliseconds of phone time */
  private startTimeout(ms: number): void {
    this.cancelTimeout();
    this.cancelTimeout = this.recorder.phoneTime.after(ms, () => {
      const { status } = this.stage;
      if (status !== 'trusted' && status !== 'claiming') this.link.disconnect();
    });
  }

  /** Called with the first valid record, which proves possession of the key. */
  private acceptProof({ channel, key, isNew }: Extract<Stage, { status: 'proving' }>): void {
    if (isNew) {
      this.stage = { status: 'claiming', channel, key };
      return;
    }
    const viewer = this.recorder.ownership.owner;
    this.stage = { status: 'trusted', sealed: { channel, key }, viewer };
    this.reportFirmware();
  }

  /** Cancels the bind requested on this link and discards its key. */
  private cancelPendingBind(): void {
    this.pendingKey?.cancel();
    this.pendingKey = undefined;
    this.cancelBind?.();
    this.cancelBind = undefined;
  }

  private reportFirmware(): void {
    this.recorder.update.report().catch((error: unknown) => {
      console.error('failed to report the firmware update', error);
    });
  }
}
