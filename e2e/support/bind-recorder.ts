import { knownRecorders } from '@linnet/app/known-recorders';
import { OWNER_TAG_LENGTH } from '@linnet/device/codec';
import { openRecorderSession } from '@linnet/device/session';
import type { RecorderFinder } from '@linnet/device/transport';
import type { RunningRecorder } from '@linnet/virtual-recorder/start';
import { vi } from 'vitest';
import { waitUntil } from './wait-until.ts';

/** Replaces `localStorage` with an in-memory implementation. */
export function stubLocalStorage(): void {
  vi.stubGlobal('localStorage', createStorage());
}

/** Replaces `sessionStorage` with an in-memory implementation. */
export function stubSessionStorage(): void {
  vi.stubGlobal('sessionStorage', createStorage());
}

function createStorage(): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> {
  const items = new Map<string, string>();
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
    removeItem: (key) => void items.delete(key),
  };
}

/** Binds a recorder with a key (version 2), as another of the account's phones would, and remembers it. */
export async function bindRecorder(
  finder: RecorderFinder,
  { recorder }: RunningRecorder,
  uid: string,
): Promise<void> {
  const { sn } = recorder.flash.state;
  const candidates = await finder.find();
  const candidate = candidates.find(({ deviceId }) => deviceId === sn);
  if (!candidate) throw new Error('no recorder found');
  const session = await openRecorderSession(await candidate.connect(), {
    binding: { status: 'new' },
  });
  const binding = await session.bind();
  if (binding.version !== 2) throw new Error('bound under version 1');
  await session.claim(new Uint8Array(OWNER_TAG_LENGTH));
  await session.close();
  const { kind, deviceId } = candidate;
  const bindingKey = Buffer.from(binding.key).toString('hex');
  knownRecorders.remember({ kind, deviceId, name: deviceId, sn: deviceId, uid, bindingKey });
  await waitUntil('the recorder is free', () => !recorder.isConnected);
}
