import type { RecorderSettings } from '@linnet/device/session';

/** Client of the virtual recorder's control API, for tests. */
export type RecorderStatus = {
  readonly sn: string;
  readonly recording: 'idle' | 'recording';
  readonly connected: boolean;
  readonly bind: 'unbound' | 'waiting' | 'bound';
  readonly firmwareVersion: string;
  readonly settings: RecorderSettings;
  /** Whether it is bound under version 2, with a key, and refuses phones without it. */
  readonly isSealed: boolean;
  /** The recording in progress; `fileSize` in bytes, durable. */
  readonly session: {
    readonly sessionId: number;
    readonly elapsedMs: number;
    readonly fileSize: number;
  } | null;
  readonly sessions: readonly {
    readonly sessionId: number;
    /** Seconds since 1970. */
    readonly startTime: number;
    readonly stillRecording: boolean;
    /** Bytes, durable. */
    readonly fileSize: number;
  }[];
};

export class RecorderControl {
  readonly url: string;

  constructor(url: string) {
    this.url = url;
  }

  async getStatus(): Promise<RecorderStatus> {
    return (await this.#request('/status')).json() as Promise<RecorderStatus>;
  }

  /** @param speed of the radio and the microphone, times real time */
  async setSpeed(speed: number): Promise<void> {
    await this.#post('/clock', { speed });
  }

  async setFaults(faults: Record<string, unknown>): Promise<void> {
    await this.#post('/faults', faults);
  }

  /** @param level percent */
  async setBattery(level: number): Promise<void> {
    await this.#post('/battery', { level });
  }

  /** Holds the record button: starts or stops a recording. */
  async holdRecordButton(): Promise<void> {
    await this.press('power', 2000);
  }

  /** Presses a button. A short press of `power` also confirms a phone's bind request. */
  async press(button: 'power' | 'corner' | 'wifi' = 'power', ms = 500): Promise<void> {
    await this.#post('/press', { button, ms });
  }

  /** Clears its bindings with the buttons: off, corner held, on again. */
  async clearBindings(): Promise<void> {
    await this.press('corner', 3000);
    await this.press('corner', 3000);
    await this.press('power');
  }

  /** Joins its network, as a user does in a phone's WiFi settings. */
  async joinWifi(ssid: string, password: string): Promise<void> {
    await this.#post('/wifi/join', { ssid, password });
  }

  /** Plays a scene to the microphone from the next recording on; null is silence. */
  async setScene(name: string | null): Promise<void> {
    await this.#post('/scene', { name });
  }

  /** Adds a session from a WAV file, or from an Ogg file in the recorder's format. */
  async addSession(file: Uint8Array<ArrayBuffer>): Promise<number> {
    const response = await this.#request('/sessions', { method: 'POST', body: file });
    const { sessionId } = (await response.json()) as { sessionId: number };
    return sessionId;
  }

  /** The Opus packets of a session as stored in flash, concatenated. */
  async readPackets(sessionId: number): Promise<Buffer> {
    return Buffer.from(await (await this.#request(`/sessions/${sessionId}/packets`)).arrayBuffer());
  }

  async #post(path: string, body: unknown): Promise<void> {
    await this.#request(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  }

  async #request(path: string, init?: RequestInit): Promise<Response> {
    const response = await fetch(`${this.url}${path}`, init);
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response;
  }
}
