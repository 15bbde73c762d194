/** An open session with a Pocket. */
import { type Store, writable } from '@linnet/base';
import type { GattCharacteristic, GattLink } from '@linnet/device/gatt';
import { GattCommands, unrelated } from '@linnet/device/gatt-commands';
import { type CloseReason, TransportError, type Unsubscribe } from '@linnet/device/transport';
import { PocketError } from './errors.ts';
import { characteristics, MAX_ENTRIES, MAX_FILE_BYTES } from './layout.ts';
import { commands, decodeResponse, type PocketFile, type PocketResponse } from './messages.ts';
import { isWholeMp3 } from './mp3.ts';

/** The recorder's status. Values are null if not reported. */
export type PocketStatus = {
  /** The charge in percent. */
  readonly battery: number | null;
  /**
   * Storage space. The protocol document gives the unit as kilobytes, but that is doubtful, so rely only on the ratio.
   */
  readonly space: { readonly used: number; readonly total: number } | null;
  readonly isIdle: boolean | null;
};

/** Timeouts in milliseconds. */
export type PocketTiming = {
  /** How long the recorder may stay silent during a command or a file. */
  readonly silence: number;
  /** How long to wait after the last byte of an earlier file before reading the next one. */
  readonly quietPeriod: number;
};

const defaultTiming: PocketTiming = { silence: 10_000, quietPeriod: 2_000 };
/** The number of attempts for a command whose response is lost or incomplete. */
const ATTEMPTS = 3;

export type ReadOptions = {
  /** Called with the number of received bytes and the file's size. */
  readonly onProgress?: (bytes: number, size: number) => void;
  readonly signal?: AbortSignal;
};

export type PocketList = {
  readonly files: readonly PocketFile[];
  /** True if the recordings of every date could be listed. */
  readonly isComplete: boolean;
};

export interface PocketSession {
  readonly deviceId: string;
  readonly name: string;
  /** Empty if the recorder doesn't report it. */
  readonly firmware: string;
  readonly status: Store<PocketStatus>;
  /** Reads the status again. @throws {TransportError} */
  refresh(): Promise<void>;
  /**
   * Lists the recordings. Omits dates whose list can't be read.
   * @throws {PocketError} `list_incomplete`, `silent` if the dates can't be listed
   * @throws {TransportError}
   */
  list(): Promise<PocketList>;
  /**
   * Lists the recordings of a date.
   * @throws {PocketError} `list_incomplete`, `silent`
   * @throws {TransportError}
   */
  listDate(date: string): Promise<readonly PocketFile[]>;
  /**
   * Reads a file from its start. The protocol has no stop command, so close the session after aborting.
   * @throws {PocketError} `silent`, `file_incomplete`, `file_damaged`, `file_too_large`
   * @throws {TransportError}
   * @throws `signal.reason` if aborted
   */
  read(file: PocketFile, options?: ReadOptions): Promise<Uint8Array<ArrayBuffer>>;
  onClosed(listener: (reason: CloseReason) => void): Unsubscribe;
  close(): Promise<void>;
}

type ResponseOf<T extends PocketResponse['type']> = Extract<PocketResponse, { type: T }>;

/** Returns a response if it has the requested type. */
function parseResponse<T extends PocketResponse['type']>(
  bytes: Uint8Array,
  type: T,
): ResponseOf<T> | null {
  const response = decodeResponse(bytes);
  return response !== null && isResponse(response, type) ? response : null;
}
function isResponse<T extends PocketResponse['type']>(
  response: PocketResponse,
  type: T,
): response is ResponseOf<T> {
  return response.type === type;
}

/** Retries an operation that fails with one of these codes. */
async function retry<T>(codes: readonly string[], run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      const isRetryable = error instanceof PocketError && codes.includes(error.code);
      if (!isRetryable || attempt >= ATTEMPTS) throw error;
    }
  }
}

/** @throws {PocketError} `file_too_large` if there isn't enough memory */
function allocate(size: number): Uint8Array<ArrayBuffer> {
  try {
    return new Uint8Array(size);
  } catch (cause) {
    if (cause instanceof RangeError) throw new PocketError('file_too_large', { cause });
    throw cause;
  }
}

/** Collects the bytes of a file. */
class ReceivedFile {
  readonly #onProgress: ReadOptions['onProgress'];
  #bytes: Uint8Array<ArrayBuffer> | null = null;
  #size = 0;

