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
/** An event without its epoch, which `Machine.send` adds. */
type EventWithoutEpoch = Event extends infer E
  ? E extends Event
    ? Omit<E, 'epoch'>
    : never
  : never;

/** The state machine with the last work it requested. */
class Machine {
  state: LinkMachine<string, string> = disconnected;
  work: LinkWork<string> | null = null;

  constructor(...events: readonly EventWithoutEpoch[]) {
    for (const event of events) this.send(event);
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

const remembered = { type: 'disconnect', remembered: true } as const;
const connect = { type: 'connect', sn: null, isUserInitiated: false } as const;
const opened = { type: 'opened', sn: 'A', overWifi: false, connection: 'one' } as const;
const hotspot = { type: 'hotspot', network: 'N', joining: 'asked' } as const;
const linkLost = { type: 'closed', reason: 'link_lost' } as const;
const failed = (...codes: string[]) => ({ type: 'failed', codes }) as const;

describe('the link to the recorders', () => {
  it('connects to a remembered recorder', () => {
    const machine = new Machine(remembered, connect);
    expect(machine.work).toEqual({ type: 'open', sn: null, isUserInitiated: false });
    expect(machine.send(opened).link).toEqual({
      status: 'connected',
      sn: 'A',
      overWifi: false,
      connection: 'one',
    });
  });

  it('retries with increasing delays and resets them after a connection', () => {
    const machine = new Machine(remembered, connect, opened, linkLost);
    const waits = [...RECONNECT_MS, RECONNECT_MS.at(-1)].map((ms) => {
      expect(machine.work).toEqual({ type: 'wait', ms });
      expect(machine.link).toEqual({ status: 'reconnecting', reason: 'lost' });
      expect(machine.send({ type: 'wait_ended' }).work).toMatchObject({
        type: 'open',
        isUserInitiated: false,
      });
      machine.send(failed('not_found'));
      return ms;
    });
    expect(waits.length).toBeGreaterThan(3);
    machine.send({ type: 'wait_ended' }).send(opened).send(linkLost);
    expect(machine.work).toEqual({ type: 'wait', ms: RECONNECT_MS[0] });
  });

  it('reconnects immediately on a tap or when the page becomes visible', () => {
    const outOfRange = [remembered, connect, failed('not_found')];
    expect(new Machine(...outOfRange, { type: 'page_visible' }).work).toMatchObject({
      type: 'open',
    });
    const tap = { ...connect, isUserInitiated: true };
    expect(new Machine(...outOfRange, tap).work).toMatchObject({
      type: 'open',
      isUserInitiated: true,
    });
    // A tap supersedes an automatic attempt, but not one started by an earlier tap.
    const connecting = new Machine(...outOfRange, { type: 'wait_ended' }, tap);
    expect(connecting.work).toMatchObject({ type: 'open', isUserInitiated: true });
    expect(connecting.send(tap).work).toBeNull();
  });

  it('retries while the recorder is connected to another phone', () => {
    const machine = new Machine(remembered, connect, failed('recorder_busy'));
    expect(machine.link).toEqual({ status: 'reconnecting', reason: 'busy' });
    expect(machine.work).toMatchObject({ type: 'wait' });
  });

  it.each([
    ['chooser_needed', { status: 'idle', reason: 'needs_tap' }],
    ['waiting_for_bind', { status: 'idle', reason: 'unbound' }],
    ['binding_unknown', { status: 'idle', reason: 'unbound' }],
    ['version_unsupported', { status: 'idle', reason: 'unbound' }],
    ['radio_off', { status: 'unavailable' }],
  ])('stops retrying after %s', (code, link) => {
    const machine = new Machine(remembered, connect, failed(code));
    expect(machine.link).toEqual(link);
    expect(machine.work).toBeNull();
  });

  it('retries if the failure of any recorder may be temporary', () => {
    const machine = new Machine(remembered, connect, failed('waiting_for_bind', 'not_found'));
    expect(machine.link).toEqual({ status: 'reconnecting', reason: 'lost' });
  });

  it('switches to a different recorder on request', () => {
    const machine = new Machine(remembered, connect, opened);
    expect(machine.send({ ...connect, sn: 'A', isUserInitiated: true }).work).toBeNull();
    expect(machine.send({ ...connect, sn: 'B', isUserInitiated: true }).work).toEqual({
      type: 'open',
      sn: 'B',
      isUserInitiated: true,
    });
  });

  it('pauses while Bluetooth is off and reconnects when it is turned on', () => {
    for (const events of [
      [remembered, connect],
      [remembered, connect, opened],
      [remembered, connect, failed('not_found')],
    ]) {
      const machine = new Machine(...events, { type: 'adapter', isReady: false });
      expect(machine.link).toEqual({ status: 'unavailable' });
      expect(machine.work).toBeNull();
      expect(machine.send({ type: 'adapter', isReady: true }).work).toMatchObject({ type: 'open' });
    }
    const overWifi = new Machine(remembered, connect, { ...opened, overWifi: true });
    expect(overWifi.send({ type: 'adapter', isReady: false }).link.status).toBe('connected');
  });

  it('switches to Wi-Fi and returns to Bluetooth, whether or not this device has joined', () => {
    const hotspotOpened = [remembered, connect, opened, hotspot];
    expect(new Machine(...hotspotOpened).work).toEqual({ type: 'join', network: 'N' });
    expect(new Machine(...hotspotOpened).link).toMatchObject({
      sn: 'A',
      network: 'N',
      joining: 'asked',
    });
    const refused = new Machine(...hotspotOpened, { type: 'join_refused' });
    expect(refused.link).toMatchObject({ network: 'N', joining: 'refused' });
    expect(new Machine(...hotspotOpened, { ...connect, isUserInitiated: true }).work).toBeNull();
    const other = new Machine(...hotspotOpened, { ...connect, sn: 'B', isUserInitiated: true });
    expect(other.work).toMatchObject({ type: 'open', sn: 'B' });
    const returning = { status: 'reconnecting', reason: 'wifi' };
    expect(new Machine(...hotspotOpened, { type: 'not_joined' }).link).toEqual(returning);
    expect(new Machine(...hotspotOpened, { type: 'leave_wifi' }).link).toEqual(returning);
    const joined = new Machine(...hotspotOpened, { ...opened, overWifi: true, connection: 'two' });
    expect(joined.link).toMatchObject({ status: 'connected', overWifi: true, connection: 'two' });
    expect(joined.send(linkLost).link).toEqual(returning);
    // The reason stays `wifi` until the recorder is connected, however the attempts fail.
    joined.send({ type: 'wait_ended' }).send(failed('not_found'));
    expect(joined.link).toEqual(returning);
  });

  it('adopts the session of a successful binding and reconnects after a failed one', () => {
    const binding = [remembered, connect, opened, { type: 'bind' } as const];
    expect(new Machine(...binding).work).toBeNull();
    expect(new Machine(...binding, { ...opened, sn: 'B' }).link).toMatchObject({ sn: 'B' });
    const tap = { ...connect, sn: 'A', isUserInitiated: true };
    expect(new Machine(...binding, tap).link).toEqual({ status: 'binding' });
    const ended = { type: 'bind_ended', remembered: true } as const;
    expect(new Machine(...binding, ended).work).toMatchObject({ type: 'open' });
    expect(new Machine(...binding, { ...ended, remembered: false }).link).toEqual({
      status: 'none',
    });
  });

  it('ignores events of superseded attempts', () => {
    const machine = new Machine(remembered, connect);
    const { epoch } = machine.state;
    machine.send({ type: 'disconnect', remembered: false });
    for (const lateEvent of [
      opened,
      linkLost,
      failed('not_found'),
      { type: 'wait_ended' } as const,
    ]) {
      expect(machine.send(lateEvent, epoch).link).toEqual({ status: 'none' });
      expect(machine.work).toBeNull();
    }
  });

  const event: fc.Arbitrary<EventWithoutEpoch> = fc.oneof(
    fc.constantFrom<EventWithoutEpoch>(
      { type: 'bind' },
      { type: 'bind_ended', remembered: true },
      { type: 'wait_ended' },
      hotspot,
      { type: 'join_refused' },
      { type: 'not_joined' },
      { type: 'leave_wifi' },
      { type: 'page_visible' },
      { type: 'disconnect', remembered: true },
    ),
    fc.record({
      type: fc.constant('connect' as const),
      sn: fc.constantFrom(null, 'A', 'B'),
      isUserInitiated: fc.boolean(),
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

  it('never gets stuck: in every state, some event leads to a connection attempt', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), (events) => {
        const machine = new Machine(remembered);
        let isWorking = false;
        for (const event of events) {
          const { epoch } = machine.state;
          machine.send(event);
          // New work requires a new epoch, so that at most one piece of work is in progress.
          if (machine.work) expect(machine.state.epoch).toBeGreaterThan(epoch);
          if (machine.state.epoch !== epoch) isWorking = machine.work !== null;
          const { status } = machine.link;
          const needsWork = ['connecting', 'reconnecting', 'hotspot'].includes(status);
          expect(isWorking && status !== 'connected').toBe(needsWork);
        }
        const eventsToConnecting = {
          none: [connect],
          idle: [{ type: 'adapter', isReady: true }],
          unavailable: [{ type: 'adapter', isReady: true }],
          binding: [{ type: 'bind_ended', remembered: true }],
          connecting: [failed('not_found'), { type: 'wait_ended' }],
          reconnecting: [{ type: 'wait_ended' }],
          hotspot: [{ type: 'not_joined' }, { type: 'wait_ended' }],
          connected: [linkLost, { type: 'wait_ended' }],
        } as const;
        for (const event of eventsToConnecting[machine.link.status]) machine.send(event);
        expect(machine.link.status).toBe('connecting');
      }),
    );
  });
});
