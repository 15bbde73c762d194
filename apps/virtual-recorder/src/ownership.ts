/**
 * The recorder's owner. Version 1 only stores whether the recorder is bound. Version 2 stores a key that authenticates
 * phones, and a hash that identifies the sessions' owner (PROTOCOL.md, section 11).
 */
import { hashOwnerTag } from '@linnet/device/channel';
import type { Flash } from './flash/flash.ts';

/** The account whose sessions a phone can see, as a hash in hex, or null for sessions without an owner (version 1). */
export type Viewer = string | null;

function createBinding(key: Uint8Array, ownerTag: Uint8Array) {
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
  return { key: hex(key), owner: hex(hashOwnerTag(ownerTag)) };
}

export class Ownership {
  private readonly flash: Flash;

  constructor(flash: Flash) {
    this.flash = flash;
  }

  get isBound(): boolean {
    return this.flash.state.isBind;
  }

  /** The key of a version 2 binding. */
  get key(): Uint8Array | null {
    const { binding } = this.flash.state;
    return binding && Uint8Array.from(Buffer.from(binding.key, 'hex'));
  }

  /** The account that has claimed the recorder, and that new sessions belong to. */
  get owner(): Viewer {
    return this.flash.state.binding?.owner ?? null;
  }

  /** Binds under version 1. */
  async bind(): Promise<void> {
    await this.flash.saveState({ isBind: true, binding: null });
  }

  /** Claims the recorder under version 2, along with all sessions that have no owner. */
  async claim(key: Uint8Array, ownerTag: Uint8Array): Promise<void> {
    const binding = createBinding(key, ownerTag);
    await this.flash.adoptSessions(binding.owner);
    await this.flash.saveState({ isBind: true, binding });
  }

  /** Whether the recorder is bound to this account with this key. */
  isBoundBy(key: Uint8Array, ownerTag: Uint8Array): boolean {
    const { binding } = this.flash.state;
    const requested = createBinding(key, ownerTag);
    return binding?.key === requested.key && binding.owner === requested.owner;
  }

  /** Removes the binding. Sessions keep their owner. */
  async clear(): Promise<void> {
    await this.flash.saveState({ isBind: false, binding: null });
  }
}
