import type { ConnectionStatusChangeListener, ConnectionType } from '@capacitor/network';
import { describe, expect, it, vi } from 'vitest';
import { watchPhoneNetwork } from './network.ts';

function setUp(status: Promise<ConnectionType>) {
  let listener: ConnectionStatusChangeListener = () => {};
  const errors: unknown[] = [];
  const network = watchPhoneNetwork((error) => errors.push(error), {
    getStatus: async () => ({ connected: true, connectionType: await status }),
    addListener: async (_, newListener) => {
      listener = newListener;
      return { remove: async () => {} };
    },
  });
  const onChange = vi.fn();
  network.subscribe(onChange);
  return {
    network,
    onChange,
    errors,
    emit: (connectionType: ConnectionType) =>
      listener({ connected: connectionType !== 'none', connectionType }),
  };
}

describe('watchPhoneNetwork', () => {
  it.each([
    ['wifi', 'fixed'],
    ['cellular', 'mobile'],
    ['unknown', 'unknown'],
  ] as const)('reports the connection type %s as %s', async (type, kind) => {
    const { network } = setUp(Promise.resolve(type));
    await vi.waitFor(() => expect(network.get()).toBe(kind));
  });

  it('reports a mobile network until the status is known', async () => {
    const status = Promise.withResolvers<ConnectionType>();
    const { network, onChange } = setUp(status.promise);
    expect(network.get()).toBe('mobile');
    status.resolve('wifi');
    await vi.waitFor(() => expect(network.get()).toBe('fixed'));
    expect(onChange).toHaveBeenCalledOnce();
  });

  it('reports changes and keeps the last kind while offline', async () => {
    const { network, onChange, emit } = setUp(Promise.resolve('wifi'));
    await vi.waitFor(() => expect(network.get()).toBe('fixed'));
    emit('none');
    expect(network.get()).toBe('fixed');
    emit('cellular');
    expect(network.get()).toBe('mobile');
    expect(onChange).toHaveBeenCalledTimes(2);
  });

  it('ignores the initial status if a change was reported first', async () => {
    const status = Promise.withResolvers<ConnectionType>();
    const { network, emit } = setUp(status.promise);
    await Promise.resolve();
    emit('cellular');
    status.resolve('wifi');
    await status.promise;
    await Promise.resolve();
    expect(network.get()).toBe('mobile');
  });

  it('reports an unknown network if the status request fails', async () => {
    const { network, errors } = setUp(Promise.reject(new Error('no')));
    await vi.waitFor(() => expect(network.get()).toBe('unknown'));
    expect(errors).toHaveLength(1);
  });
});
