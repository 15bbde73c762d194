/** The recorder's side of a lockstep benchmark. Runs in the benchmark's process and owns the simulated clock. */
import { type ChildProcess, fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProtocolVersion } from '@linnet/device/codec';
import type { Payload } from '@linnet/virtual-recorder/radio-model';
import type { RunningRecorder } from '@linnet/virtual-recorder/start';
import { openMemoryLink } from '@linnet/virtual-recorder/testing';
import type { SteppedClock } from '@linnet/virtual-recorder/testing/stepped-clock';
import { cpuSeconds } from '../measurement.ts';
import { PendingWork, type PhoneMeasurements, type Tick, type TickResult } from './protocol.ts';

export type LockstepResult = PhoneMeasurements & {
  /** Simulated time from the open link to the verified session. */
  readonly seconds: number;
  /** CPU time of the recorder's process during the transfer. */
  readonly recorderSeconds: number;
};

/**
 * Returns functions that send ticks to a process, one at a time. They reject if the process exits before it responds.
 */
function tickSender(child: ChildProcess) {
  let response = Promise.withResolvers<unknown>();
  child.on('message', (message) => response.resolve(message));
  child.on('exit', (code) => response.reject(new Error(`the phone's process exited with ${code}`)));
  return {
    ready: () => response.promise,
    send: (tick: Tick): Promise<TickResult> => {
      response = Promise.withResolvers();
      child.send(tick);
      return response.promise as Promise<TickResult>;
    },
  };
}

/** Reads a recorder's only session over its radio, with a phone in a separate process. */
export async function readInLockstep(
  running: RunningRecorder,
  clock: SteppedClock,
  options: {
    payload: Payload;
    bytes: number;
    dir: string;
    protocol: ProtocolVersion;
    memory?: boolean;
  },
): Promise<LockstepResult> {
  const { recorder } = running;
  const pending = new PendingWork();
  const { flash } = recorder;
  const { read, saveState, adoptSessions } = flash;
  flash.read = (...args) => pending.watch(read.apply(flash, args));
  flash.saveState = (...args) => pending.watch(saveState.apply(flash, args));
  flash.adoptSessions = (...args) => pending.watch(adoptSessions.apply(flash, args));

  const folder = await mkdtemp(join(options.dir, 'phone-'));
  const phone = fork(
    join(import.meta.dirname, 'phone.ts'),
    [folder, options.bytes, options.memory ? 'memory' : 'none', options.protocol].map(String),
    { serialization: 'advanced', execArgv: options.memory ? ['--expose-gc'] : [] },
  );
  const { ready, send } = tickSender(phone);
  try {
    await ready();
    const link = openMemoryLink(recorder, options.payload);
    const received: Uint8Array[] = [];
    link.transport.onBytes((bytes) => received.push(bytes));
    const cpu = process.cpuUsage();
    for (;;) {
      const notifications = received.splice(0);
      const result = await send({ type: 'time', at: clock.elapsed(), notifications });
      if (result.measurements) {
        await link.transport.close();
        const seconds = (clock.elapsed() - result.measurements.startedAt) / 1000;
        return { ...result.measurements, seconds, recorderSeconds: cpuSeconds(cpu) };
      }
      for (const bytes of result.written) {
        await link.transport.write(bytes, { withResponse: true });
      }
      await pending.settled();
      const next = Math.min(result.next, clock.nextDueAt);
      if (next === Number.POSITIVE_INFINITY) throw new Error('deadlock: no timer is pending');
      clock.advanceTo(next);
      await pending.settled();
    }
  } finally {
    Object.assign(flash, { read, saveState, adoptSessions });
    phone.removeAllListeners('exit');
    phone.kill();
    await rm(folder, { recursive: true });
  }
}
