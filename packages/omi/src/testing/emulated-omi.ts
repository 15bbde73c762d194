/**
 * An emulated Omi that sends the same bytes as the public firmware. It is written from the public description alone and
 * shares no code with the decoder, so that they can't contain the same error.
 */
import type { EmulatedGatt, EmulatedListener, EmulatedService } from '@linnet/device/testing';

const uuid = (short: string) => `0000${short}-0000-1000-8000-00805f9b34fb`;
const omiUuid = (number: string) => `19b100${number}-e8f2-537e-4f6c-d104768a1214`;

const AUDIO = omiUuid('01');
const CODEC = omiUuid('02');
const CHARGING_UUID = omiUuid('13');
const TIME = omiUuid('31');
const STORAGE = '30295781-4301-eabd-2904-2849adfeae43';
const STORED_AUDIO_UUID = '30295782-4301-eabd-2904-2849adfeae43';
const BUTTON = '23ba7925-0000-1000-7450-346eac492e92';
const BATTERY = uuid('2a19');

/** `cv1` stores a ring of records, `devkit2` a file, `devkit1` nothing. */
export type EmulatedModel = 'cv1' | 'devkit2' | 'devkit1';

const read = ['read'];
const readNotify = ['read', 'notify'];

function createServices(model: EmulatedModel): EmulatedService[] {
  const services: EmulatedService[] = [
    {
      uuid: omiUuid('00'),
      characteristics: [
        { uuid: AUDIO, flags: readNotify },
        { uuid: CODEC, flags: read },
      ],
    },
    { uuid: uuid('180f'), characteristics: [{ uuid: BATTERY, flags: readNotify }] },
    {
      uuid: uuid('180a'),
      characteristics: ['2a24', '2a26', '2a27', '2a29'].map((short) => ({
        uuid: uuid(short),
        flags: read,
      })),
    },
    {
      uuid: '23ba7924-0000-1000-7450-346eac492e92',
      characteristics: [{ uuid: BUTTON, flags: readNotify }],
    },
  ];
  if (model !== 'devkit1') {
    services.push({
      uuid: '30295780-4301-eabd-2904-2849adfeae43',
      characteristics: [
        { uuid: STORAGE, flags: ['write', 'notify'] },
        { uuid: STORED_AUDIO_UUID, flags: readNotify },
      ],
    });
  }
  if (model === 'cv1') {
    services.push(
      { uuid: omiUuid('10'), characteristics: [{ uuid: CHARGING_UUID, flags: readNotify }] },
      { uuid: omiUuid('30'), characteristics: [{ uuid: TIME, flags: ['write'] }] },
    );
  }
  return services;
}

export type EmulatedOmiOptions = {
  readonly model?: EmulatedModel;
  readonly codec?: number;
  /** Maximum size of a notification in bytes. */
  readonly notificationBytes?: number;
  /** The number of the first notification with audio. */
  readonly firstNumber?: number;
};

/** A notification with audio that the recorder has sent. */
export type SentPart = {
  /** The packet's index, in the order of `capture` calls. */
  readonly packet: number;
  readonly isLost: boolean;
};

export class EmulatedOmi implements EmulatedGatt {
  readonly name = 'Omi';
  readonly mac = '02:00:00:00:00:77';
  readonly services: readonly EmulatedService[];
  /** It advertises only its main service, like the real one. */
  readonly advertised = [omiUuid('00')];
  /** All notifications with audio so far, including lost ones. */
  readonly sent: SentPart[] = [];
  /** Returns whether to drop the next notification with audio. */
  dropsNotification: () => boolean = () => false;
  /** Returns whether to drop the next notification with stored audio. */
  dropsStored: () => boolean = () => false;
  battery = 87;
  /** The time that the app has set, in seconds since 1970. */
  clock: number | null = null;
  readonly #model: EmulatedModel;
  readonly #codec: number;
  readonly #size: number;
  #number: number;
  #captured = 0;
  #phone: EmulatedListener | null = null;
  readonly #subscribed = new Set<string>();
  #charging = 0;
  /** The current block of packets, not yet stored. */
  #block: number[] = [];
  /** The stored blocks, and the number of the first. */
  #blocks: { readonly time: number; readonly bytes: Uint8Array }[] = [];
  #firstBlock = 0;

