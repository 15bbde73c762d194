/** The recorder's process, which is the bench's own: it owns the time. */
import { type ChildProcess, fork } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProtocolVersion } from '@linnet/device/codec';
import type { Payload } from '@linnet/virtual-recorder/radio-model';
import type { RunningRecorder } from '@linnet/virtual-recorder/start';
import { openMemoryLink } from '@linnet/virtual-recorder/testing';
import type { SteppedClock } from '@linnet/virtual-recorder/testing/stepped-clock';
import { cpuSeconds } from '../figure.ts';
import { type Answer, type PhoneFigures, type Told, Underway } from './protocol.ts';

export type Reading = PhoneFigures & {
  /** The recorder's time from the open link to the verified session, s. */
  readonly seconds: number;
  /** CPU of the recorder's process meanwhile. */
  readonly recorderSeconds: number;
};

/** Asks a process, one thing at a time. @throws when it ends instead of answering */
function asking(child: ChildProcess) {
  let waiting = Promise.withResolvers<unknown>();
  child.on('message', (answer) => waiting.resolve(answer));
  child.on('exit', (code) => waiting.reject(new Error(`the phone's process ended with ${code}`)));
  return {
    ready: () => waiting.promise,
    ask: (told: Told): Promise<Answer> => {
      waiting = Promise.withResolvers();
      child.send(told);
      return waiting.promise as Promise<Answer>;
    },
  };
}

/** Has a phone in a process of its own read the one session of a recorder, over its radio. */
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
): Promise<Reading> {
  const { recorder } = running;
  const underway = new Underway();
  const { flash } = recorder;
  const { read, saveState, adoptSessions } = flash;
  flash.read = (...asked) => underway.watch(read.apply(flash, asked));
  flash.saveState = (...asked) => underway.watch(saveState.apply(flash, asked));
  flash.adoptSessions = (...asked) => underway.watch(adoptSessions.apply(flash, asked));

  const folder = await mkdtemp(join(options.dir, 'phone-'));
  const phone = fork(
    join(import.meta.dirname, 'phone.ts'),
    [folder, options.bytes, options.memory ? 'memory' : 'none', options.protocol].map(String),
    { serialization: 'advanced', execArgv: options.memory ? ['--expose-gc'] : [] },
  );
  const { ready, ask } = asking(phone);
  try {
    await ready();
    const link = openMemoryLink(recorder, options.payload);
    const carried: Uint8Array[] = [];
    link.transport.onBytes((bytes) => carried.push(bytes));
    const cpu = process.cpuUsage();
    for (;;) {
      const answer = await ask({ type: 'time', at: clock.elapsed(), carried: carried.splice(0) });
      if (answer.done) {
        await link.transport.close();
        const seconds = (clock.elapsed() - answer.done.begunAt) / 1000;
        return { ...answer.done, seconds, recorderSeconds: cpuSeconds(cpu) };
      }
      for (const bytes of answer.written) {
        await link.transport.write(bytes, { withResponse: true });
      }
      await underway.quiet();
      const next = Math.min(answer.next, clock.next);
      if (next === Number.POSITIVE_INFINITY) throw new Error('both ends wait for each other');
      clock.advanceTo(next);
      await underway.quiet();
    }
  } finally {
    Object.assign(flash, { read, saveState, adoptSessions });
    phone.removeAllListeners('exit');
    phone.kill();
    await rm(folder, { recursive: true });
  }
}
