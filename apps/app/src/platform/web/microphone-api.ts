import type { CapturedAudio, MicrophoneErrorCode } from '@linnet/sync';

/** Messages from the page to the audio worklet. With `start`, the port for the samples is transferred. */
export type WorkletCommand = 'start' | 'flush';

/**
 * Messages from the audio worklet to the worker: the mono samples of each input (from -1 to 1, and equally many for
 * each), or `end` after a `flush`. The first input is the microphone; in a call, the second is the shared audio.
 */
export type WorkletOutput = readonly Float32Array<ArrayBuffer>[] | 'end';

export type RecordOutcome<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly code: MicrophoneErrorCode; readonly message: string };

/** The interface of the worker that encodes and stores the microphone's audio. */
export type MicrophoneWorkerApi = {
  /**
   * Appends the samples that arrive at `port` to the temporary file of a recording.
   * @param sampleRate sample rate in hertz
   * @param inputs number of inputs: 1, or 2 for a call
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
  /** Waits for the worklet's `end`, and writes the buffered audio. @returns the number of durable bytes in the file */
  stop(): Promise<RecordOutcome<number>>;
};
