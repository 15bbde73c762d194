import type { ConnectionStatusChangeListener, ConnectionType } from '@capacitor/network';
import { describe, expect, it, vi } from 'vitest';
import { watchPhoneNetwork } from './network.ts';

function phone(status: Promise<ConnectionType>) {
  let listener: ConnectionStatusChangeListener = () => {};
  const errors: unknown[] = [];
  const network = watchPhoneNetwork((error) => errors.push(error), {
    getStatus: async () => ({ connected: true, connectionType: await status }),
    addListener: async (_, follow) => {
      listener = follow;
      return { remove: async () => {} };
    },
  });
  const changed = vi.fn();
  network.subscribe(changed);
  return {
    ...{ network, changed, errors },
    emit: (connectionType: ConnectionType) =>
      listener({ connected: connectionType !== 'none', connectionType }),
  };
}

describe("a phone's network", () => {
  it.each([
    ['wifi', 'fixed'],
    ['cellular', 'mobile'],
    ['unknown', 'unknown'],
  ] as const)('that is called %s is %s', async (type, kind) => {
    const { network } = phone(Promise.resolve(type));
    await vi.waitFor(() => expect(network.get()).toBe(kind));
  });

  it('counts as mobile until the phone reports it', async () => {
    const status = Promise.withResolvers<ConnectionType>();
    const { network, changed } = phone(status.promise);
    expect(network.get()).toBe('mobile');
    status.resolve('wifi');
    await vi.waitFor(() => expect(network.get()).toBe('fixed'));
    expect(changed).toHaveBeenCalledOnce();
  });

  it('follows changes, and retains its kind while offline', async () => {
    const { network, changed, emit } = phone(Promise.resolve('wifi'));
    await vi.waitFor(() => expect(network.get()).toBe('fixed'));
    emit('none');
    expect(network.get()).toBe('fixed');
    emit('cellular');
    expect(network.get()).toBe('mobile');
    expect(changed).toHaveBeenCalledTimes(2);
  });

  it('prefers a change over an earlier request', async () => {
    const status = Promise.withResolvers<ConnectionType>();
    const { network, emit } = phone(status.promise);
    await Promise.resolve();
    emit('cellular');
    status.resolve('wifi');
    await status.promise;
    await Promise.resolve();
    expect(network.get()).toBe('mobile');
  });

  it('is unknown if the status request fails', async () => {
    const { network, errors } = phone(Promise.reject(new Error('no')));
    await vi.waitFor(() => expect(network.get()).toBe('unknown'));
    expect(errors).toHaveLength(1);
  });
});
