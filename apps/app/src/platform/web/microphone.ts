/**
 * Records the browser's microphone, and the audio of a tab or screen that the user shares. A worklet captures the
 * samples; a worker encodes and stores them.
 */
import { SAMPLE_RATE } from '@linnet/audio/format';
import {
  type CaptureSources,
  type Microphone,
  type MicrophoneAvailability,
  MicrophoneError,
  type MicrophoneErrorCode,
  type OpenMicrophone,
} from '@linnet/sync';
import { proxy, transfer, wrap } from 'comlink';
import workletUrl from './microphone.worklet.ts?worker&url';
import type { MicrophoneWorkerApi, RecordOutcome, WorkletCommand } from './microphone-api.ts';

/**
 * How long to wait for the audio context, in milliseconds. In a browser that requires a tap first, `resume()` never
 * settles.
 */
const CONTEXT_TIMEOUT_MS = 2000;

function toErrorCode(error: unknown): MicrophoneErrorCode {
  if (!(error instanceof DOMException)) return 'io_failed';
  switch (error.name) {
    case 'NotAllowedError':
    case 'SecurityError':
      return 'permission_denied';
    case 'NotFoundError':
    case 'OverconstrainedError':
      return 'not_found';
    case 'NotReadableError':
    case 'AbortError':
      return 'busy';
    default:
      return 'io_failed';
  }
}

function unwrap<T>(outcome: RecordOutcome<T>): T {
  if (outcome.ok) return outcome.value;
  throw new MicrophoneError(outcome.code, { cause: new Error(outcome.message) });
}

async function availability(): Promise<MicrophoneAvailability> {
  if (!window.isSecureContext) return { status: 'unavailable', code: 'insecure_context' };
  if (!('mediaDevices' in navigator) || !('AudioWorkletNode' in window)) {
    return { status: 'unavailable', code: 'unsupported' };
  }
  try {
    const { state } = await navigator.permissions.query({ name: 'microphone' });
    if (state === 'denied') return { status: 'unavailable', code: 'permission_denied' };
    return { status: 'ready', willPrompt: state === 'prompt' };
  } catch {
    // Some browsers can't query this permission. Opening the microphone prompts if necessary.
    return { status: 'ready', willPrompt: true };
  }
}

/** Returns whether the browser can share audio. Firefox and Safari share only video, and lack this constraint. */
function canShareAudio(): boolean {
  if (!('mediaDevices' in navigator) || !('getDisplayMedia' in navigator.mediaDevices))
    return false;
  return 'suppressLocalAudioPlayback' in navigator.mediaDevices.getSupportedConstraints();
}

/** Options of `getDisplayMedia` that TypeScript's libraries don't declare (W3C Screen Capture, section 5.4). */
type SharingOptions = DisplayMediaStreamOptions & {
  readonly selfBrowserSurface: 'exclude';
  readonly surfaceSwitching: 'include';
  readonly systemAudio: 'include';
};

/**
 * Lets the user choose a tab or screen.
 * @returns a stream that contains only its audio
 */
async function openSharedAudio(): Promise<MediaStream> {
  const options: SharingOptions = {
    // Browsers require video. It is stopped immediately.
    video: true,
    audio: { echoCancellation: false, noiseSuppression: false, autoGainControl: false },
    selfBrowserSurface: 'exclude',
    surfaceSwitching: 'include',
    systemAudio: 'include',
  };
  let shared: MediaStream;
  try {
    shared = await navigator.mediaDevices.getDisplayMedia(options);
  } catch (cause) {
    const isCanceled = toErrorCode(cause) === 'permission_denied';
    throw new MicrophoneError(isCanceled ? 'sharing_canceled' : 'no_shared_audio', { cause });
  }
  for (const track of shared.getVideoTracks()) track.stop();
  if (shared.getAudioTracks().length === 0) throw new MicrophoneError('no_shared_audio');
  return new MediaStream(shared.getAudioTracks());
}

/**
 * Opens the requested sources.
 * @returns the microphone's stream, followed by the shared audio if requested
 */
async function openStreams(sources: CaptureSources): Promise<readonly MediaStream[]> {
  // Request sharing first: browsers allow it only shortly after a tap, and the microphone prompt could take longer.
  const shared = sources.withSharedAudio ? await openSharedAudio() : null;
  try {
    const microphone = await openStream(sources);
    return shared ? [microphone, shared] : [microphone];
  } catch (error) {
    if (shared) release([shared]);
    throw error;
  }
}

function release(streams: readonly MediaStream[]): void {
  for (const track of streams.flatMap((stream) => stream.getTracks())) track.stop();
}

async function openStream({ inputId, withSharedAudio }: CaptureSources): Promise<MediaStream> {
  try {
    return await navigator.mediaDevices.getUserMedia({
      audio: {
        ...(inputId !== null && { deviceId: { exact: inputId } }),
        channelCount: 1,
        // Echo cancellation and noise suppression remove parts of distant speech; speech recognition copes better with
        // the noise. In a call, however, the user is close, and without echo cancellation the microphone would pick up
        // the other participants from the loudspeakers and record them twice.
        echoCancellation: withSharedAudio,
        noiseSuppression: false,
        autoGainControl: true,
      },
    });
  } catch (cause) {
    throw new MicrophoneError(toErrorCode(cause), { cause });
  }
}

