/** A phone that says what it likes, when it likes: what no session of ours would. */
import { acceptChannel, type Channel, deriveBindingKey, newKeyPair } from '@linnet/device/channel';
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

type Answer<N extends CommandName> = { readonly result: ResultName } & Partial<ResponseOf<N>>;

export class RawPhone {
  /** What everything is sealed with, once there is something. */
  channel: Channel | undefined;
  /** Frames that came and could be opened, the oldest first. */
  readonly heard: Frame[] = [];
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
        if (opened) this.heard.push(opened);
      }
    });
  }

  /** @returns the bytes of a request, sealed where there is a channel, and its sequence */
  request<N extends CommandName>(name: N, value: RequestOf<N>) {
    this.sequence += 1;
    const frame = encodeRequest(name, value, this.sequence);
    return { bytes: this.channel?.seal(frame) ?? frame, sequence: this.sequence };
  }

  write(bytes: Uint8Array): Promise<void> {
    return this.link.write(bytes, { withResponse: true });
  }

  async answerTo<N extends CommandName>(name: N, sequence: number): Promise<Answer<N>> {
    const frame = await until(
      () => this.heard.find((each) => each.kind === 'response' && each.sequence === sequence),
      `the answer to ${name}`,
    );
    const response = decodeResponse(name, frame);
    if (response.kind === 'ok') return { result: 'ok', ...response.value };
    if (response.kind === 'malformed' || !response.name) throw new Error(`${name}: unreadable`);
    return { result: response.name } as Answer<N>;
  }

  async ask<N extends CommandName>(name: N, value: RequestOf<N>): Promise<Answer<N>> {
    const { bytes, sequence } = this.request(name, value);
    await this.write(bytes);
    return this.answerTo(name, sequence);
  }

  /** Version 1, up to its token. */
  async introduce(): Promise<void> {
    await this.ask('handshake', { minVersion: 1, maxVersion: 1 });
    await this.ask('token', { token: FIXED_TOKEN });
  }

  /** Version 2: asks to bind. @returns what makes the key of the owner's answer */
  async askToBind() {
    const { sn = '' } = await this.ask('handshake', { minVersion: 1, maxVersion: 2 });
    const keyPair = newKeyPair();
    const { publicKey } = await this.ask('agreeKey', { publicKey: keyPair.publicKey });
    const key = publicKey && deriveBindingKey({ role: 'phone', keyPair, peerKey: publicKey }, sn);
    if (!key) throw new Error('no key was agreed on');
    return { key, sn };
  }

  /** @returns the channel, which nothing is sealed with yet */
  async openChannel({ key, sn }: { key: Uint8Array; sn: string }): Promise<Channel> {
    const keyPair = newKeyPair();
    const { publicKey, proof } = await this.ask('openChannel', { publicKey: keyPair.publicKey });
    const agreed = { minVersion: 1, maxVersion: 2, version: 2, sn } as const;
    if (!publicKey || !proof) throw new Error('no channel was opened');
    const channel = acceptChannel({ keyPair, peerKey: publicKey }, key, agreed, proof);
    if (!channel) throw new Error('the proof does not hold');
    return channel;
  }
}
