import { describe, expect, it } from 'vitest';
import { writable } from '../stores.ts';
import { createUpdate } from './update.ts';

describe('a new version of the app', () => {
  it('is offered only while nothing is under way, and takes over when asked to', () => {
    const waiting = writable(false);
    const busy = writable(true);
    const taken: string[] = [];
    const shell = { waiting, takeOver: () => void taken.push('over') };
    const { service, stop } = createUpdate(shell, busy.get, [busy]);
    expect(service.state.get()).toBe('none');
    waiting.set(true);
    expect(service.state.get()).toBe('none');
    busy.set(false);
    expect(service.state.get()).toBe('ready');
    busy.set(true);
    expect(service.state.get()).toBe('none');
    busy.set(false);
    service.restart();
    expect(taken).toEqual(['over']);
    stop();
    busy.set(true);
    expect(service.state.get()).toBe('ready');
  });
});