/** An audio context, and a source in it for each stream. */
type Graph = { readonly context: AudioContext; readonly sources: readonly AudioNode[] };

/**
 * Connects the streams to a context with the recordings' sample rate, so that the browser does the resampling in a
 * fraction of the CPU time our own resampler needs. Firefox doesn't support this, so there the context keeps the
 * microphone's sample rate.
 */
async function createGraph(streams: readonly MediaStream[]): Promise<Graph> {
  const connect = (context: AudioContext) => ({
    context,
    sources: streams.map((stream) => context.createMediaStreamSource(stream)),
  });
  const context = new AudioContext({ latencyHint: 'playback', sampleRate: SAMPLE_RATE });
  try {
    return connect(context);
  } catch (error) {
    await context.close();
    if (!(error instanceof DOMException) || error.name !== 'NotSupportedError') throw error;
    return connect(new AudioContext({ latencyHint: 'playback' }));
  }
}

async function startGraph(streams: readonly MediaStream[]): Promise<Graph> {
  const graph = await createGraph(streams);
  const { context } = graph;
  try {
    await context.audioWorklet.addModule(workletUrl);
    const timeout = new Promise((resolve) => setTimeout(resolve, CONTEXT_TIMEOUT_MS));
    await Promise.race([context.resume(), timeout]);
    if (context.state !== 'running') throw new MicrophoneError('io_failed');
    return graph;
  } catch (cause) {
    await context.close();
    throw cause instanceof MicrophoneError ? cause : new MicrophoneError('io_failed', { cause });
  }
}

/**
 * Creates the adapter for the browser's microphone.
 * @param store name of the folder for this server's files in the origin-private file system
 */
export function createWebMicrophone(store: string): Microphone {
  return {
    supportsSharedAudio: canShareAudio(),
    availability,
    async inputs() {
      const devices = await navigator.mediaDevices.enumerateDevices();
      return devices
        .filter(({ kind, deviceId }) => kind === 'audioinput' && deviceId !== 'communications')
        .map(({ deviceId, label }) => ({ id: deviceId, name: label }));
    },
    async open(sources) {
      const streams = await openStreams(sources);
      try {
        return openMicrophone(store, streams, await startGraph(streams));
      } catch (error) {
        release(streams);
        throw error;
      }
    },
  };
}

/** @param streams the microphone and, in a call, the shared audio */
function openMicrophone(
  store: string,
  streams: readonly MediaStream[],
  { context, sources }: Graph,
): OpenMicrophone {
  const tap = new AudioWorkletNode(context, 'linnet-microphone', {
    numberOfInputs: streams.length,
    numberOfOutputs: 0,
  });
  const getTracks = (input: number) => streams[input]?.getAudioTracks() ?? [];
  const thread = new Worker(new URL('./microphone.worker.ts', import.meta.url), {
    type: 'module',
    name: store,
  });
  const worker = wrap<MicrophoneWorkerApi>(thread);
  let isRecording = false;
  const send = (command: WorkletCommand, ports: MessagePort[] = []) =>
    tap.port.postMessage(command, ports);

  async function close(): Promise<void> {
    isRecording = false;
    for (const source of sources) source.disconnect();
    release(streams);
    await context.close();
    thread.terminate();
  }

  return {
    async record(recordingId, { onAudio, onEnded, onSharingEnded }) {
      const { port1, port2 } = new MessageChannel();
      const end = (code: MicrophoneErrorCode) => {
        if (!isRecording) return;
        isRecording = false;
        onEnded(code);
      };
      const bytes = unwrap(
        await worker.record(
          recordingId,
          transfer(port2, [port2]),
          context.sampleRate,
          streams.length,
          proxy(onAudio),
          proxy((code) => {
            end(code);
            void close();
          }),
        ),
      );
      isRecording = true;
      send('start', [port1]);
      for (const [input, source] of sources.entries()) source.connect(tap, 0, input);
      for (const track of getTracks(1)) {
        track.addEventListener('ended', () => isRecording && onSharingEnded());
        // The user may have stopped sharing in the meantime.
        if (track.readyState === 'ended') onSharingEnded();
      }
      const stopDisconnected = async () => {
        if (!isRecording) return;
        // Write the samples that the worklet has received before reporting the end.
        send('flush');
        await worker.stop();
        end('disconnected');
        await close();
      };
      for (const track of getTracks(0)) {
        track.addEventListener('ended', stopDisconnected);
        // The microphone may have been unplugged in the meantime.
        if (track.readyState === 'ended') void stopDisconnected();
      }
      return bytes;
    },
    pause: () => worker.setPaused(true),
    resume: () => worker.setPaused(false),
    async stop() {
      if (!isRecording) {
        await close();
        return 0;
      }
      isRecording = false;
      send('flush');
      try {
        return unwrap(await worker.stop());
      } finally {
        await close();
      }
    },
  };
}
