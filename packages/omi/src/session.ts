/** An open session with an Omi. */
import { type Store, type Writable, writable } from '@linnet/base';
import type { GattCharacteristic, GattLink } from '@linnet/device/gatt';
import { type CloseReason, TransportError, type Unsubscribe } from '@linnet/device/transport';
import { type OmiCodec, omiCodec } from './codecs.ts';
import { OmiError } from './errors.ts';
import { type ButtonEvent, characteristics, readBattery, readButton } from './layout.ts';
import { type AudioItem, PacketAssembler } from './packets.ts';
import { type OmiStorage, openStorage } from './storage.ts';

export type OmiInfo = {
  /** Empty if the recorder doesn't report it. */
  readonly manufacturer: string;
  readonly model: string;
  readonly hardware: string;
  readonly firmware: string;
};

export type OmiPower = {
  /** The charge in percent, or null if unknown. */
  readonly level: number | null;
  readonly isCharging: boolean;
};

/** The audio stream from the recorder. */
export type LiveAudio = {
  /** Passes the last packet to the listener. Losses before the next packet aren't counted. */
  flush(): void;
  /** Stops the audio. The recorder stores what follows. */
  stop(): Promise<void>;
};

export interface OmiSession {
  readonly deviceId: string;
  readonly name: string;
  readonly info: OmiInfo;
  readonly codec: OmiCodec;
  readonly power: Store<OmiPower>;
  /** Null if the recorder stores no recordings. */
  readonly storage: OmiStorage | null;
  /**
   * Starts the audio. It ends with the session at the latest.
   * @param listener receives packets and losses in order
   * @throws {TransportError}
   */
  startAudio(listener: (items: readonly AudioItem[]) => void): Promise<LiveAudio>;
  onButton(listener: (event: ButtonEvent) => void): Promise<void>;
  onClosed(listener: (reason: CloseReason) => void): Unsubscribe;
  close(): Promise<void>;
}

/** Runs an operation on a characteristic that some recorders lack. */
async function optional<T>(run: () => Promise<T>): Promise<T | null> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof TransportError && error.code === 'not_a_recorder') return null;
    throw error;
  }
}

async function readText(link: GattLink, from: GattCharacteristic): Promise<string> {
  const bytes = await optional(() => link.read(from));
  return bytes ? new TextDecoder().decode(bytes).replace(/\0+$/, '') : '';
}

async function watchPower(link: GattLink, power: Writable<OmiPower>): Promise<void> {
  const onLevel = (bytes: Uint8Array) =>
    power.set({ ...power.get(), level: readBattery(bytes) ?? power.get().level });
  const onCharging = (bytes: Uint8Array) =>
    power.set({ ...power.get(), isCharging: bytes[0] === 1 });
  for (const [from, listener] of [
    [characteristics.battery, onLevel],
    [characteristics.charging, onCharging],
  ] as const) {
    await optional(async () => {
      listener(await link.read(from));
      await link.subscribe(from, listener);
    });
  }
}

/** Encodes the time for the recorder's clock, which dates stored recordings. */
function timeBytes(now: number): Uint8Array {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, Math.floor(now / 1000), true);
  return bytes;
}

/**
 * Opens a session. On failure, the link is closed.
 * @param now returns the current time in milliseconds since 1970
 * @throws {TransportError} `not_a_recorder` if it isn't an Omi, `link_lost`
 * @throws {OmiError} `codec_unknown`
 */
export async function openOmiSession(link: GattLink, now: () => number): Promise<OmiSession> {
  try {
    const [id] = await link.read(characteristics.codec);
    const codec = omiCodec(id ?? Number.NaN);
    if (!codec) throw new OmiError('codec_unknown', { cause: new RangeError(`codec ${id}`) });
    const info: OmiInfo = {
      manufacturer: await readText(link, characteristics.manufacturer),
      model: await readText(link, characteristics.model),
      hardware: await readText(link, characteristics.hardware),
      firmware: await readText(link, characteristics.firmware),
    };
    const power = writable<OmiPower>({ level: null, isCharging: false });
    await watchPower(link, power);
    await optional(() => link.write(characteristics.time, timeBytes(now())));
    const storage = await openStorage(link);
    return {
      deviceId: link.deviceId,
      name: link.name,
      info,
      codec,
      power,
      storage,
      async startAudio(listener) {
        const assembler = new PacketAssembler(codec);
        const emit = (items: readonly AudioItem[]) => {
          if (items.length > 0) listener(items);
        };
        const forget = link.onClosed(() => emit(assembler.end()));
        const unsubscribe = await link.subscribe(characteristics.audio, (bytes) =>
          emit(assembler.push(bytes)),
        );
        const flush = () => emit(assembler.end());
        return {
          flush,
          async stop() {
            forget();
            flush();
            await unsubscribe();
          },
        };
      },
      async onButton(listener) {
        await optional(() =>
          link.subscribe(characteristics.button, (bytes) => {
            const event = readButton(bytes);
            if (event) listener(event);
          }),
        );
      },
      onClosed: (listener) => link.onClosed(listener),
      close: () => link.close(),
    };
  } catch (error) {
    await link.close();
    throw error;
  }
}
