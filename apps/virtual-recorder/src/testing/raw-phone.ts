/** A phone that sends arbitrary requests, including invalid requests. */
import {
  type Channel,
  deriveBindingKey,
  generateKeyPair,
  openPhoneChannel,
} from '@linnet/device/channel';
import {
  type CommandName,
  decodeResponse,
  encodeRequest,
  FIXED_TOKEN,
  type Frame,
  FrameDecoder,
  type RequestOf,
  type ResponseOf,
  type ResultName,
} from '@linnet/device/codec';
import type { Recorder } from '../recorder.ts';
import { connectInMemory } from './memory-radio.ts';
import { until } from './wait.ts';

type RawResponse<N extends CommandName> = { readonly result: ResultName } & Partial<ResponseOf<N>>;

export class RawPhone {
  /** The channel that seals all frames, once set. */
  channel: Channel | undefined;
  /** Received and opened frames, oldest first. */
  readonly received: Frame[] = [];
  isClosed = false;
  readonly link;
  private readonly decoder = new FrameDecoder();
  private sequence = 0;

  constructor(recorder: Recorder) {
    this.link = connectInMemory(recorder, 244);
    this.link.onClosed(() => {
      this.isClosed = true;
    });
    this.link.onBytes((bytes) => {
      for (const frame of this.decoder.push(bytes)) {
        const opened = this.channel ? this.channel.open(frame) : frame;
        if (opened) this.received.push(opened);
      }
    });
  }

  /**
   * Encodes a request.
   * @returns its bytes, sealed if there is a channel, and its sequence number
   */
  request<N extends CommandName>(name: N, value: RequestOf<N>) {
    this.sequence += 1;
    const frame = encodeRequest(name, value, this.sequence);
    return { bytes: this.channel?.seal(frame) ?? frame, sequence: this.sequence };
  }

  write(bytes: Uint8Array): Promise<void> {
    return this.link.write(bytes, { withResponse: true });
  }

  async responseTo<N extends CommandName>(name: N, sequence: number): Promise<RawResponse<N>> {
    const frame = await until(
      () => this.received.find((each) => each.kind === 'response' && each.sequence === sequence),
      `response to ${name}`,
    );
    const response = decodeResponse(name, frame);
    if (response.kind === 'ok') return { result: 'ok', ...response.value };
    if (response.kind === 'malformed' || !response.name) throw new Error(`${name}: malformed`);
    return { result: response.name } as RawResponse<N>;
  }

  async send<N extends CommandName>(name: N, value: RequestOf<N>): Promise<RawResponse<N>> {
    const { bytes, sequence } = this.request(name, value);
    await this.write(bytes);
    return this.responseTo(name, sequence);
  }

  /** Authenticates with the token of version 1. */
  async authenticate(): Promise<void> {
    await this.send('handshake', { minVersion: 1, maxVersion: 1 });
    await this.send('token', { token: FIXED_TOKEN });
  }

  /**
   * Requests a bind under version 2.
   * @returns the agreed key, unconfirmed, and the serial number
   */
  async requestBind() {
    const { sn = '' } = await this.send('handshake', { minVersion: 1, maxVersion: 2 });
    const keyPair = generateKeyPair();
    const { publicKey } = await this.send('agreeKey', { publicKey: keyPair.publicKey });
    const key = publicKey && deriveBindingKey({ role: 'phone', keyPair, peerKey: publicKey }, sn);
    if (!key) throw new Error('no key was agreed on');
    return { key, sn };
  }

  /** Opens a channel without using it. */
  async openChannel({ key, sn }: { key: Uint8Array; sn: string }): Promise<Channel> {
    const keyPair = generateKeyPair();
    const { publicKey, proof } = await this.send('openChannel', { publicKey: keyPair.publicKey });
    const handshake = { minVersion: 1, maxVersion: 2, version: 2, sn } as const;
    if (!publicKey || !proof) throw new Error('no channel was opened');
    const channel = openPhoneChannel({ keyPair, peerKey: publicKey }, key, handshake, proof);
    if (!channel) throw new Error('invalid proof');
    return channel;
  }
}
