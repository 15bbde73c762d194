import { writable } from '@linnet/base';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createUpdate, IDLE_MS } from './update.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('an app update', () => {
  it('is offered after an idle period and activated on request', () => {
    const isWaiting = writable(false);
    const isBusy = writable(true);
    const activations: string[] = [];
    const shell = { waiting: isWaiting, takeOver: () => void activations.push('activated') };
    const { service, stop } = createUpdate(shell, isBusy.get, [isBusy]);
    expect(service.state.get()).toBe('none');
    isWaiting.set(true);
    expect(service.state.get()).toBe('none');
    isBusy.set(false);
    // A pause between two transfers is too short to count as idle.
    vi.advanceTimersByTime(IDLE_MS - 1);
    isBusy.set(true);
    isBusy.set(false);
    vi.advanceTimersByTime(IDLE_MS - 1);
    expect(service.state.get()).toBe('none');
    vi.advanceTimersByTime(1);
    expect(service.state.get()).toBe('ready');
    isBusy.set(true);
    expect(service.state.get()).toBe('none');
    isBusy.set(false);
    service.restart();
    expect(activations).toEqual(['activated']);
    stop();
    vi.advanceTimersByTime(IDLE_MS);
    expect(service.state.get()).toBe('none');
  });
});
