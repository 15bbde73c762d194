/** Client for the control API of a running recorder. */
import type { ControlStatus } from '../control/routes.ts';

/** Failed command; the message is shown to the user. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
}

/** User-facing text by refusal code. */
const REFUSALS: Readonly<Record<string, string>> = {
  space_full: 'there is no room left',
  usb_disk_mode: 'it is a USB disk now',
  hardware_abnormal: 'its microphone is broken',
  busy: 'it is busy',
  wifi_mode: 'it is in WiFi mode',
  waiting_for_bind: 'it asks to be bound first',
  session_recording: 'it records',
};

export type Session = ControlStatus['sessions'][number];

export class Remote {
  readonly url: string;

  constructor(url: string) {
    this.url = url;
  }

  async status(): Promise<ControlStatus> {
    return (await this.ask('/status')).json() as Promise<ControlStatus>;
  }

  /** @returns the updated status */
  async post(path: string, body: unknown): Promise<ControlStatus> {
    const answer = await this.ask(path, { method: 'POST', body: JSON.stringify(body) });
    return answer.json() as Promise<ControlStatus>;
  }

  /** @throws CommandFailure if the recorder is unreachable or refuses the request */
  async ask(path: string, init?: RequestInit): Promise<Response> {
    let answer: Response;
    try {
      answer = await fetch(this.url + path, init);
    } catch (cause) {
      const message = `No virtual recorder answers on ${this.url}. Start one: npm run recorder -- start`;
      throw new CommandFailure(message, { cause });
    }
    if (answer.ok) return answer;
    const { error } = (await answer.json()) as { error: string };
    throw new CommandFailure(
      answer.status === 409 ? `Not now: ${REFUSALS[error] ?? error}.` : `${error}.`,
    );
  }
}