  constructor(options: EmulatedOmiOptions = {}) {
    this.#model = options.model ?? 'cv1';
    this.#codec = options.codec ?? (this.#model === 'cv1' ? 21 : 20);
    this.#size = options.notificationBytes ?? 244;
    this.#number = options.firstNumber ?? 0;
    this.services = createServices(this.#model);
  }

  get isConnected(): boolean {
    return this.#phone !== null;
  }

  get isStreaming(): boolean {
    return this.#subscribed.has(AUDIO);
  }

  get storedBlocks(): number {
    return this.#blocks.length;
  }

  /** Connects a phone. */
  connect(phone: EmulatedListener): void {
    if (this.#phone) throw new Error('the recorder is connected to another phone');
    this.#storeBlock();
    this.#phone = phone;
  }

  /** Breaks the connection, as if the recorder were out of range. */
  cut(): void {
    const phone = this.#phone;
    this.#phone = null;
    this.#subscribed.clear();
    phone?.closed();
  }

  /** Restarts the recorder: numbering restarts at 0, and the time and packets not yet stored are lost. */
  reboot(): void {
    this.cut();
    this.#block = [];
    this.#number = 0;
    this.clock = null;
  }

  setNotifying(characteristic: string, isOn: boolean): void {
    if (isOn) this.#subscribed.add(characteristic);
    else this.#subscribed.delete(characteristic);
  }

  /** Records a packet: sends it to a phone with an audio subscription, or else stores it. */
  capture(packet: Uint8Array): void {
    const index = this.#captured;
    this.#captured += 1;
    if (!this.isStreaming) {
      this.#store(packet);
      return;
    }
    for (let from = 0, part = 0; from < packet.length; part += 1) {
      const piece = packet.subarray(from, from + this.#size - 3);
      const value = Uint8Array.of(this.#number % 256, this.#number >> 8, part, ...piece);
      this.#number = this.#number === 65_535 ? 0 : this.#number + 1;
      const isLost = this.dropsNotification();
      this.sent.push({ packet: index, isLost });
      if (!isLost) this.#notify(AUDIO, value);
      from += piece.length;
    }
  }

  /** Presses the button. `event` is 1 (tap) to 5 (released). */
  press(event: number): void {
    this.#notify(BUTTON, Uint8Array.of(event, 0, 0, 0, 0, 0, 0, 0));
  }

  setBattery(level: number): void {
    this.battery = level;
    this.#notify(BATTERY, Uint8Array.of(level));
  }

  setCharging(isCharging: boolean): void {
    this.#charging = isCharging ? 1 : 0;
    this.#notify(CHARGING_UUID, Uint8Array.of(this.#charging));
  }

  /** Deletes all stored blocks, as another phone would. A development kit then numbers its blocks from 0. */
  clear(): void {
    if (this.#model === 'cv1') this.#firstBlock += this.#blocks.length;
    this.#blocks = [];
  }

  /** Deletes the oldest blocks, as the recorder does to free storage. */
  dropOldest(count: number): void {
    this.#blocks.splice(0, count);
    this.#firstBlock += count;
  }

  read(characteristic: string): Uint8Array {
    switch (characteristic) {
      case CODEC:
        return Uint8Array.of(this.#codec);
      case BATTERY:
        return Uint8Array.of(this.battery);
      case CHARGING_UUID:
        return Uint8Array.of(this.#charging);
      case STORED_AUDIO_UUID:
        return this.#model === 'cv1' ? this.#ringStatus() : this.#fileStatus();
      case uuid('2a24'):
        return new TextEncoder().encode(this.#model === 'cv1' ? 'Omi CV 1' : 'Omi DevKit 2');
      case uuid('2a26'):
        return new TextEncoder().encode('3.0.20');
      case uuid('2a27'):
        return new TextEncoder().encode('Seeed Xiao BLE Sense');
      case uuid('2a29'):
        return new TextEncoder().encode('Based Hardware');
      default:
        return new Uint8Array();
    }
  }

  write(characteristic: string, value: Uint8Array): void {
    if (characteristic === TIME) this.clock = Buffer.from(value).readUInt32LE(0);
    if (characteristic !== STORAGE) return;
    if (this.#model === 'cv1') this.#ringCommand(Buffer.from(value));
    else this.#fileCommand(Buffer.from(value));
  }

  #notify(characteristic: string, value: Uint8Array): void {
    if (this.#subscribed.has(characteristic)) this.#phone?.notification(characteristic, value);
  }

  #store(packet: Uint8Array): void {
    if (this.#model === 'devkit1') return;
    // A block is complete if the next packet would reach its last byte.
    if (this.#block.length + packet.length + 1 >= 440) {
      // Development kits store the size of the packet that doesn't fit.
      if (this.#model === 'devkit2') this.#block.push(packet.length);
      this.#storeBlock();
    }
    this.#block.push(packet.length, ...packet);
  }

  #storeBlock(): void {
    if (this.#block.length === 0) return;
    const bytes = new Uint8Array(440);
    bytes.set(this.#block.slice(0, 440));
    this.#block = [];
    this.#blocks.push({ time: this.clock ?? 0, bytes });
  }

  #ringStatus(): Uint8Array {
    const status = Buffer.alloc(16);
    status.writeUInt32LE(this.#blocks.length * 444, 0);
    status.writeUInt32LE(this.#blocks.length, 4);
    status.writeUInt32LE(1_000_000, 8);
    status.writeUInt32LE(this.clock === null ? 0 : 1, 12);
    return status;
  }

  #ringCommand(command: Buffer): void {
    const end = this.#firstBlock + this.#blocks.length;
    const readStart = () => Number(command.readBigUInt64BE(1));
    const isStored = (start: number) => start >= this.#firstBlock && start <= end;
    switch (command[0]) {
      case 0x10: {
        const info = Buffer.alloc(31);
        info.writeUInt8(2, 0);
        info.writeBigUInt64BE(BigInt(this.#firstBlock), 1);
        info.writeBigUInt64BE(BigInt(end), 9);
        info.writeUInt32BE(100_000, 17);
        info.writeUInt16BE(444, 29);
        this.#notify(STORAGE, info);
        break;
      }
      case 0x11: {
        const requestedCount = command.length === 13 ? command.readUInt32BE(9) : 0;
        const available = end - readStart();
        if (!isStored(readStart())) this.#acknowledge(10);
        else this.#sendRecords(readStart(), Math.min(requestedCount || available, available));
        break;
      }
      case 0x12:
        if (isStored(readStart())) {
          this.dropOldest(readStart() - this.#firstBlock);
          this.#acknowledge(0);
        } else this.#acknowledge(10);
        break;
      default:
        this.#acknowledge(command[0] === 3 ? 0 : 6);
    }
  }

  #acknowledge(status: number): void {
    this.#notify(STORAGE, Uint8Array.of(1, status));
  }

  #sendRecords(start: number, count: number): void {
    const begin = Buffer.alloc(13);
    begin.writeUInt8(5, 0);
    begin.writeBigUInt64BE(BigInt(start), 1);
    begin.writeUInt32BE(count, 9);
    this.#notify(STORAGE, begin);
    const records = this.#blocks
      .slice(start - this.#firstBlock, start - this.#firstBlock + count)
      .map(({ time, bytes }) => {
        const record = Buffer.alloc(444);
        record.writeUInt32BE(time, 0);
        record.set(bytes, 4);
        return record;
      });
    this.#sendStored(Buffer.concat(records), this.#size - 1, (piece) =>
      Buffer.concat([Buffer.of(3), piece]),
    );
    const done = Buffer.alloc(10);
    done.writeUInt8(4, 0);
    done.writeBigUInt64BE(BigInt(start + count), 2);
    this.#notify(STORAGE, done);
  }

  #sendStored(bytes: Buffer, size: number, frame: (piece: Buffer) => Buffer): void {
    for (let from = 0; from < bytes.length && this.#phone; from += size) {
      if (!this.dropsStored()) this.#notify(STORAGE, frame(bytes.subarray(from, from + size)));
    }
  }

  #fileStatus(): Uint8Array {
    const status = Buffer.alloc(8);
    status.writeUInt32LE(this.#blocks.length * 440, 0);
    return status;
  }

  #fileCommand(command: Buffer): void {
    for (const code of this.#fileResponse(command)) this.#notify(STORAGE, Uint8Array.of(code));
  }

  /** Executes a command. @returns its result codes; the file's bytes are sent in between */
  *#fileResponse(command: Buffer): Generator<number> {
    const file = Buffer.concat(this.#blocks.map(({ bytes }) => bytes));
    if (command.length !== 6 && command.length !== 2) yield 6;
    else if (command[1] !== 1) yield 3;
    else if (command[0] === 0) {
      const offset = command.length === 6 ? command.readUInt32BE(2) : 0;
      if (offset >= file.length) {
        yield file.length === 0 ? 4 : 3;
        return;
      }
      yield 0;
      this.#sendStored(file.subarray(offset - (offset % 440)), 440, (piece) => piece);
      yield 100;
    } else if (command[0] === 1) {
      yield 0;
      this.clear();
      yield 200;
    } else yield command[0] === 3 ? 0 : 6;
  }
}
