import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  disconnected,
  type LinkEvent,
  type LinkMachine,
  type LinkWork,
  RECONNECT_MS,
  transition,
} from './link-machine.ts';

type Event = LinkEvent<string, string>;
/** An event without its epoch, which each step takes from the machine. */
type EventWithoutEpoch = Event extends infer E
  ? E extends Event
    ? Omit<E, 'epoch'>
    : never
  : never;

/** A machine with the last work it requested. */
class Machine {
  state: LinkMachine<string, string> = disconnected;
  work: LinkWork<string> | null = null;

  constructor(...happened: readonly EventWithoutEpoch[]) {
    for (const each of happened) this.send(each);
  }

  send(event: EventWithoutEpoch, epoch = this.state.epoch): this {
    const next = transition(this.state, { epoch, ...event } as Event);
    this.state = next.machine;
    this.work = next.work;
    return this;
  }

  get link() {
    return this.state.link;
  }
}

const known = { type: 'disconnect', remembered: true } as const;
const connect = { type: 'connect', sn: null, byTap: false } as const;
const opened = { type: 'opened', sn: 'A', overWifi: false, connection: 'one' } as const;
const hotspot = { type: 'hotspot', network: 'N', joining: 'asked' } as const;
const lost = { type: 'closed', reason: 'link_lost' } as const;
const failed = (...codes: string[]) => ({ type: 'failed', codes }) as const;

