import { SpeechFailure } from './port.ts';
import { openRequestPipe, type RequestPipe } from './request-pipe.ts';
import { withScratch } from './scratch.ts';

/** Parameters for starting a process. */
export interface ProcessStart<Answer> {
  /** A temporary folder, which is removed when the process has exited. */
  readonly folder: string;
  /** The process's requests. */
  readonly requests: RequestPipe;
  /** Must be called with the answer to each request, in order. */
  readonly onAnswer: (answer: Answer) => void;
  readonly signal: AbortSignal;
}

/** A process that keeps its model loaded and answers requests one after another. */
export interface LoadedProcess<Answer> {
  /**
   * Sends a request. Any failure stops the process, including an abort by the caller.
   * @param prepare writes files into the folder, and returns the line of the request
   * @param seconds timeout for the answer
   * @throws SpeechFailure
   */
  ask(
    prepare: (folder: string) => Promise<string>,
    seconds: number,
    signal?: AbortSignal,
  ): Promise<Answer>;
  /** Returns whether the process is running and can answer requests. */
  isRunning(): boolean;
  /** Stops the process, even during a request. */
  close(): Promise<void>;
}

/**
 * Starts a process.
 * @param run runs the process until the request pipe is closed
 * @throws SpeechFailure
 */
export async function loadProcess<Answer>(
  run: (start: ProcessStart<Answer>) => Promise<void>,
): Promise<LoadedProcess<Answer>> {
  const stopping = new AbortController();
  const started = Promise.withResolvers<{ folder: string; requests: RequestPipe }>();
  let pending: PromiseWithResolvers<Answer> | null = null;
  let failure: SpeechFailure | null = null;
  const fail = (reason: SpeechFailure) => {
    failure ??= reason;
    stopping.abort();
    pending?.reject(failure);
    started.reject(failure);
  };
  const running = withScratch(async (folder) => {
    const requests = await openRequestPipe(folder);
    started.resolve({ folder, requests });
    try {
      const onAnswer = (answer: Answer) => pending?.resolve(answer);
      await run({ folder, requests, onAnswer, signal: stopping.signal });
    } finally {
      await requests.close();
    }
  }).then(
    () => fail(new SpeechFailure('engine-crashed', 'exited between requests')),
    (error: unknown) => fail(toFailure(error)),
  );
  const { folder, requests } = await started.promise;

  return {
    async ask(prepare, seconds, signal) {
      if (failure) throw failure;
      const answer = Promise.withResolvers<Answer>();
      pending = answer;
      // The process may fail before the answer is awaited below.
      answer.promise.catch(() => undefined);
      const onAbort = () => fail(new SpeechFailure('aborted', 'by the caller'));
      const timer = setTimeout(
        () => fail(new SpeechFailure('timeout', `no answer after ${Math.round(seconds)} s`)),
        seconds * 1000,
      );
      signal?.addEventListener('abort', onAbort, { once: true });
      try {
        if (signal?.aborted) onAbort();
        await requests.send(await prepare(folder));
        return await answer.promise;
      } finally {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
        pending = null;
      }
    },

    isRunning: () => failure === null,

    async close() {
      fail(new SpeechFailure('aborted', 'closed'));
      await running;
    },
  };
}

function toFailure(error: unknown): SpeechFailure {
  return error instanceof SpeechFailure
    ? error
    : new SpeechFailure('engine-crashed', String(error), error);
}
