import type { CapturedAudio, MicrophoneErrorCode } from '@linnet/sync';

/** Messages from the page to the audio worklet. `start` also transfers the port for the samples. */
export type WorkletCommand = 'start' | 'flush';

/**
 * Messages from the audio worklet to the worker: each input's mono samples (from -1 to 1, the same number for each), or
 * `end` after a `flush`. The first input is the microphone; in a call, the second is the shared audio.
 */
export type WorkletOutput = readonly Float32Array<ArrayBuffer>[] | 'end';

export type RecordOutcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly code: MicrophoneErrorCode; readonly message: string };

/** The interface of the worker that stores microphone recordings. */
export type MicrophoneWorkerApi = {
  /**
   * Appends the samples arriving at `port` to a recording's temporary file.
   * @param sampleRate in hertz
   * @param inputs the number of inputs: 1, or 2 for a call
   * @returns the number of durable bytes in the file
   */
  record(
    recordingId: string,
    port: MessagePort,
    sampleRate: number,
    inputs: number,
    onAudio: (audio: CapturedAudio) => void,
    onEnded: (code: MicrophoneErrorCode, message: string) => void,
  ): Promise<RecordOutcome<number>>;
  /** Discards (`true`) or records (`false`) the samples from now on. */
  setPaused(paused: boolean): Promise<void>;
  /**
   * Waits for the worklet's `end` and writes the buffered audio.
   * @returns the number of durable bytes in the file
   */
  stop(): Promise<RecordOutcome<number>>;
};