describe('the link to the recorders', () => {
  it('connects to remembered recorders, and retains the connection', () => {
    const machine = new Machine(known, connect);
    expect(machine.work).toEqual({ type: 'open', sn: null, byTap: false });
    expect(machine.send(opened).link).toEqual({
      status: 'connected',
      sn: 'A',
      overWifi: false,
      connection: 'one',
    });
  });

  it('reconnects with growing delays, which reset after a success', () => {
    const machine = new Machine(known, connect, opened, lost);
    const waits = [...RECONNECT_MS, RECONNECT_MS.at(-1)].map((ms) => {
      expect(machine.work).toEqual({ type: 'wait', ms });
      expect(machine.link).toEqual({ status: 'reconnecting', why: 'lost' });
      expect(machine.send({ type: 'waited' }).work).toMatchObject({ type: 'open', byTap: false });
      machine.send(failed('not_found'));
      return ms;
    });
    expect(waits.length).toBeGreaterThan(3);
    machine.send({ type: 'waited' }).send(opened).send(lost);
    expect(machine.work).toEqual({ type: 'wait', ms: RECONNECT_MS[0] });
  });

  it('reconnects immediately when the page becomes visible, or on a tap', () => {
    const away = [known, connect, failed('not_found')];
    expect(new Machine(...away, { type: 'page_visible' }).work).toMatchObject({ type: 'open' });
    const tap = { ...connect, byTap: true };
    expect(new Machine(...away, tap).work).toMatchObject({ type: 'open', byTap: true });
    // A tap takes precedence over an automatic attempt; a second tap changes nothing.
    const trying = new Machine(...away, { type: 'waited' }, tap);
    expect(trying.work).toMatchObject({ type: 'open', byTap: true });
    expect(trying.send(tap).work).toBeNull();
  });

  it('reports that another phone is connected, and retries', () => {
    const machine = new Machine(known, connect, failed('recorder_busy'));
    expect(machine.link).toEqual({ status: 'reconnecting', why: 'busy' });
    expect(machine.work).toMatchObject({ type: 'wait' });
  });

  it.each([
    ['chooser_needed', { status: 'idle', why: 'needs_tap' }],
    ['waiting_for_bind', { status: 'idle', why: 'unbound' }],
    ['binding_unknown', { status: 'idle', why: 'unbound' }],
    ['version_unsupported', { status: 'idle', why: 'unbound' }],
    ['radio_off', { status: 'unavailable' }],
  ])('tries no further after %s', (code, link) => {
    const machine = new Machine(known, connect, failed(code));
    expect(machine.link).toEqual(link);
    expect(machine.work).toBeNull();
  });

  it('retries while any of several recorders may return', () => {
    const machine = new Machine(known, connect, failed('waiting_for_bind', 'not_found'));
    expect(machine.link).toEqual({ status: 'reconnecting', why: 'lost' });
  });

  it('switches to another requested recorder', () => {
    const machine = new Machine(known, connect, opened);
    expect(machine.send({ ...connect, sn: 'A', byTap: true }).work).toBeNull();
    expect(machine.send({ ...connect, sn: 'B', byTap: true }).work).toEqual({
      type: 'open',
      sn: 'B',
      byTap: true,
    });
  });

  it('pauses while Bluetooth is off, and starts over when it is back', () => {
    for (const before of [
      [known, connect],
      [known, connect, opened],
      [known, connect, failed('not_found')],
    ]) {
      const machine = new Machine(...before, { type: 'adapter', isReady: false });
      expect(machine.link).toEqual({ status: 'unavailable' });
      expect(machine.work).toBeNull();
      expect(machine.send({ type: 'adapter', isReady: true }).work).toMatchObject({ type: 'open' });
    }
    const over = new Machine(known, connect, { ...opened, overWifi: true });
    expect(over.send({ type: 'adapter', isReady: false }).link.status).toBe('connected');
  });

  it('switches to Wi-Fi and back, joined or not', () => {
    const raised = [known, connect, opened, hotspot];
    expect(new Machine(...raised).work).toEqual({ type: 'join', network: 'N' });
    expect(new Machine(...raised).link).toMatchObject({ sn: 'A', network: 'N', joining: 'asked' });
    const refused = new Machine(...raised, { type: 'join_refused' });
    expect(refused.link).toMatchObject({ network: 'N', joining: 'refused' });
    expect(new Machine(...raised, { ...connect, byTap: true }).work).toBeNull();
    const other = new Machine(...raised, { ...connect, sn: 'B', byTap: true });
    expect(other.work).toMatchObject({ type: 'open', sn: 'B' });
    const back = { status: 'reconnecting', why: 'wifi' };
    expect(new Machine(...raised, { type: 'unjoined' }).link).toEqual(back);
    expect(new Machine(...raised, { type: 'leave_wifi' }).link).toEqual(back);
    const joined = new Machine(...raised, { ...opened, overWifi: true, connection: 'two' });
    expect(joined.link).toMatchObject({ status: 'connected', overWifi: true, connection: 'two' });
    expect(joined.send(lost).link).toEqual(back);
    // Until it is connected again, it counts as returning from its network, whatever the attempts fail with.
    joined.send({ type: 'waited' }).send(failed('not_found'));
    expect(joined.link).toEqual(back);
  });

  it('adopts the link of a binding, and reconnects after a failed binding', () => {
    const binding = [known, connect, opened, { type: 'bind' } as const];
    expect(new Machine(...binding).work).toBeNull();
    expect(new Machine(...binding, { ...opened, sn: 'B' }).link).toMatchObject({ sn: 'B' });
    const tap = { ...connect, sn: 'A', byTap: true };
    expect(new Machine(...binding, tap).link).toEqual({ status: 'binding' });
    const ended = { type: 'bind_ended', remembered: true } as const;
    expect(new Machine(...binding, ended).work).toMatchObject({ type: 'open' });
    expect(new Machine(...binding, { ...ended, remembered: false }).link).toEqual({
      status: 'none',
    });
  });

  it('ignores events of superseded work', () => {
    const machine = new Machine(known, connect);
    const { epoch } = machine.state;
    machine.send({ type: 'disconnect', remembered: false });
    for (const late of [opened, lost, failed('not_found'), { type: 'waited' } as const]) {
      expect(machine.send(late, epoch).link).toEqual({ status: 'none' });
      expect(machine.work).toBeNull();
    }
  });

  const event: fc.Arbitrary<EventWithoutEpoch> = fc.oneof(
    fc.constantFrom<EventWithoutEpoch>(
      { type: 'bind' },
      { type: 'bind_ended', remembered: true },
      { type: 'waited' },
      hotspot,
      { type: 'join_refused' },
      { type: 'unjoined' },
      { type: 'leave_wifi' },
      { type: 'page_visible' },
      { type: 'disconnect', remembered: true },
    ),
    fc.record({
      type: fc.constant('connect' as const),
      sn: fc.constantFrom(null, 'A', 'B'),
      byTap: fc.boolean(),
    }),
    fc.record({
      type: fc.constant('opened' as const),
      sn: fc.constantFrom('A', 'B'),
      overWifi: fc.boolean(),
      connection: fc.constantFrom('one', 'two'),
    }),
    fc.record({
      type: fc.constant('failed' as const),
      codes: fc.array(
        fc.constantFrom('not_found', 'recorder_busy', 'radio_off', 'chooser_needed', 'timeout'),
      ),
    }),
    fc.record({
      type: fc.constant('closed' as const),
      reason: fc.constantFrom('link_lost', 'radio_off', 'closed_by_us'),
    }),
    fc.record({ type: fc.constant('adapter' as const), isReady: fc.boolean() }),
  );

  it('always has work in progress, or an event that starts it', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), (happenings) => {
        const machine = new Machine(known);
        let isUnderWay = false;
        for (const each of happenings) {
          const { epoch } = machine.state;
          machine.send(each);
          // New work requires a new epoch, so that two are never in progress at once.
          if (machine.work) expect(machine.state.epoch).toBeGreaterThan(epoch);
          if (machine.state.epoch !== epoch) isUnderWay = machine.work !== null;
          const { status } = machine.link;
          const works = ['connecting', 'reconnecting', 'hotspot'].includes(status);
          expect(isUnderWay && status !== 'connected').toBe(works);
        }
        // The end of any work leads to another state; states without work wait for the user or for Bluetooth.
        const ends = {
          none: [connect],
          idle: [{ type: 'adapter', isReady: true }],
          unavailable: [{ type: 'adapter', isReady: true }],
          binding: [{ type: 'bind_ended', remembered: true }],
          connecting: [failed('not_found'), { type: 'waited' }],
          reconnecting: [{ type: 'waited' }],
          hotspot: [{ type: 'unjoined' }, { type: 'waited' }],
          connected: [lost, { type: 'waited' }],
        } as const;
        for (const end of ends[machine.link.status]) machine.send(end);
        expect(machine.link.status).toBe('connecting');
      }),
    );
  });
});
