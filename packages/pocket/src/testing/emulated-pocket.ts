/**
 * An emulated Pocket. It is written from the public description alone and shares no code with the decoder, so that they
 * can't contain the same error. Options choose the behavior that the description leaves open, such as the response to a
 * wrong key.
 */
import type { EmulatedGatt, EmulatedListener } from '@linnet/device/testing';

const ownUuid = (first: string) => `${first}-f69a-11e8-8eb2-f2801f1b9fd1`;
const COMMAND = ownUuid('e49a3002');
const RESPONSE = ownUuid('e49a3003');
const AUDIO = ownUuid('e49a28e1');
const shortUuid = (number: string) => `0000${number}-0000-1000-8000-00805f9b34fb`;

/** A recording: its date and time as in its name, and the MP3 file. */
type Recording = { readonly stamp: string; mp3: Uint8Array };

export type EmulatedPocketOptions = {
  readonly sessionKey?: string;
  /** The response to a wrong session key. */
  readonly onWrongKey?: 'refuse' | 'ignore' | 'hang_up';
  /** Maximum size of a notification in bytes. */
  readonly notificationBytes?: number;
  /** Delays each notification with audio. By default, the emulator sends a file without delay. */
  readonly pace?: () => Promise<void>;
};

export class EmulatedPocket implements EmulatedGatt {
  readonly name = 'PKT01_GREY_0A1B2C3D';
  readonly mac = '02:00:00:00:00:78';
  readonly advertised = [shortUuid('5536'), shortUuid('2222')];
  readonly services = [
    {
      uuid: ownUuid('e49a3001'),
      characteristics: [
        { uuid: COMMAND, flags: ['write'] },
        { uuid: RESPONSE, flags: ['notify'] },
      ],
    },
    {
      uuid: ownUuid('e49a25f8'),
      characteristics: [
        { uuid: AUDIO, flags: ['notify'] },
        { uuid: ownUuid('e49a25e0'), flags: ['write'] },
      ],
    },
  ];
  battery = 58;
  state = 0;
  /** The time that the app has set, or null after a restart. */
  clock: string | null = null;
  /** Returns whether to drop the next notification with audio. */
  dropsNotification: () => boolean = () => false;
  /** Returns whether to drop the next response. */
  dropsResponse: () => boolean = () => false;
  /** Returns whether the correct session key is refused. */
  refusesKey: () => boolean = () => false;
  /** Called when a session key arrives. */
  onKey: () => void = () => {};
  /** Called before each notification with audio; may cut the connection. */
  beforeAudio: () => void = () => {};
  /** The names of all files requested so far, in order. */
  readonly requested: string[] = [];
  /** All commands so far, except the session key. */
  readonly received: string[] = [];
  readonly #options: EmulatedPocketOptions;
  readonly #sessionKey: string;
  #recordings: Recording[] = [];
  #phone: EmulatedListener | null = null;
  #isOpen = false;
  readonly #subscribed = new Set<string>();

  constructor(options: EmulatedPocketOptions = {}) {
    this.#options = options;
    this.#sessionKey = options.sessionKey ?? 'AbCdEfGh12345678';
  }

  get isConnected(): boolean {
    return this.#phone !== null;
  }

  /** @param stamp the time as `YYYYMMDDHHmmss` */
  addRecording(stamp: string, mp3: Uint8Array): void {
    this.#recordings = [...this.#recordings.filter((each) => each.stamp !== stamp), { stamp, mp3 }];
  }

  removeRecording(stamp: string): void {
    this.#recordings = this.#recordings.filter((each) => each.stamp !== stamp);
  }

