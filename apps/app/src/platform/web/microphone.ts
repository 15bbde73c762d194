/** The browser's microphone: a worklet taps the samples, and a worker encodes and stores them. */
import {
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
 * Milliseconds to wait for the audio context. A browser that requires a tap before it runs a context never answers.
 */
const CONTEXT_TIMEOUT_MS = 2000;

function codeOf(error: unknown): MicrophoneErrorCode {
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
    return { status: 'ready', prompts: state === 'prompt' };
  } catch {
    // Some browsers cannot query this permission; opening the microphone prompts if necessary.
    return { status: 'ready', prompts: true };
  }
}

async function openStream(inputId: string | null): Promise<MediaStream> {
  try {
    return await navigator.mediaDevices.getUserMedia({
      audio: {
        ...(inputId !== null && { deviceId: { exact: inputId } }),
        channelCount: 1,
        // Both remove parts of speech that is far away; recognition copes better with the noise.
        echoCancellation: false,
        noiseSuppression: false,
        autoGainControl: true,
      },
    });
  } catch (cause) {
    throw new MicrophoneError(codeOf(cause), { cause });
  }
}

async function startContext(): Promise<AudioContext> {
  const context = new AudioContext({ latencyHint: 'playback' });
  try {
    await context.audioWorklet.addModule(workletUrl);
    const timeout = new Promise((resolve) => setTimeout(resolve, CONTEXT_TIMEOUT_MS));
    await Promise.race([context.resume(), timeout]);
    if (context.state !== 'running') throw new MicrophoneError('io_failed');
    return context;
  } catch (cause) {
    await context.close();
    throw cause instanceof MicrophoneError ? cause : new MicrophoneError('io_failed', { cause });
  }
}

/**
 * Opens the browser's microphone.
 * @param store the server's folder in the origin-private file system
 */
export function createWebMicrophone(store: string): Microphone {
  return {
    availability,
    async inputs() {
      const devices = await navigator.mediaDevices.enumerateDevices();
      return devices
        .filter(({ kind, deviceId }) => kind === 'audioinput' && deviceId !== 'communications')
        .map(({ deviceId, label }) => ({ id: deviceId, name: label }));
    },
    async open(inputId) {
      const stream = await openStream(inputId);
      const release = () => {
        for (const track of stream.getTracks()) track.stop();
      };
      try {
        const context = await startContext();
        return openMicrophone(store, stream, context);
      } catch (error) {
        release();
        throw error;
      }
    },
  };
}

function openMicrophone(store: string, stream: MediaStream, context: AudioContext): OpenMicrophone {
  const tap = new AudioWorkletNode(context, 'linnet-microphone', { numberOfOutputs: 0 });
  const source = context.createMediaStreamSource(stream);
  const thread = new Worker(new URL('./microphone.worker.ts', import.meta.url), {
    type: 'module',
    name: store,
  });
  const worker = wrap<MicrophoneWorkerApi>(thread);
  let isRecording = false;
  const send = (command: WorkletCommand, ports: MessagePort[] = []) =>
    tap.port.postMessage(command, ports);

  async function release(): Promise<void> {
    isRecording = false;
    source.disconnect();
    for (const track of stream.getTracks()) track.stop();
    await context.close();
    thread.terminate();
  }

  return {
    async record(recordingId, { onAudio, onEnded }) {
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
          proxy(onAudio),
          proxy((code) => {
            end(code);
            void release();
          }),
        ),
      );
      isRecording = true;
      send('start', [port1]);
      source.connect(tap);
      for (const track of stream.getAudioTracks()) {
        track.addEventListener('ended', async () => {
          if (!isRecording) return;
          // What the worklet has received so far is written before the end is reported.
          send('flush');
          await worker.stop();
          end('disconnected');
          await release();
        });
      }
      return bytes;
    },
    pause: () => worker.setPaused(true),
    resume: () => worker.setPaused(false),
    async stop() {
      if (!isRecording) {
        await release();
        return 0;
      }
      isRecording = false;
      send('flush');
      try {
        return unwrap(await worker.stop());
      } finally {
        await release();
      }
    },
  };
}
