import { describe, expect, it, vi } from 'vitest';
import { live } from './stores.ts';

/** Creates a live value whose reads are completed by the test. */
function setUp() {
  const reads: PromiseWithResolvers<string>[] = [];
  const errors: unknown[] = [];
  const source = { owner: 'wren' as string | null, notify: () => {} };
  const value = live(
    () => {
      reads.push(Promise.withResolvers());
      return (reads.at(-1) as PromiseWithResolvers<string>).promise;
    },
    (listener) => {
      source.notify = listener;
      return () => {
        source.notify = () => {};
      };
    },
    (error) => errors.push(error),
    () => source.owner,
  );
  return { value, reads, errors, source };
}
const waitForReads = (count: number, reads: readonly unknown[]) =>
  vi.waitFor(() => expect(reads).toHaveLength(count));

describe('a live value', () => {
  it('keeps its value without subscribers and reads it again for the next subscriber', async () => {
    const { value, reads } = setUp();
    const stop = value.subscribe(() => {});
    reads[0]?.resolve('first');
    await vi.waitFor(() => expect(value.get()).toEqual({ status: 'ready', value: 'first' }));
    stop();
    expect(value.get()).toEqual({ status: 'ready', value: 'first' });
    value.subscribe(() => {});
    await waitForReads(2, reads);
    reads[1]?.resolve('second');
    await vi.waitFor(() => expect(value.get()).toEqual({ status: 'ready', value: 'second' }));
  });

  it('is not visible to another account', async () => {
    const { value, reads, errors, source } = setUp();
    const stop = value.subscribe(() => {});
    reads[0]?.resolve('value of wren');
    await vi.waitFor(() => expect(value.get().status).toBe('ready'));
    stop();
    source.owner = 'robin';
    expect(value.get()).toEqual({ status: 'loading' });
    // React requires the same object each time.
    expect(value.get()).toBe(value.get());
    value.subscribe(() => {});
    reads[1]?.reject(new Error('cannot be read'));
    await vi.waitFor(() => expect(errors).toHaveLength(1));
    expect(value.get()).toEqual({ status: 'loading' });
    source.notify();
    reads[2]?.resolve('value of robin');
    await vi.waitFor(() =>
      expect(value.get()).toEqual({ status: 'ready', value: 'value of robin' }),
    );
  });

  it('is discarded if the account changes during the read', async () => {
    const { value, reads, source } = setUp();
    const listener = vi.fn();
    value.subscribe(listener);
    source.owner = 'robin';
    source.notify();
    reads[0]?.resolve('value of wren');
    await waitForReads(2, reads);
    expect(listener).not.toHaveBeenCalled();
    expect(value.get()).toEqual({ status: 'loading' });
    reads[1]?.resolve('value of robin');
    await vi.waitFor(() =>
      expect(value.get()).toEqual({ status: 'ready', value: 'value of robin' }),
    );
  });
});
