/** Sends commands to another manufacturer's recorder, which answers with notifications. */
import { Mutex } from '@linnet/base';
import type { GattCharacteristic, GattLink } from './gatt.ts';
import { TransportError } from './transport.ts';

/** Returned by a command's handler for a notification that isn't part of the answer. */
export const unrelated = Symbol('unrelated');

export type GattCommandsOptions = {
  readonly write: GattCharacteristic;
  readonly notify: readonly GattCharacteristic[];
  /** How long the recorder may stay silent, in milliseconds. */
  readonly silenceMs: number;
  readonly createSilenceError: () => Error;
  /** Called with notifications that arrive while no command is in progress. */
  readonly onUnexpected?: (bytes: Uint8Array, from: GattCharacteristic) => void;
};

/** A command in progress. Receives all notifications until it's settled. */
type Exchange = {
  handle(bytes: Uint8Array, from: GattCharacteristic): void;
  fail(error: unknown): void;
};

/** Sends commands, one at a time, and passes notifications to the command in progress. */
export class GattCommands {
  readonly #link: GattLink;
  readonly #options: GattCommandsOptions;
  readonly #mutex = new Mutex();
  #current: Exchange | null = null;

  constructor(link: GattLink, options: GattCommandsOptions) {
    this.#link = link;
    this.#options = options;
    link.onClosed(() => this.#current?.fail(new TransportError('link_lost')));
  }

  /** @throws {TransportError} */
  async open(): Promise<void> {
    for (const from of this.#options.notify) {
      await this.#link.subscribe(from, (bytes) => {
        if (this.#current) this.#current.handle(bytes, from);
        else this.#options.onUnexpected?.(bytes, from);
      });
    }
  }

  /**
   * Sends a command and waits for its result.
   * @param handle called with each notification; returns the result once it's complete, `undefined` before that, or
   *   {@link unrelated}, which doesn't restart the silence timeout; may throw
   * @throws the error of `createSilenceError`, `signal.reason`, or the error of `handle`
   * @throws {TransportError}
   */
  run<T>(
    command: Uint8Array,
    handle: (bytes: Uint8Array, from: GattCharacteristic) => T | typeof unrelated | undefined,
    signal?: AbortSignal,
  ): Promise<T> {
    return this.#mutex.run(async () => {
      signal?.throwIfAborted();
      const result = Promise.withResolvers<T>();
      let timer: ReturnType<typeof setTimeout> | undefined;
      const restartTimer = () => {
        clearTimeout(timer);
        const { silenceMs, createSilenceError } = this.#options;
        timer = setTimeout(() => result.reject(createSilenceError()), silenceMs);
      };
      const onAbort = () => result.reject(signal?.reason);
      signal?.addEventListener('abort', onAbort);
      this.#current = {
        handle(bytes, from) {
          try {
            const value = handle(bytes, from);
            if (value === unrelated) return;
            restartTimer();
            if (value !== undefined) result.resolve(value);
          } catch (error) {
            result.reject(error);
          }
        },
        fail: result.reject,
      };
      restartTimer();
      try {
        await Promise.race([this.#link.write(this.#options.write, command), result.promise]);
        return await result.promise;
      } finally {
        this.#current = null;
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      }
    });
  }
}
