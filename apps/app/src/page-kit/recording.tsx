/** Holds the state and the actions of the record button, shared by the button and the recording panel. */

import type { RecordMode, RecordScene } from '@linnet/device/session';
import {
  createContext,
  type ReactNode,
  use,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { describeRecorderFailure, formatFailure } from '../i18n/failures.ts';
import { useTranslation } from '../i18n/index.ts';
import type { ConnectedRecorder, LinkState, RecorderFailure } from '../ports/recorder.ts';
import { useToast } from '../ui/toast.tsx';
import { vibrate } from './media.ts';
import { useNavigateTo } from './navigation.tsx';
import { paths } from './paths.ts';
import { useServices, useStore } from './services-context.ts';

export type RecordState = 'idle' | 'recording' | 'unavailable' | 'disconnected';

/** The recording in progress, as last reported by the recorder. */
export type Running = {
  readonly state: Extract<ConnectedRecorder['recording'], { state: 'recording' }>;
  /** When the connection to the recorder was lost, in milliseconds since 1970; null while connected. */
  readonly lostAt: number | null;
};

/**
 * Returns the recording in progress after a change of the connection. A recorder continues to record when the
 * connection is lost, so the last known recording is retained until the recorder reconnects.
 */
function updateRunning(previous: Running | null, link: LinkState): Running | null {
  if (link.status === 'connected') {
    const state = link.recorder.recording;
    if (state.state !== 'recording') return null;
    return previous?.state === state && previous.lostAt === null
      ? previous
      : { state, lostAt: null };
  }
  const hasDisconnected =
    link.status === 'none' || (link.status === 'idle' && link.reason === 'closed');
  if (!previous || hasDisconnected) return null;
  return previous.lostAt === null ? { ...previous, lostAt: Date.now() } : previous;
}

type Recording = {
  readonly state: RecordState;
  readonly running: Running | null;
  /** Whether a command to the recorder is in progress. */
  readonly isBusy: boolean;
  readonly mode: RecordMode;
  readonly scene: RecordScene;
  setOptions(options: { mode?: RecordMode; scene?: RecordScene }): void;
  readonly isPanelOpen: boolean;
  setPanelOpen(open: boolean): void;
  onPress(): void;
  /** Pauses or resumes the recording. */
  togglePause(): void;
};

const RecordingContext = createContext<Recording | null>(null);

export function useRecording(): Recording {
  const recording = use(RecordingContext);
  if (!recording) throw new Error('useRecording() outside <RecordingProvider>');
  return recording;
}

export function RecordingProvider({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const { recorder } = useServices();
  const link = useStore(recorder.link);
  const show = useToast();
  const navigateTo = useNavigateTo();
  const [isBusy, setBusy] = useState(false);
  const [mode, setMode] = useState<RecordMode>('normal');
  const [scene, setScene] = useState<RecordScene>('meeting');
  const [isPanelOpen, setPanelOpen] = useState(false);
  const [lastRunning, setLastRunning] = useState<Running | null>(null);
  const running = updateRunning(lastRunning, link);
  if (running !== lastRunning) setLastRunning(running);

  const state: RecordState =
    link.status === 'connected' ? link.recorder.recording.state : 'disconnected';

  // Open the panel when a recording starts, even if it was started on the recorder, and close it when the
  // recording ends.
  const isRecording = running !== null;
  const previous = useRef({ state, isRecording });
  useEffect(() => {
    if (state === 'recording' && previous.current.state === 'idle') setPanelOpen(true);
    if (!isRecording && previous.current.isRecording) setPanelOpen(false);
    previous.current = { state, isRecording };
  }, [state, isRecording]);

  const setOptions = useCallback((options: { mode?: RecordMode; scene?: RecordScene }) => {
    if (options.mode) setMode(options.mode);
    if (options.scene) setScene(options.scene);
  }, []);

  const recording = useMemo((): Recording => {
    const showFailure = (failure: RecorderFailure) => {
      const failureText = describeRecorderFailure(t, failure);
      const sentence = formatFailure(failureText);
      show({ message: sentence, kind: 'error', sticky: failureText.sticky });
    };
    const runCommand = async (command: () => Promise<void>) => {
      if (isBusy) return;
      setBusy(true);
      try {
        await command();
      } finally {
        setBusy(false);
      }
    };
    const onPress = () => {
      if (link.status === 'none') {
        void navigateTo(paths.deviceConnect);
      } else if (link.status === 'hotspot') {
        void navigateTo(paths.deviceFiles);
      } else if (link.status !== 'connected') {
        void runCommand(async () => {
          const result = await recorder.reconnect();
          if (!result.ok) {
            showFailure(result.failure);
            await navigateTo(paths.deviceConnect);
          }
        });
      } else if (state === 'idle') {
        void runCommand(async () => {
          vibrate('start');
          const result = await recorder.startRecording({ mode, scene });
          if (!result.ok) showFailure(result.failure);
        });
      } else if (state === 'recording') {
        void runCommand(async () => {
          vibrate('stop');
          const result = await recorder.stopRecording();
          if (!result.ok) showFailure(result.failure);
        });
      } else {
        show({ message: t('record.unusable'), kind: 'error' });
      }
    };
    const togglePause = () =>
      void runCommand(async () => {
        vibrate('stop');
        const isPaused = running?.state.pausedAt != null;
        const result = await (isPaused ? recorder.resumeRecording() : recorder.pauseRecording());
        if (!result.ok) showFailure(result.failure);
      });
    return {
      state,
      running,
      isBusy,
      mode,
      scene,
      setOptions,
      isPanelOpen,
      setPanelOpen,
      onPress,
      togglePause,
    };
  }, [
    t,
    show,
    navigateTo,
    recorder,
    link.status,
    state,
    running,
    isBusy,
    mode,
    scene,
    setOptions,
    isPanelOpen,
  ]);

  return <RecordingContext value={recording}>{children}</RecordingContext>;
}
