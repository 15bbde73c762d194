import type { RecorderSettings } from '@linnet/device/session';

/** The virtual recorder's control API, for tests. */
export type RecorderStatus = {
  readonly sn: string;
  readonly recording: 'idle' | 'recording';
  readonly connected: boolean;
  readonly bind: 'unbound' | 'waiting' | 'bound';
  readonly firmwareVersion: string;
  readonly settings: RecorderSettings;
  /** Whether it is bound with a key of its own, and speaks to nobody without. */
  readonly isSealed: boolean;
  /** What is being recorded now; `fileSize` in bytes, durable. */
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

  async status(): Promise<RecorderStatus> {
    return (await this.#ask('/status')).json() as Promise<RecorderStatus>;
  }

  /** @param speed how many times faster than real the radio and the microphone run */
  async clock(speed: number): Promise<void> {
    await this.#post('/clock', { speed });
  }

  async faults(faults: Record<string, unknown>): Promise<void> {
    await this.#post('/faults', faults);
  }

  /** @param level percent */
  async battery(level: number): Promise<void> {
    await this.#post('/battery', { level });
  }

  /** Holds the recorder's own button: begins or ends a recording. */
  async hold(): Promise<void> {
    await this.press('power', 2000);
  }

  /** Presses a button; a short press of `power` also confirms that a phone may bind it. */
  async press(button: 'power' | 'corner' | 'wifi' = 'power', ms = 500): Promise<void> {
    await this.#post('/press', { button, ms });
  }

  /** Clears its bindings by its buttons: off, the corner held, on again. */
  async clearBindings(): Promise<void> {
    await this.press('corner', 3000);
    await this.press('corner', 3000);
    await this.press('power');
  }

  /** Joins its network, as hands do in the WiFi settings of a phone. */
  async joinWifi(ssid: string, password: string): Promise<void> {
    await this.#post('/wifi/join', { ssid, password });
  }

  /** Makes the microphone hear a scene from the next recording on; null is silence. */
  async scene(name: string | null): Promise<void> {
    await this.#post('/scene', { name });
  }

  /** Adds a session of a WAV file, or of an Ogg file in the recorder's format. */
  async addSession(file: Uint8Array<ArrayBuffer>): Promise<number> {
    const response = await this.#ask('/sessions', { method: 'POST', body: file });
    const { sessionId } = (await response.json()) as { sessionId: number };
    return sessionId;
  }

  /** The Opus packets of a session as they lie in flash, one after another. */
  async packets(sessionId: number): Promise<Buffer> {
    return Buffer.from(await (await this.#ask(`/sessions/${sessionId}/packets`)).arrayBuffer());
  }

  async #post(path: string, body: unknown): Promise<void> {
    await this.#ask(path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
  }

  async #ask(path: string, init?: RequestInit): Promise<Response> {
    const response = await fetch(`${this.url}${path}`, init);
    if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return response;
  }
}
