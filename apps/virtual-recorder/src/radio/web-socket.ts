/** Radio over WebSockets. Accepts one phone at a time. */
import { RADIO_CLOSE } from '@linnet/transports/websocket';
import { WebSocket } from 'ws';
import type { Recorder } from '../recorder.ts';
import { CONNECTION_INTERVAL_MS, type Payload } from './model.ts';
import { Peripheral } from './peripheral.ts';
import { Radio } from './radio.ts';

export class WebSocketRadio {
  private phone: WebSocket | undefined;
  private readonly recorder: Recorder;

  constructor(recorder: Recorder) {
    this.recorder = recorder;
  }

  /** Whether a phone is connected. A closing socket counts as disconnected. */
  get connected(): boolean {
    return this.phone?.readyState === WebSocket.OPEN;
  }

  /** Accepts a phone, or rejects it with a close code that gives the reason. */
  accept(socket: WebSocket, payload: Payload | undefined): void {
    // `close` follows `error` and does the cleanup.
    socket.on('error', () => undefined);
    if (payload === undefined) socket.close(RADIO_CLOSE.badPayload);
    else if (!this.recorder.acceptsConnections) socket.close(RADIO_CLOSE.refused);
    else if (this.connected) socket.close(RADIO_CLOSE.busy);
    else this.connect(socket, payload);
  }

  /** Breaks the link. */
  drop(): void {
    this.phone?.terminate();
  }

  private connect(socket: WebSocket, payload: Payload): void {
    const { recorder } = this;
    const port = {
      notify: (bytes: Uint8Array) => socket.send(bytes),
      backlog: () => socket.bufferedAmount,
      // Closing the socket still delivers the bytes sent earlier, as a radio would.
      drop: () => socket.close(RADIO_CLOSE.lost),
    };
    const radio = new Radio(port, payload, recorder.clock, recorder.faults);
    const peripheral = new Peripheral(recorder, radio);
    this.phone = socket;
    socket.on('message', (data: Buffer, isBinary) => {
      if (isBinary) radio.receive(new Uint8Array(data));
    });
    socket.on('close', () => {
      peripheral.close();
      if (this.phone === socket) this.phone = undefined;
    });
    socket.send(
      JSON.stringify({ connected: true, payload, connectionInterval: CONNECTION_INTERVAL_MS }),
    );
  }
}
