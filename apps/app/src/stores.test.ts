import { describe, expect, it, vi } from 'vitest';
import { live } from './stores.ts';

/** A source whose reads complete when the test says so. */
function source() {
  const reads: PromiseWithResolvers<string>[] = [];
  const errors: unknown[] = [];
  const now = { owner: 'wren' as string | null, notify: () => {} };
  const value = live(
    () => {
      reads.push(Promise.withResolvers());
      return (reads.at(-1) as PromiseWithResolvers<string>).promise;
    },
    (listener) => {
      now.notify = listener;
      return () => {
        now.notify = () => {};
      };
    },
    (error) => errors.push(error),
    () => now.owner,
  );
  return { value, reads, errors, now };
}
const read = (count: number, reads: readonly unknown[]) =>
  vi.waitFor(() => expect(reads).toHaveLength(count));

describe('a live value', () => {
  it('retains its value without subscribers, and is read again for the next subscriber', async () => {
    const { value, reads } = source();
    const stop = value.subscribe(() => {});
    reads[0]?.resolve('first');
    await vi.waitFor(() => expect(value.get()).toEqual({ status: 'ready', value: 'first' }));
    stop();
    expect(value.get()).toEqual({ status: 'ready', value: 'first' });
    value.subscribe(() => {});
    await read(2, reads);
    reads[1]?.resolve('second');
    await vi.waitFor(() => expect(value.get()).toEqual({ status: 'ready', value: 'second' }));
  });

  it('is never shown to another account', async () => {
    const { value, reads, errors, now } = source();
    const stop = value.subscribe(() => {});
    reads[0]?.resolve('of the wren');
    await vi.waitFor(() => expect(value.get().status).toBe('ready'));
    stop();
    now.owner = 'robin';
    expect(value.get()).toEqual({ status: 'loading' });
    // The same object each time, as React requires.
    expect(value.get()).toBe(value.get());
    value.subscribe(() => {});
    reads[1]?.reject(new Error('cannot be read'));
    await vi.waitFor(() => expect(errors).toHaveLength(1));
    expect(value.get()).toEqual({ status: 'loading' });
    now.notify();
    reads[2]?.resolve('of the robin');
    await vi.waitFor(() => expect(value.get()).toEqual({ status: 'ready', value: 'of the robin' }));
  });

  it('is discarded if the account changed during the read', async () => {
    const { value, reads, now } = source();
    const listener = vi.fn();
    value.subscribe(listener);
    now.owner = 'robin';
    now.notify();
    reads[0]?.resolve('of the wren');
    await read(2, reads);
    expect(listener).not.toHaveBeenCalled();
    expect(value.get()).toEqual({ status: 'loading' });
    reads[1]?.resolve('of the robin');
    await vi.waitFor(() => expect(value.get()).toEqual({ status: 'ready', value: 'of the robin' }));
  });
});
