import { writable } from '@linnet/base';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createUpdate, IDLE_MS } from './update.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('an app update', () => {
  it('is offered after an idle period and activated on request', () => {
    const waiting = writable(false);
    const busy = writable(true);
    const activations: string[] = [];
    const shell = { waiting, takeOver: () => void activations.push('activated') };
    const { service, stop } = createUpdate(shell, busy.get, [busy]);
    expect(service.state.get()).toBe('none');
    waiting.set(true);
    expect(service.state.get()).toBe('none');
    busy.set(false);
    // A pause between two transfers is too short to count as idle.
    vi.advanceTimersByTime(IDLE_MS - 1);
    busy.set(true);
    busy.set(false);
    vi.advanceTimersByTime(IDLE_MS - 1);
    expect(service.state.get()).toBe('none');
    vi.advanceTimersByTime(1);
    expect(service.state.get()).toBe('ready');
    busy.set(true);
    expect(service.state.get()).toBe('none');
    busy.set(false);
    service.restart();
    expect(activations).toEqual(['activated']);
    stop();
    vi.advanceTimersByTime(IDLE_MS);
    expect(service.state.get()).toBe('none');
  });
});