  connect(phone: EmulatedListener): void {
    if (this.#phone) throw new Error('the recorder is connected to another phone');
    this.#phone = phone;
  }

  cut(): void {
    const phone = this.#phone;
    this.#phone = null;
    this.#isOpen = false;
    this.#subscribed.clear();
    phone?.closed();
  }

  /** Restarts the recorder, which forgets the time. */
  reboot(): void {
    this.cut();
    this.clock = null;
  }

  setNotifying(characteristic: string, isOn: boolean): void {
    if (isOn) this.#subscribed.add(characteristic);
    else this.#subscribed.delete(characteristic);
  }

  read(): Uint8Array {
    return new Uint8Array();
  }

  write(characteristic: string, value: Uint8Array): void {
    if (characteristic !== COMMAND) return;
    const text = Buffer.from(value).toString('ascii');
    if (text.startsWith('APP&SK&')) this.#authenticate(text.slice('APP&SK&'.length));
    else {
      this.received.push(text);
      if (this.#isOpen) this.#execute(text);
    }
  }

  /** Sends a response. */
  respond(text: string): void {
    if (!this.dropsResponse()) this.#notify(RESPONSE, Buffer.from(text, 'ascii'));
  }

  /** Sends bytes as if they belonged to a file. */
  sendAudio(bytes: Uint8Array): void {
    this.#notify(AUDIO, bytes);
  }

  #notify(characteristic: string, value: Uint8Array): void {
    if (this.#subscribed.has(characteristic)) this.#phone?.notification(characteristic, value);
  }

  #authenticate(sessionKey: string): void {
    this.onKey();
    if (sessionKey === this.#sessionKey && !this.refusesKey()) {
      this.#isOpen = true;
      this.respond('MCU&SK&OK');
    } else if (this.#options.onWrongKey === 'hang_up') this.cut();
    else if (this.#options.onWrongKey !== 'ignore') this.respond('MCU&SK&ERR');
  }

  #execute(text: string): void {
    const [, name = '', first = '', second = ''] = text.split('&');
    switch (name) {
      case 'BAT':
        this.respond(`MCU&BAT&${this.battery}`);
        break;
      case 'FW':
        this.respond('MCU&FW&1.3.3');
        break;
      case 'SPACE':
        this.respond('MCU&SPA&060846&061032');
        break;
      case 'STE':
        this.respond(`MCU&STE&${this.state}`);
        break;
      case 'T':
        this.clock = first;
        this.respond('MCU&T&OK');
        break;
      case 'LIST_DIRS':
        this.#listDates();
        break;
      case 'LIST':
        this.#listFiles(first);
        break;
      case 'U':
        this.#upload(first, second);
    }
  }

  #listDates(): void {
    const dates = [...new Set(this.#recordings.map(({ stamp }) => formatDate(stamp)))].sort();
    for (const date of dates) this.respond(`MCU&DIRS&${date}`);
    this.respond(`MCU&DIRS_SUM&${String(dates.length).padStart(3, '0')}`);
  }

  #listFiles(date: string): void {
    const files = this.#recordings.filter(({ stamp }) => formatDate(stamp) === date);
    for (const { stamp, mp3 } of files) {
      // 4000 bytes are one second, the unit in the examples.
      this.respond(`MCU&F&${date}&${stamp}&${Math.floor(mp3.length / 4000)}`);
    }
    this.respond(`MCU&LIST&${String(files.length).padStart(3, '0')}`);
  }

  #upload(date: string, stamp: string): void {
    const found = this.#recordings.find(
      (each) => each.stamp === stamp && formatDate(stamp) === date,
    );
    if (!found) return;
    this.requested.push(stamp);
    this.respond(`MCU&U&${found.mp3.length}`);
    const { pace } = this.#options;
    if (pace) void this.#sendSlowly(found.mp3, pace);
    else for (const piece of this.#pieces(found.mp3)) this.#sendPiece(piece);
  }

  async #sendSlowly(mp3: Uint8Array, pace: () => Promise<void>): Promise<void> {
    const phone = this.#phone;
    for (const piece of this.#pieces(mp3)) {
      await pace();
      if (this.#phone !== phone) return;
      this.#sendPiece(piece);
    }
  }

  *#pieces(mp3: Uint8Array): Generator<Uint8Array> {
    const size = this.#options.notificationBytes ?? 244;
    const phone = this.#phone;
    for (let from = 0; from < mp3.length && this.#phone === phone; from += size) {
      yield mp3.subarray(from, from + size);
    }
  }

  #sendPiece(piece: Uint8Array): void {
    this.beforeAudio();
    if (!this.dropsNotification()) this.sendAudio(piece);
  }
}

function formatDate(stamp: string): string {
  return `${stamp.slice(0, 4)}-${stamp.slice(4, 6)}-${stamp.slice(6, 8)}`;
}

/**
 * Returns MPEG-2 layer III frames (16 kHz, mono, 32 kbit/s) as the recorder writes them, 144 bytes each.
 * @param seed makes the content differ
 */
export function emulatedMp3(frames: number, seed = 0): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(frames * 144);
  for (let frame = 0; frame < frames; frame += 1) {
    bytes.set([0xff, 0xf3, 0x48, 0xc4], frame * 144);
    // The side information stays zero, which means silence. The rest is ancillary data.
    for (let index = 20; index < 144; index += 1)
      bytes[frame * 144 + index] = (seed + frame * 7 + index) % 251;
  }
  return bytes;
}