  constructor(onProgress: ReadOptions['onProgress']) {
    this.#onProgress = onProgress;
  }

  /**
   * Sets the file's size, which the recorder announces before its bytes.
   * @throws {PocketError} `file_too_large`, `file_incomplete` if the file is empty
   */
  start(size: number): typeof unrelated | undefined {
    if (this.#bytes) return unrelated;
    if (size > MAX_FILE_BYTES) throw new PocketError('file_too_large');
    if (size === 0) throw new PocketError('file_incomplete');
    this.#bytes = allocate(size);
    this.#onProgress?.(0, size);
    return undefined;
  }

  /**
   * @returns the file if it is now complete, `unrelated` if the bytes belong to another file, and undefined otherwise
   * @throws {PocketError} `file_incomplete`, `file_damaged`
   */
  add(bytes: Uint8Array): Uint8Array<ArrayBuffer> | typeof unrelated | undefined {
    const file = this.#bytes;
    // Bytes before the announcement belong to an earlier file.
    if (!file) return unrelated;
    if (this.#size + bytes.length > file.length) throw new PocketError('file_incomplete');
    file.set(bytes, this.#size);
    this.#size += bytes.length;
    this.#onProgress?.(this.#size, file.length);
    if (this.#size < file.length) return undefined;
    if (!isWholeMp3(file)) throw new PocketError('file_damaged');
    return file;
  }

  /** True if the size is known. If the recorder falls silent after that, bytes are missing. */
  get hasSize(): boolean {
    return this.#bytes !== null;
  }
}

class OpenSession implements PocketSession {
  firmware = '';
  readonly status = writable<PocketStatus>({ battery: null, space: null, isIdle: null });
  readonly #link: GattLink;
  readonly #commands: GattCommands;
  readonly #quietPeriodMs: number;
  /** Settles once no bytes of an earlier file have arrived for a while. */
  #quietPeriod: Promise<void> = Promise.resolve();

  constructor(link: GattLink, { silence, quietPeriod }: PocketTiming) {
    this.#link = link;
    this.#quietPeriodMs = quietPeriod;
    this.#commands = new GattCommands(link, {
      write: characteristics.command,
      notify: [characteristics.response, characteristics.data],
      silenceMs: silence,
      createSilenceError: () => new PocketError('silent'),
      onUnexpected: (_, from) => {
        if (from === characteristics.data) this.#restartQuietPeriod();
      },
    });
  }

  get deviceId(): string {
    return this.#link.deviceId;
  }

  get name(): string {
    return this.#link.name;
  }

  async start(key: string, now: number): Promise<void> {
    await this.#commands.open();
    if (!(await this.#sendKey(key))) throw new PocketError('key_refused');
    await this.#askOptional(commands.setClock(now), 'clock');
    this.firmware = (await this.#askOptional(commands.firmware, 'firmware'))?.version ?? '';
    await this.refresh();
  }

  async refresh(): Promise<void> {
    const battery = await this.#askOptional(commands.battery, 'battery');
    const space = await this.#askOptional(commands.space, 'space');
    const state = await this.#askOptional(commands.state, 'state');
    this.status.set({
      battery: battery?.percent ?? null,
      space: space && { used: space.used, total: space.total },
      isIdle: state && state.code === 0,
    });
  }

  async list(): Promise<PocketList> {
    const dates = await retry(['silent', 'list_incomplete'], () => this.#listDates());
    const files: PocketFile[] = [];
    let isComplete = true;
    for (const date of dates) {
      try {
        files.push(...(await this.listDate(date)));
      } catch (error) {
        if (!(error instanceof PocketError)) throw error;
        isComplete = false;
      }
    }
    return { files, isComplete };
  }

  listDate(date: string): Promise<readonly PocketFile[]> {
    return retry(['silent', 'list_incomplete'], () => this.#listFiles(date));
  }

  async read(file: PocketFile, options: ReadOptions = {}): Promise<Uint8Array<ArrayBuffer>> {
    await this.#waitUntilQuiet(options.signal);
    const received = new ReceivedFile(options.onProgress);
    try {
      return await this.#commands.run(
        commands.readFile(file),
        (bytes, from) => {
          if (from === characteristics.data) {
            if (!received.hasSize) this.#restartQuietPeriod();
            return received.add(bytes);
          }
          const size = parseResponse(bytes, 'size');
          return size ? received.start(size.bytes) : unrelated;
        },
        options.signal,
      );
    } catch (error) {
      this.#restartQuietPeriod();
      const isSilent = error instanceof PocketError && error.code === 'silent';
      if (isSilent && received.hasSize) throw new PocketError('file_incomplete');
      throw error;
    }
  }

  onClosed(listener: (reason: CloseReason) => void): Unsubscribe {
    return this.#link.onClosed(listener);
  }

  close(): Promise<void> {
    return this.#link.close();
  }

  /** @returns true if the recorder accepts the key. @throws {PocketError} `key_hang_up`, `silent` */
  async #sendKey(key: string): Promise<boolean> {
    try {
      return (await this.#ask(commands.openSession(key), 'key')).isAccepted;
    } catch (cause) {
      const isLost = cause instanceof TransportError && cause.code === 'link_lost';
      throw isLost ? new PocketError('key_hang_up', { cause }) : cause;
    }
  }

  #ask<T extends PocketResponse['type']>(command: Uint8Array, type: T): Promise<ResponseOf<T>> {
    return retry(['silent'], () =>
      this.#commands.run(command, (bytes) => parseResponse(bytes, type) ?? unrelated),
    );
  }

  /** Sends a command and returns its response, or null if the recorder doesn't respond. */
  async #askOptional<T extends PocketResponse['type']>(
    command: Uint8Array,
    type: T,
  ): Promise<ResponseOf<T> | null> {
    try {
      return await this.#ask(command, type);
    } catch (error) {
      if (error instanceof PocketError && error.code === 'silent') return null;
      throw error;
    }
  }

  /** Sends a command whose response is a list followed by the number of entries. */
  #askList<Entry>(
    command: Uint8Array,
    toEntry: (response: PocketResponse) => readonly [key: string, entry: Entry] | null,
    end: 'dates' | 'files',
  ): Promise<Entry[]> {
    const entries = new Map<string, Entry>();
    return this.#commands.run(command, (bytes) => {
      const response = decodeResponse(bytes);
      if (!response) return unrelated;
      if (response.type === end) {
        if (response.count !== entries.size) throw new PocketError('list_incomplete');
        return [...entries.values()];
      }
      const entry = toEntry(response);
      if (!entry) return unrelated;
      entries.set(...entry);
      if (entries.size > MAX_ENTRIES) throw new PocketError('list_incomplete');
      return undefined;
    });
  }

  #listDates(): Promise<string[]> {
    const toEntry = (response: PocketResponse) =>
      response.type === 'date' ? ([response.date, response.date] as const) : null;
    return this.#askList(commands.listDates, toEntry, 'dates');
  }

