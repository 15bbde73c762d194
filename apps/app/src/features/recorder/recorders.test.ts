import { writable } from '@linnet/base';
import { type Recorder, type RecorderActivity, recorderCapabilities } from '@linnet/recorders';
import type { MicrophoneAvailability } from '@linnet/sync';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { OmiState } from '../../ports/omi.ts';
import type { LinkState, RecorderFailure } from '../../ports/recorder.ts';
import { createRecorders } from './recorders.ts';

const idle: RecorderActivity = { state: 'idle' };
const starting: RecorderActivity = { state: 'starting' };
const unbound: LinkState = { status: 'none' };
const bound: LinkState = { status: 'idle', reason: 'closed', sn: 'LN24A70000A1', name: 'Linnet' };

beforeEach(() => {
  const items = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
  });
});
afterEach(() => vi.unstubAllGlobals());

function createFixture(
  linkState: LinkState,
  availability: MicrophoneAvailability = { status: 'ready', willPrompt: true },
) {
  const link = writable(linkState);
  const activities = {
    linnet: writable(idle),
    omi: writable<RecorderActivity>({ state: 'disconnected' }),
    'this-device': writable(idle),
  };
  const omi = writable<OmiState>({ status: 'none' });
  const createRecorder = (kind: Recorder<never>['kind']): Recorder<RecorderFailure> => {
    const command = async () => ({ ok: true, data: null }) as const;
    return {
      kind,
      capabilities: recorderCapabilities[kind],
      activity: activities[kind],
      audioLevels: writable({ recordId: null, levelCount: 0, levels: [] }),
      start: command,
      stop: command,
      pause: command,
      resume: command,
      continue: command,
    };
  };
  const microphone = {
    availability: async () => availability,
    inputs: async () => [],
    input: writable<string | null>(null),
    chooseInput: () => {},
    isCallNoticeRead: writable(false),
    markCallNoticeRead: () => {},
  };
  const recorders = createRecorders({
    linnet: createRecorder('linnet'),
    omi: { recorder: createRecorder('omi'), service: { state: omi } },
    thisDevice: { recorder: createRecorder('this-device'), microphone },
    link,
    onError: (error) => expect.unreachable(String(error)),
  });
  return { recorders, link, omi, activities };
}

it('uses this device until a recorder is bound', () => {
  const { recorders, link } = createFixture(unbound);
  expect(recorders.current.get()).toBe('this-device');
  link.set(bound);
  expect(recorders.current.get()).toBe('linnet');
});

it('uses this device despite a bound recorder if the user chooses it, even after a restart', () => {
  const { recorders } = createFixture(bound);
  recorders.choose('this-device');
  expect(recorders.current.get()).toBe('this-device');
  expect(createFixture(bound).recorders.current.get()).toBe('this-device');
  recorders.choose('linnet');
  expect(recorders.current.get()).toBe('linnet');
});

it('uses an Omi if no recorder is bound, or if the user chooses it', () => {
  const { recorders, link, omi } = createFixture(unbound);
  omi.set({ status: 'connecting', name: 'Omi' });
  expect(recorders.current.get()).toBe('omi');
  link.set(bound);
  expect(recorders.current.get()).toBe('linnet');
  recorders.choose('omi');
  expect(recorders.current.get()).toBe('omi');
  omi.set({ status: 'none' });
  expect(recorders.current.get()).toBe('linnet');
});

it('does not switch away from a recorder that is recording', () => {
  const { recorders, activities } = createFixture(bound);
  activities.linnet.set(starting);
  recorders.choose('this-device');
  expect(recorders.current.get()).toBe('linnet');
  activities.linnet.set(idle);
  expect(recorders.current.get()).toBe('this-device');
});

it('does not use a microphone that the browser does not support', async () => {
  const { recorders } = createFixture(unbound, { status: 'unavailable', code: 'unsupported' });
  await expect.poll(() => recorders.current.get()).toBe('linnet');
});

it('keeps a microphone that the user has denied access to, because the failure must be explained', async () => {
  const denied = { status: 'unavailable', code: 'permission_denied' } as const;
  const { recorders } = createFixture(unbound, denied);
  await Promise.resolve();
  expect(recorders.current.get()).toBe('this-device');
});

it('keeps the options of the next recording', () => {
  const { recorders } = createFixture(unbound);
  expect(recorders.options.get()).toEqual({ mode: 'normal', scene: 'meeting' });
  recorders.chooseOptions({ scene: 'note' });
  expect(createFixture(bound).recorders.options.get()).toEqual({ mode: 'normal', scene: 'note' });
  recorders.chooseOptions({ mode: 'call' });
  expect(createFixture(bound).recorders.options.get()).toEqual({ mode: 'call', scene: 'note' });
});
