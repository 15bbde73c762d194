/** Handles binding, unbinding and claims, including the user's confirmation. */
import { EventEmitter } from 'node:events';
import type { ReportOf } from '@linnet/device/codec';
import { CONFIRM_TIMEOUT_MS } from './buttons.ts';
import type { Faults } from './faults.ts';
import { type Outcome, refused, succeeded } from './outcome.ts';
import type { Ownership } from './ownership.ts';
import type { PacedClock } from './paced-clock.ts';
import { type ConnectedPhone, LAST_RESPONSE_MS } from './radio/radio.ts';

/** Delay before an automatic confirmation, in milliseconds. */
const BIND_CONFIRM_MS = 500;

/** A bind waiting for the user's confirmation. */
interface PendingBind {
  readonly cancelTimeout: () => void;
  readonly settle: (confirmed: boolean) => Promise<void>;
}

/** Callbacks that connect the binding to the rest of the recorder. */
export interface BindingDependencies {
  readonly isIdle: () => boolean;
  readonly leaveNetwork: () => Promise<void>;
}

interface BindingEvents {
  /** A bind is waiting for confirmation. */
  requested: [];
  settled: [as: 'bound' | 'unbound'];
  /** A report for connected phones. */
  report: [ReportOf<'bindChanged'>];
  /** A version 2 binding was added or removed. All links except that of the phone `by` must be dropped. */
  rebound: [by: ConnectedPhone | null];
}

export class Binding extends EventEmitter<BindingEvents> {
  private pending: PendingBind | null = null;
  private isStoringClaim = false;
  private readonly ownership: Ownership;
  private readonly clock: PacedClock;
  private readonly faults: Faults;
  private readonly dependencies: BindingDependencies;

  constructor(
    ownership: Ownership,
    clock: PacedClock,
    faults: Faults,
    dependencies: BindingDependencies,
  ) {
    super();
    this.ownership = ownership;
    this.clock = clock;
    this.faults = faults;
    this.dependencies = dependencies;
  }

  /** Whether a bind is waiting for confirmation. An existing binding stays valid during the wait. */
  get isPending(): boolean {
    return this.pending !== null;
  }

  /** Whether a claim is being stored. A recording started during that time would belong to the previous owner. */
  get isClaiming(): boolean {
    return this.isStoringClaim;
  }

  /**
   * Binds under version 1, after confirmation if the recorder requires it.
   * @returns the state, and a function that cancels the confirmation requested by this call
   */
  bind(): { readonly state: 'waiting' | 'bound'; readonly cancel: (() => void) | null } {
    if (this.ownership.isBound) return { state: 'bound', cancel: null };
    if (this.isPending) return { state: 'waiting', cancel: null };
    const cancel = this.requestConfirmation(async (confirmed) => {
      // A claim that completed during the wait takes precedence.
      if (!this.ownership.key) await this.settle(confirmed);
    });
    return { state: 'waiting', cancel };
  }

  /**
   * Requests confirmation under version 2, even if the recorder is already bound. The binding doesn't change until
   * the phone sends its claim.
   * @returns a function that cancels the request, or the refusal `busy` while a recording is in progress or another bind
   * is pending
   */
  requestBind(onDecision: (confirmed: boolean) => void): Outcome<() => void> {
    if (!this.dependencies.isIdle() || this.isPending) return refused('busy');
    return succeeded(this.requestConfirmation(async (confirmed) => onDecision(confirmed)));
  }

  /**
   * Applies the user's decision.
   * @returns whether a bind was pending
   */
  async decide(confirmed: boolean): Promise<boolean> {
    const { pending } = this;
    this.cancel();
    await pending?.settle(confirmed);
    return pending !== null;
  }

  /** Cancels the pending bind. */
  cancel(): void {
    this.pending?.cancelTimeout();
    this.pending = null;
  }

  /**
   * Assigns the recorder to an account under version 2, and disconnects other phones and the network. Rejected while
   * recording, so a session has a single owner from start to end.
   */
  async claim(
    key: Uint8Array,
    ownerTag: Uint8Array,
    by: ConnectedPhone,
  ): Promise<Outcome<undefined>> {
    if (!this.dependencies.isIdle() || this.isStoringClaim) return refused('busy');
    this.isStoringClaim = true;
    try {
      this.cancel();
      await this.ownership.claim(key, ownerTag);
    } finally {
      this.isStoringClaim = false;
    }
    this.emit('rebound', by);
    await this.dependencies.leaveNetwork();
    this.emit('settled', 'bound');
    return succeeded(undefined);
  }

  /**
   * Removes the binding and leaves the network, because the network's token belongs to the removed binding.
   * @param by the requesting phone, or null if the button was pressed
   */
  async unbind(by: ConnectedPhone | null = null): Promise<void> {
    const hadKey = this.ownership.key !== null;
    this.cancel();
    await this.settle(false);
    if (hadKey) this.emit('rebound', by);
    if (by?.medium !== 'wifi') return this.dependencies.leaveNetwork();
    // A phone on that network must receive the response first.
    this.clock.after(LAST_RESPONSE_MS, () => void this.dependencies.leaveNetwork());
  }

  /** Reports the binding state to phones. */
  report(): void {
    this.emit('report', { isBind: this.ownership.isBound });
  }

  /**
   * Asks the user to confirm a bind.
   * @param settle applies the decision
   * @returns a function that cancels the request
   */
  private requestConfirmation(settle: (confirmed: boolean) => Promise<void>): () => void {
    const isAuto = this.faults.bindConfirm === 'auto';
    const timeoutMs = isAuto ? BIND_CONFIRM_MS : CONFIRM_TIMEOUT_MS;
    const cancelTimeout = this.clock.after(timeoutMs, () => {
      this.decide(isAuto).catch((error: unknown) =>
        console.error('failed to save the binding', error),
      );
    });
    const pending = { cancelTimeout, settle };
    this.pending = pending;
    this.emit('requested');
    return () => {
      if (this.pending === pending) this.cancel();
    };
  }

  private async settle(isBound: boolean): Promise<void> {
    if (isBound) await this.ownership.bind();
    else await this.ownership.clear();
    this.emit('settled', isBound ? 'bound' : 'unbound');
    this.report();
  }
}
