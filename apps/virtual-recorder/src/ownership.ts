/**
 * Whose the recorder is. Under version 1 a flag says that somebody bound it; under version 2 a key says who
 * may speak to it, and a hash whose the sessions are (PROTOCOL.md, section 11).
 */
import { hashOwnerTag } from '@linnet/device/channel';
import type { Flash } from './flash/flash.ts';

/** Whose sessions a phone meets: a hash in hex; null under version 1, which meets what is nobody's. */
export type Viewer = string | null;

function bindingOf(key: Uint8Array, ownerTag: Uint8Array) {
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

  /** The key of a binding of version 2. */
  get key(): Uint8Array | null {
    const { binding } = this.flash.state;
    return binding && Uint8Array.from(Buffer.from(binding.key, 'hex'));
  }

  /** Who has claimed it; what is recorded now is theirs. */
  get owner(): Viewer {
    return this.flash.state.binding?.owner ?? null;
  }

  /** Under version 1: somebody's. */
  async bind(): Promise<void> {
    await this.flash.saveState({ isBind: true, binding: null });
  }

  /** Under version 2. What was nobody's is theirs from now on. */
  async claim(key: Uint8Array, ownerTag: Uint8Array): Promise<void> {
    const binding = bindingOf(key, ownerTag);
    await this.flash.adoptSessions(binding.owner);
    await this.flash.saveState({ isBind: true, binding });
  }

  /** Whether it is bound with this key already, and to this owner. */
  has(key: Uint8Array, ownerTag: Uint8Array): boolean {
    const { binding } = this.flash.state;
    const asked = bindingOf(key, ownerTag);
    return binding?.key === asked.key && binding.owner === asked.owner;
  }

  /** Nobody's again; sessions stay whose they are. */
  async clear(): Promise<void> {
    await this.flash.saveState({ isBind: false, binding: null });
  }
}