  #listFiles(date: string): Promise<PocketFile[]> {
    const toEntry = (response: PocketResponse) =>
      response.type === 'file' && response.file.date === date
        ? ([response.file.time, response.file] as const)
        : null;
    return this.#askList(commands.listFiles(date), toEntry, 'files');
  }

  #restartQuietPeriod(): void {
    this.#quietPeriod = new Promise((resolve) => setTimeout(resolve, this.#quietPeriodMs));
  }

  /** Waits until an earlier file has stopped arriving, so that two files can't be mixed up. */
  async #waitUntilQuiet(signal: AbortSignal | undefined): Promise<void> {
    let period: Promise<void>;
    do {
      period = this.#quietPeriod;
      await period;
      signal?.throwIfAborted();
    } while (period !== this.#quietPeriod);
  }
}

const required: readonly GattCharacteristic[] = [characteristics.command, characteristics.data];

/** Returns whether a device has the services of a Pocket. @throws {TransportError} */
export async function isPocket(link: GattLink): Promise<boolean> {
  for (const { service } of required) if (!(await link.has(service))) return false;
  return true;
}

/**
 * Opens a session and sets the recorder's clock. On failure, the link is closed.
 * @param key the session key, a secret
 * @param now the current time in milliseconds since 1970
 * @throws {PocketError} `key_refused`, `key_hang_up`, `silent`
 * @throws {TransportError} `not_a_recorder` if it isn't a Pocket, `link_lost`
 */
export async function openPocketSession(
  link: GattLink,
  key: string,
  now: number,
  timing = defaultTiming,
): Promise<PocketSession> {
  try {
    if (!(await isPocket(link))) throw new TransportError('not_a_recorder');
    const session = new OpenSession(link, timing);
    await session.start(key, now);
    return session;
  } catch (error) {
    await link.close();
    throw error;
  }
}
