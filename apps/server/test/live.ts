import { PACKET_BYTES } from '@linnet/audio/format';
import type { LiveSession } from '@linnet/contract';
import type { Account, CallResponse, TestServer } from './server.ts';

/** A client that sends the packets of one recording. */
export interface LiveClient {
  readonly clientFlag: string;
  /**
   * Sends packets.
   * @param from index of the first packet to send
   * @param to index after the last one
   */
  send(
    from: number,
    to: number,
    options?: { readonly ended?: boolean; readonly words?: string[] },
  ): Promise<CallResponse<LiveSession>>;
  /** Returns the session without sending packets. */
  poll(): Promise<LiveSession>;
}

/** @param packets all packets of the recording, 160 bytes each */
export function liveClient(server: TestServer, account: Account, packets: Uint8Array): LiveClient {
  const clientFlag = crypto.randomUUID();
  const send = (
    from: number,
    to: number,
    { ended = false, words }: Parameters<LiveClient['send']>[2] = {},
  ) =>
    server.call(
      'live/append',
      {
        client_flag: clientFlag,
        language: 'en',
        first: from,
        packets: Buffer.from(packets.subarray(from * PACKET_BYTES, to * PACKET_BYTES)).toString(
          'base64',
        ),
        ended,
        ...(words && { words }),
      },
      { token: account.access },
    );
  return {
    clientFlag,
    send,
    async poll() {
      const { data } = await server.call(
        'live/list',
        { client_flag: clientFlag },
        { token: account.access },
      );
      const [session] = data.list;
      if (!session) throw new Error('no such session');
      return session;
    },
  };
}
