/** Opens sessions with remembered recorders, each over the transport it was found on. */
import type { Client } from '@linnet/contract/client';
import { DeviceError, type RecorderSession } from '@linnet/device/session';
import { type RecorderFinder, type Transport, TransportError } from '@linnet/device/transport';
import type { Log } from '@linnet/sync';
import type { RecorderFailure, RecorderTransport } from '../../ports/recorder.ts';
import { openKnownRecorder } from './binding-keys.ts';
import { attemptOrReport, notConnected } from './failures.ts';
import type { KnownRecorder } from './known-recorders.ts';
import { isUnbound } from './link-machine.ts';

export type RecorderOpenerOptions = {
  readonly client: Client;
  readonly finders: ReadonlyMap<RecorderTransport['kind'], RecorderFinder>;
  readonly log: Log;
  readonly onError: (error: unknown) => void;
};

type OpenRequest = {
  /** The recorders to try, in order. */
  readonly recorders: readonly KnownRecorder[];
  /** Whether the user requested the connection, which allows the browser's chooser to open. */
  readonly isUserInitiated: boolean;
  readonly signal: AbortSignal;
  /**
   * Called with the session of a recorder that responds. If it throws a DeviceError, that recorder counts as failed and
   * the next one is tried.
   */
  readonly accept: (session: RecorderSession, recorder: KnownRecorder) => Promise<void>;
};

type OpenResult =
  | { readonly ok: true }
  /** `failure` is the first recorder's failure. `codes` has one code for each recorder tried. */
  | {
      readonly ok: false;
      readonly failure: RecorderFailure;
      readonly codes: readonly string[];
    };

export type RecorderOpener = {
  /** Tries the recorders one after another until one connects. */
  open(request: OpenRequest): Promise<OpenResult>;
  /** Clears a recorder's failures after it has connected. */
  clearFailures(sn: string): void;
};

export function createRecorderOpener(options: RecorderOpenerOptions): RecorderOpener {
  const { client, finders, log, onError } = options;
  /** Serial numbers of recorders without a binding. They are retried only at the user's request. */
  const unboundSns = new Set<string>();
  /** Each recorder's last failure, keyed by serial number. Repeated failures aren't logged. */
  const lastFailures = new Map<string, string>();

  async function reopen(
    recorder: KnownRecorder,
    canChoose: boolean,
    signal: AbortSignal,
  ): Promise<Transport> {
    const finder = finders.get(recorder.kind as RecorderTransport['kind']);
    if (!finder) throw new TransportError('unsupported');
    try {
      return await finder.reopen(recorder, { signal });
    } catch (error) {
      const needsChooser = error instanceof TransportError && error.code === 'chooser_needed';
      if (!canChoose || !needsChooser) throw error;
      const [chosen] = await finder.find({ signal });
      if (!chosen) throw new TransportError('not_found');
      return chosen.connect({ signal });
    }
  }

  function recordFailure(sn: string, code: string): void {
    if (code !== lastFailures.get(sn)) log('link.failed', { code });
    lastFailures.set(sn, code);
    if (isUnbound(code)) unboundSns.add(sn);
  }

  return {
    async open({ recorders, isUserInitiated, signal, accept }) {
      const codes: string[] = [];
      let firstFailure: RecorderFailure = notConnected.failure;
      for (const [index, recorder] of recorders.entries()) {
        if (signal.aborted) break;
        // Browsers allow one chooser per tap.
        const canChoose = isUserInitiated && index === 0;
        if (isUserInitiated) unboundSns.delete(recorder.sn);
        if (unboundSns.has(recorder.sn)) {
          codes.push('binding_unknown');
          continue;
        }
        const outcome = await attemptOrReport(async () => {
          const connect = () => reopen(recorder, canChoose, signal);
          const session = await openKnownRecorder(client, recorder, connect, signal);
          const mismatch = bindingMismatch(session, recorder);
          if (mismatch) {
            await session.close();
            throw mismatch;
          }
          await accept(session, recorder);
          return null;
        }, onError);
        if (outcome.ok) return { ok: true };
        if (index === 0) firstFailure = outcome.failure;
        const code = outcome.failure.kind === 'device' ? outcome.failure.code : '';
        recordFailure(recorder.sn, code);
        codes.push(code);
      }
      return { ok: false, failure: firstFailure, codes };
    },
    clearFailures(sn) {
      unboundSns.delete(sn);
      lastFailures.delete(sn);
    },
  };
}

/** Returns an error if the session belongs to a different recorder or an unbound one. */
function bindingMismatch(
  { info }: RecorderSession,
  { sn }: KnownRecorder,
): DeviceError | TransportError | null {
  if (info.sn !== sn) return new TransportError('not_found');
  return info.isBind ? null : new DeviceError('waiting_for_bind');
}
