import type { Omi } from '@linnet/app/omi';
import type { EmulatedGatt } from '@linnet/device/testing';
import { expect } from 'vitest';
import { waitUntil } from './wait-until.ts';

/** The commands that recorders of all manufacturers support. */
type Service = Pick<Omi['service'], 'reconnect' | 'disconnect' | 'forget'> & {
  readonly state: { get(): { readonly status: string } };
};

/** An app with another manufacturer's recorder in range that hasn't been added. */
type ForeignApp = {
  readonly recorder: EmulatedGatt;
  readonly service: Service;
  /** Adds the recorder, providing everything it asks for. */
  add(): Promise<unknown>;
  /** Restarts the app and returns its service. */
  restart(): Promise<Service>;
};

export type ForeignHarness = {
  /** The test runner's interface. */
  test(name: string, run: () => Promise<void>): void;
  open(): Promise<ForeignApp>;
};

/** Tests that another manufacturer's recorder can be added, lost, disconnected and removed. */
export function foreignContract({ test, open }: ForeignHarness): void {
  const waitForConnection = (service: Service) =>
    waitUntil('the recorder is connected', () => service.state.get().status === 'connected');

  test('is absent until it is added', async () => {
    const { service, recorder, add } = await open();
    expect(service.state.get()).toEqual({ status: 'none' });
    expect(await service.reconnect()).toMatchObject({ ok: false });
    expect(recorder.isConnected).toBe(false);
    await add();
    await waitForConnection(service);
    expect(recorder.isConnected).toBe(true);
  });

  test('reconnects after the link is lost, and after a restart of the app', async () => {
    const { service, recorder, add, restart } = await open();
    await add();
    await waitForConnection(service);
    recorder.cut();
    expect(service.state.get()).toMatchObject({ status: 'reconnecting', reason: 'lost' });
    await waitForConnection(service);
    const restarted = await restart();
    await waitForConnection(restarted);
  });

  test('stays disconnected on request', async () => {
    const { service, recorder, add } = await open();
    await add();
    await waitForConnection(service);
    await service.disconnect();
    expect(service.state.get()).toMatchObject({ status: 'idle', reason: 'closed' });
    expect(recorder.isConnected).toBe(false);
    expect(await service.reconnect()).toEqual({ ok: true, data: null });
    await waitForConnection(service);
  });

  test('is forgotten once it is removed', async () => {
    const { service, recorder, add, restart } = await open();
    await add();
    await waitForConnection(service);
    await service.forget();
    expect(service.state.get()).toEqual({ status: 'none' });
    expect(recorder.isConnected).toBe(false);
    const restarted = await restart();
    expect(restarted.state.get()).toEqual({ status: 'none' });
    expect(await restarted.reconnect()).toMatchObject({ ok: false });
  });
}
