/**
 * The port for this device's microphone and for audio shared during a call. The browser adapter is in the app's
 * `platform/web`.
 */

/**
 * Why the microphone can't record.
 *
 * - `unsupported`: the browser can't record.
 * - `insecure_context`: browsers allow the microphone only on pages served over HTTPS or from localhost.
 * - `permission_denied`: the user, the browser or the system denied access.
 * - `not_found`: there is no microphone.
 * - `busy`: another program uses the microphone exclusively.
 * - `disconnected`: the microphone was unplugged, or the system revoked it.
 * - `sharing_canceled`: the user, the browser or the system refused to share a tab or screen.
 * - `no_shared_audio`: the user shared a tab, window or screen without its audio, or its audio can't be shared.
 * - `storage_full`: the audio can't be written because the disk is full.
 * - `io_failed`: any other failure.
 */
export type MicrophoneErrorCode =
  | 'unsupported'
  | 'insecure_context'
  | 'permission_denied'
  | 'not_found'
  | 'busy'
  | 'disconnected'
  | 'sharing_canceled'
  | 'no_shared_audio'
  | 'storage_full'
  | 'io_failed';

/** A failure of the {@link Microphone}; `cause` holds the platform's error. */
export class MicrophoneError extends Error {
  override readonly name = 'MicrophoneError';
  readonly code: MicrophoneErrorCode;

  constructor(code: MicrophoneErrorCode, options?: ErrorOptions) {
    super(code, options);
    this.code = code;
  }
}

/** A microphone that the user can choose. `name` is empty until access is granted. */
export type MicrophoneInput = { readonly id: string; readonly name: string };

/** The sources of a recording. */
export type CaptureSources = {
  /** A microphone from `inputs`, or null for the system's default. */
  readonly inputId: string | null;
  /**
   * True to also record the audio of a tab or screen that the user chooses, typically the other participants in a call.
   */
  readonly withSharedAudio: boolean;
};

export type MicrophoneAvailability =
  /** `willPrompt`: opening the microphone asks the user for permission. */
  | { readonly status: 'ready'; readonly willPrompt: boolean }
  | {
      readonly status: 'unavailable';
      readonly code: 'unsupported' | 'insecure_context' | 'permission_denied';
    };

/** Audio that has been written to disk. */
export type CapturedAudio = {
  /** Number of bytes on disk in the temporary file, including this audio. */
  readonly bytes: number;
  /** The new packets. */
  readonly packets: Uint8Array;
  /** The maximum amplitude of each new packet (20 ms), 0–255. */
  readonly levels: Uint8Array;
};

export type CaptureListener = {
  /** Called about five times a second while recording. */
  onAudio(audio: CapturedAudio): void;
  /** Called once if the capture ends unexpectedly. All audio up to then is on disk. */
  onEnded(code: MicrophoneErrorCode): void;
  /** Called once if the shared audio ends before the recording. The microphone keeps recording. */
  onSharingEnded(): void;
};

/** An open microphone. `stop` closes it. It is already closed when `onEnded` is called. */
export interface OpenMicrophone {
  /**
   * Starts appending packets to a recording's temporary file. With shared audio, the packets contain both sides, and
   * the call levels (`@linnet/audio/call`) are written to a second file.
   * @returns the number of bytes already on disk in the file
   * @throws MicrophoneError `storage_full`, `io_failed`
   */
  record(recordingId: string, listener: CaptureListener): Promise<number>;
  /** Discards incoming audio until `resume`. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /**
   * Writes the buffered audio and releases the microphone.
   * @returns the number of bytes on disk in the temporary file, or 0 if `record` was never called
   * @throws MicrophoneError `storage_full`, `io_failed` (the microphone is released regardless)
   */
  stop(): Promise<number>;
}

export interface Microphone {
  /** True if `open` can record shared audio. */
  readonly supportsSharedAudio: boolean;
  availability(): Promise<MicrophoneAvailability>;
  /** Lists the microphones, the system's default first. */
  inputs(): Promise<readonly MicrophoneInput[]>;
  /**
   * Opens a microphone, and shared audio if requested. May ask the user for permission and for a tab or screen to
   * share. Browsers allow sharing only within a few seconds of a tap.
   * @throws MicrophoneError
   */
  open(sources: CaptureSources): Promise<OpenMicrophone>;
}
