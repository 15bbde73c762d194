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
type Happening = Event extends infer E ? (E extends Event ? Omit<E, 'epoch'> : never) : never;

/** A machine that events are sent to, with the last work it asked for. */
class Told {
  machine: LinkMachine<string, string> = disconnected;
  work: LinkWork<string> | null = null;

  constructor(...happened: readonly Happening[]) {
    for (const each of happened) this.tell(each);
  }

  tell(happening: Happening, epoch = this.machine.epoch): this {
    const next = transition(this.machine, { epoch, ...happening } as Event);
    this.machine = next.machine;
    this.work = next.work;
    return this;
  }

  get link() {
    return this.machine.link;
  }
}

const known = { type: 'disconnect', remembered: true } as const;
const connect = { type: 'connect', sn: null, byTap: false } as const;
const opened = { type: 'opened', sn: 'A', overWifi: false, connection: 'one' } as const;
const hotspot = { type: 'hotspot', network: 'N', joining: 'asked' } as const;
const lost = { type: 'closed', reason: 'link_lost' } as const;
const failed = (...codes: string[]) => ({ type: 'failed', codes }) as const;

describe('the link to the recorders', () => {
  it('connects what is remembered, and knows what it is connected to', () => {
    const told = new Told(known, connect);
    expect(told.work).toEqual({ type: 'open', sn: null, byTap: false });
    expect(told.tell(opened).link).toEqual({
      status: 'connected',
      sn: 'A',
      overWifi: false,
      connection: 'one',
    });
  });

  it('comes back from a loss in growing steps, which begin anew after a success', () => {
    const told = new Told(known, connect, opened, lost);
    const waits = [...RECONNECT_MS, RECONNECT_MS.at(-1)].map((ms) => {
      expect(told.work).toEqual({ type: 'wait', ms });
      expect(told.link).toEqual({ status: 'reconnecting', why: 'lost' });
      expect(told.tell({ type: 'waited' }).work).toMatchObject({ type: 'open', byTap: false });
      told.tell(failed('not_found'));
      return ms;
    });
    expect(waits.length).toBeGreaterThan(3);
    told.tell({ type: 'waited' }).tell(opened).tell(lost);
    expect(told.work).toEqual({ type: 'wait', ms: RECONNECT_MS[0] });
  });

  it('tries at once when the page is looked at again, and when its owner taps', () => {
    const away = [known, connect, failed('not_found')];
    expect(new Told(...away, { type: 'seen' }).work).toMatchObject({ type: 'open' });
    const tap = { ...connect, byTap: true };
    expect(new Told(...away, tap).work).toMatchObject({ type: 'open', byTap: true });
    // A tap counts more than a try that nobody asked for; a second tap changes nothing.
    const trying = new Told(...away, { type: 'waited' }, tap);
    expect(trying.work).toMatchObject({ type: 'open', byTap: true });
    expect(trying.tell(tap).work).toBeNull();
  });

  it('says that another phone holds it, and goes on trying', () => {
    const told = new Told(known, connect, failed('recorder_busy'));
    expect(told.link).toEqual({ status: 'reconnecting', why: 'busy' });
    expect(told.work).toMatchObject({ type: 'wait' });
  });

  it.each([
    ['chooser_needed', { status: 'idle', why: 'needs_tap' }],
    ['waiting_for_bind', { status: 'idle', why: 'unbound' }],
    ['binding_unknown', { status: 'idle', why: 'unbound' }],
    ['version_unsupported', { status: 'idle', why: 'unbound' }],
    ['radio_off', { status: 'unavailable' }],
  ])('tries no further after %s', (code, link) => {
    const told = new Told(known, connect, failed(code));
    expect(told.link).toEqual(link);
    expect(told.work).toBeNull();
  });

  it('goes on while one of several recorders may still come', () => {
    const told = new Told(known, connect, failed('waiting_for_bind', 'not_found'));
    expect(told.link).toEqual({ status: 'reconnecting', why: 'lost' });
  });

  it('leaves one recorder for another that is asked for', () => {
    const told = new Told(known, connect, opened);
    expect(told.tell({ ...connect, sn: 'A', byTap: true }).work).toBeNull();
    expect(told.tell({ ...connect, sn: 'B', byTap: true }).work).toEqual({
      type: 'open',
      sn: 'B',
      byTap: true,
    });
  });

  it('rests while Bluetooth is off, and starts over when it is back', () => {
    for (const before of [
      [known, connect],
      [known, connect, opened],
      [known, connect, failed('not_found')],
    ]) {
      const told = new Told(...before, { type: 'adapter', isReady: false });
      expect(told.link).toEqual({ status: 'unavailable' });
      expect(told.work).toBeNull();
      expect(told.tell({ type: 'adapter', isReady: true }).work).toMatchObject({ type: 'open' });
    }
    const over = new Told(known, connect, { ...opened, overWifi: true });
    expect(over.tell({ type: 'adapter', isReady: false }).link.status).toBe('connected');
  });

  it('goes over WiFi and comes back, joined or not', () => {
    const raised = [known, connect, opened, hotspot];
    expect(new Told(...raised).work).toEqual({ type: 'join', network: 'N' });
    expect(new Told(...raised).link).toMatchObject({ sn: 'A', network: 'N', joining: 'asked' });
    const refused = new Told(...raised, { type: 'join_refused' });
    expect(refused.link).toMatchObject({ network: 'N', joining: 'refused' });
    expect(new Told(...raised, { ...connect, byTap: true }).work).toBeNull();
    const other = new Told(...raised, { ...connect, sn: 'B', byTap: true });
    expect(other.work).toMatchObject({ type: 'open', sn: 'B' });
    const back = { status: 'reconnecting', why: 'wifi' };
    expect(new Told(...raised, { type: 'unjoined' }).link).toEqual(back);
    expect(new Told(...raised, { type: 'leave_wifi' }).link).toEqual(back);
    const joined = new Told(...raised, { ...opened, overWifi: true, connection: 'two' });
    expect(joined.link).toMatchObject({ status: 'connected', overWifi: true, connection: 'two' });
    expect(joined.tell(lost).link).toEqual(back);
    // Until it is there again it comes from there, whatever a try fails with.
    joined.tell({ type: 'waited' }).tell(failed('not_found'));
    expect(joined.link).toEqual(back);
  });

  it('takes the link over which a recorder was bound, and goes back where binding failed', () => {
    const binding = [known, connect, opened, { type: 'bind' } as const];
    expect(new Told(...binding).work).toBeNull();
    expect(new Told(...binding, { ...opened, sn: 'B' }).link).toMatchObject({ sn: 'B' });
    const tap = { ...connect, sn: 'A', byTap: true };
    expect(new Told(...binding, tap).link).toEqual({ status: 'binding' });
    const ended = { type: 'bind_ended', remembered: true } as const;
    expect(new Told(...binding, ended).work).toMatchObject({ type: 'open' });
    expect(new Told(...binding, { ...ended, remembered: false }).link).toEqual({ status: 'none' });
  });

  it('hears nothing of work that was superseded', () => {
    const told = new Told(known, connect);
    const { epoch } = told.machine;
    told.tell({ type: 'disconnect', remembered: false });
    for (const late of [opened, lost, failed('not_found'), { type: 'waited' } as const]) {
      expect(told.tell(late, epoch).link).toEqual({ status: 'none' });
      expect(told.work).toBeNull();
    }
  });

  const happening: fc.Arbitrary<Happening> = fc.oneof(
    fc.constantFrom<Happening>(
      { type: 'bind' },
      { type: 'bind_ended', remembered: true },
      { type: 'waited' },
      hotspot,
      { type: 'join_refused' },
      { type: 'unjoined' },
      { type: 'leave_wifi' },
      { type: 'seen' },
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

  it('is never stuck: whatever happened, something is under way, or its owner or the radio can begin', () => {
    fc.assert(
      fc.property(fc.array(happening, { maxLength: 40 }), (happenings) => {
        const told = new Told(known);
        let isUnderWay = false;
        for (const each of happenings) {
          const { epoch } = told.machine;
          told.tell(each);
          // New work comes with a new epoch alone, so that two never are under way at once.
          if (told.work) expect(told.machine.epoch).toBeGreaterThan(epoch);
          if (told.machine.epoch !== epoch) isUnderWay = told.work !== null;
          const { status } = told.link;
          const works = ['connecting', 'reconnecting', 'hotspot'].includes(status);
          expect(isUnderWay && status !== 'connected').toBe(works);
        }
        // However its work ends, that leads on; what has none waits for its owner, or for the radio.
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
        for (const end of ends[told.link.status]) told.tell(end);
        expect(told.link.status).toBe('connecting');
      }),
    );
  });
});
