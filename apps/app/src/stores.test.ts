import { describe, expect, it, vi } from 'vitest';
import { live } from './stores.ts';

/** Values that are read when the test says so, for whoever it says. */
function source() {
  const reads: PromiseWithResolvers<string>[] = [];
  const errors: unknown[] = [];
  const now = { owner: 'wren' as string | null, tell: () => {} };
  const value = live(
    () => {
      reads.push(Promise.withResolvers());
      return (reads.at(-1) as PromiseWithResolvers<string>).promise;
    },
    (listener) => {
      now.tell = listener;
      return () => {
        now.tell = () => {};
      };
    },
    (error) => errors.push(error),
    () => now.owner,
  );
  return { value, reads, errors, now };
}
const read = (count: number, reads: readonly unknown[]) =>
  vi.waitFor(() => expect(reads).toHaveLength(count));

describe('what is read from a source', () => {
  it('stays while nobody listens, and is read again for the next who does', async () => {
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

  it('is nobody else’s: the next account waits for its own', async () => {
    const { value, reads, errors, now } = source();
    const stop = value.subscribe(() => {});
    reads[0]?.resolve('of the wren');
    await vi.waitFor(() => expect(value.get().status).toBe('ready'));
    stop();
    now.owner = 'robin';
    expect(value.get()).toEqual({ status: 'loading' });
    // The very same each time, as whoever draws it expects.
    expect(value.get()).toBe(value.get());
    value.subscribe(() => {});
    reads[1]?.reject(new Error('cannot be read'));
    await vi.waitFor(() => expect(errors).toHaveLength(1));
    expect(value.get()).toEqual({ status: 'loading' });
    now.tell();
    reads[2]?.resolve('of the robin');
    await vi.waitFor(() => expect(value.get()).toEqual({ status: 'ready', value: 'of the robin' }));
  });

  it('is dropped when it comes after its owner left', async () => {
    const { value, reads, now } = source();
    const told = vi.fn();
    value.subscribe(told);
    now.owner = 'robin';
    now.tell();
    reads[0]?.resolve('of the wren');
    await read(2, reads);
    expect(told).not.toHaveBeenCalled();
    expect(value.get()).toEqual({ status: 'loading' });
    reads[1]?.resolve('of the robin');
    await vi.waitFor(() => expect(value.get()).toEqual({ status: 'ready', value: 'of the robin' }));
  });
});
