/** A client for the control API of a running recorder. */
import type { ControlStatus } from '../control/routes.ts';

/** Thrown if a command fails. The message is shown to the user. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
}

/** Messages shown to the user, keyed by error result. */
const REFUSALS: Readonly<Record<string, string>> = {
  space_full: 'storage is full',
  usb_disk_mode: 'the recorder is in USB disk mode',
  hardware_abnormal: 'the microphone is broken',
  busy: 'the recorder is busy',
  wifi_mode: 'the recorder is in Wi-Fi mode',
  waiting_for_bind: 'the recorder must be bound first',
  session_recording: 'the recorder is recording',
};

export type Session = ControlStatus['sessions'][number];

export class Remote {
  readonly url: string;

  constructor(url: string) {
    this.url = url;
  }

  async status(): Promise<ControlStatus> {
    return (await this.request('/status')).json() as Promise<ControlStatus>;
  }

  /** Sends a POST request. @returns the updated status */
  async post(path: string, body: unknown): Promise<ControlStatus> {
    const response = await this.request(path, { method: 'POST', body: JSON.stringify(body) });
    return response.json() as Promise<ControlStatus>;
  }

  /** Sends a request. @throws CommandFailure if the recorder is unreachable or rejects the request */
  async request(path: string, init?: RequestInit): Promise<Response> {
    let response: Response;
    try {
      response = await fetch(this.url + path, init);
    } catch (cause) {
      const message = `No virtual recorder at ${this.url}. Start one: npm run recorder -- start`;
      throw new CommandFailure(message, { cause });
    }
    if (response.ok) return response;
    const { error } = (await response.json()) as { error: string };
    throw new CommandFailure(
      response.status === 409 ? `Refused: ${REFUSALS[error] ?? error}.` : `${error}.`,
    );
  }
}
