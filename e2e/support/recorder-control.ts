import type { RecorderSettings } from '@linnet/device/session';

/** The virtual recorder's state. */
export type RecorderStatus = {
  readonly sn: string;
  readonly recording: 'idle' | 'recording';
  readonly connected: boolean;
  readonly bind: 'unbound' | 'waiting' | 'bound';
  readonly firmwareVersion: string;
  readonly settings: RecorderSettings;
  /** Whether the binding has a key (version 2). If so, the recorder rejects phones without the key. */
  readonly isSealed: boolean;
  /** The recording in progress. `fileSize` counts durable bytes. */
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
    /** Number of durable bytes. */
    readonly fileSize: number;
  }[];
};

/** Client for the virtual recorder's control API. */
export class RecorderControl {
  readonly url: string;

  constructor(url: string) {
    this.url = url;
  }

  async getStatus(): Promise<RecorderStatus> {
    return (await this.#request('/status')).json() as Promise<RecorderStatus>;
  }

  /** Sets the speed of radio and microphone, as a multiple of real time. */
  async setSpeed(speed: number): Promise<void> {
    await this.#post('/clock', { speed });
  }

  async setFaults(faults: Record<string, unknown>): Promise<void> {
    await this.#post('/faults', faults);
  }

  /** Sets the battery level in percent. */
  async setBattery(level: number): Promise<void> {
    await this.#post('/battery', { level });
  }

  /** Holds the record button, which starts or stops a recording. */
  async holdRecordButton(): Promise<void> {
    await this.press('power', 2000);
  }

  /** Presses a button. A short press of `power` also confirms a binding request. */
  async press(button: 'power' | 'corner' | 'wifi' = 'power', ms = 500): Promise<void> {
    await this.#post('/press', { button, ms });
  }

  /** Clears the binding with the buttons: holds the corner button twice, then presses the power button. */
  async clearBindings(): Promise<void> {
    await this.press('corner', 3000);
    await this.press('corner', 3000);
    await this.press('power');
  }

  /** Joins the recorder's Wi-Fi network, as a user does in a phone's settings. */
  async joinWifi(ssid: string, password: string): Promise<void> {
    await this.#post('/wifi/join', { ssid, password });
  }

  /** Sets the scene played to the microphone from the next recording on; null for silence. */
  async setScene(name: string | null): Promise<void> {
    await this.#post('/scene', { name });
  }

  /**
   * Adds a session from a WAV file, or from an Ogg file in the recorder's format.
   * @param startTime in seconds since 1970; 0 simulates a recorder whose clock was never set
   * @returns the session's ID
   */
  async addSession(file: Uint8Array<ArrayBuffer>, startTime?: number): Promise<number> {
    const path = startTime === undefined ? '/sessions' : `/sessions?startTime=${startTime}`;
    const response = await this.#request(path, { method: 'POST', body: file });
    const { sessionId } = (await response.json()) as { sessionId: number };
    return sessionId;
  }

  /** Returns the concatenated Opus packets of a session, as stored in flash. */
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
