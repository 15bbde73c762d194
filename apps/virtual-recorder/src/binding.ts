/** How it comes to be somebody's, and nobody's again: the owner is asked, and a phone claims it. */
import { EventEmitter } from 'node:events';
import type { ReportOf } from '@linnet/device/codec';
import { CONFIRM_PATIENCE_MS } from './buttons.ts';
import type { Faults } from './faults.ts';
import { done, type Outcome, refused } from './outcome.ts';
import type { Ownership } from './ownership.ts';
import type { PacedClock } from './paced-clock.ts';
import { type ConnectedPhone, LAST_ANSWER_MS } from './radio/radio.ts';

/** A request confirms itself after so long, ms, unless it waits for the button. */
const BIND_CONFIRM_MS = 500;

/** The question that the owner is being asked. */
interface Question {
  readonly cancelPatience: () => void;
  readonly settle: (confirmed: boolean) => Promise<void>;
}

/** What a binding depends on, and what goes with it. */
export interface BindingNeeds {
  readonly isIdle: () => boolean;
  readonly leaveNetwork: () => Promise<void>;
}

interface BindingEvents {
  /** The owner is asked something. */
  asked: [];
  /** It is somebody's now, or nobody's. */
  settled: [as: 'bound' | 'unbound'];
  /** Phones are to hear whose it is, or is not. */
  told: [ReportOf<'bindChanged'>];
  /** A binding of version 2 came or went: only the phone that had it so stays. */
  rebound: [by: ConnectedPhone | null];
}

export class Binding extends EventEmitter<BindingEvents> {
  private question: Question | null = null;
  private isStoring = false;
  private readonly ownership: Ownership;
  private readonly clock: PacedClock;
  private readonly faults: Faults;
  private readonly needs: BindingNeeds;

  constructor(ownership: Ownership, clock: PacedClock, faults: Faults, needs: BindingNeeds) {
    super();
    this.ownership = ownership;
    this.clock = clock;
    this.faults = faults;
    this.needs = needs;
  }

  /** Whether the owner is being asked; a recorder that is bound stays so meanwhile. */
  get isAsking(): boolean {
    return this.question !== null;
  }

  /** Whether a claim is being stored: what began now would be the former owner's. */
  get isClaiming(): boolean {
    return this.isStoring;
  }

  /**
   * Under version 1. Waits for the owner where a bind must be confirmed on the recorder.
   * @returns with its state, how to take the question back that this has asked
   */
  bind(): { readonly state: 'waiting' | 'bound'; readonly takeBack: (() => void) | null } {
    if (this.ownership.isBound) return { state: 'bound', takeBack: null };
    if (this.isAsking) return { state: 'waiting', takeBack: null };
    const takeBack = this.ask(async (confirmed) => {
      // A claim came first: the flag says less than its key.
      if (!this.ownership.key) await this.settle(confirmed);
    });
    return { state: 'waiting', takeBack };
  }

  /**
   * Under version 2: asks the owner, also of a recorder that is bound. Nothing changes by the answer alone.
   * @returns how to take the question back; refused with `busy` while it records, or asks already
   */
  askToBind(answered: (confirmed: boolean) => void): Outcome<() => void> {
    if (!this.needs.isIdle() || this.isAsking) return refused('busy');
    return done(this.ask(async (confirmed) => answered(confirmed)));
  }

  /** What the owner says. @returns whether anything was asked */
  async answer(confirmed: boolean): Promise<boolean> {
    const { question } = this;
    this.takeBack();
    await question?.settle(confirmed);
    return question !== null;
  }

  takeBack(): void {
    this.question?.cancelPatience();
    this.question = null;
  }

  /**
   * Under version 2: somebody's, whose phone this is. Other phones go, and so does the network. Not while it
   * records: a session is the same owner's from its first packet to its last.
   */
  async claim(
    key: Uint8Array,
    ownerTag: Uint8Array,
    by: ConnectedPhone,
  ): Promise<Outcome<undefined>> {
    if (!this.needs.isIdle() || this.isStoring) return refused('busy');
    this.isStoring = true;
    try {
      // Whoever else asks, asks no more.
      this.takeBack();
      await this.ownership.claim(key, ownerTag);
    } finally {
      this.isStoring = false;
    }
    this.emit('rebound', by);
    await this.needs.leaveNetwork();
    this.emit('settled', 'bound');
    return done(undefined);
  }

  /**
   * Nobody's again. The network goes, too: its token belongs to the binding before.
   * @param by the phone that asks for it; null for the button
   */
  async unbind(by: ConnectedPhone | null = null): Promise<void> {
    const wasSealed = this.ownership.key !== null;
    this.takeBack();
    await this.settle(false);
    if (wasSealed) this.emit('rebound', by);
    if (by?.medium !== 'wifi') return this.needs.leaveNetwork();
    // Who is on that network hears the answer first.
    this.clock.after(LAST_ANSWER_MS, () => void this.needs.leaveNetwork());
  }

  /** Tells phones whose it is, or is not. */
  tell(): void {
    this.emit('told', { isBind: this.ownership.isBound });
  }

  /** @param settle what becomes of the answer @returns how to take the question back */
  private ask(settle: (confirmed: boolean) => Promise<void>): () => void {
    const isAuto = this.faults.bindConfirm === 'auto';
    const cancelPatience = this.clock.after(isAuto ? BIND_CONFIRM_MS : CONFIRM_PATIENCE_MS, () => {
      this.answer(isAuto).catch((error: unknown) =>
        console.error('the bind could not be stored', error),
      );
    });
    const question = { cancelPatience, settle };
    this.question = question;
    this.emit('asked');
    return () => {
      if (this.question === question) this.takeBack();
    };
  }

  private async settle(isBound: boolean): Promise<void> {
    if (isBound) await this.ownership.bind();
    else await this.ownership.clear();
    this.emit('settled', isBound ? 'bound' : 'unbound');
    this.tell();
  }
}
