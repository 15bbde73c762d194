/** State and actions of the record button, shared by the button and its panel. */

import type { RecordMode, RecordScene } from '@linnet/device/session';
import type {
  CommandOutcome,
  InterruptedAudio,
  Recorder,
  RunningRecording,
} from '@linnet/recorders';
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
import { inOneLine, recorderWords } from '../i18n/failures.ts';
import { useTranslation } from '../i18n/index.ts';
import type { RecorderFailure } from '../ports/recorder.ts';
import { useToast } from '../ui/toast.tsx';
import { tap } from './media.ts';
import { useGo } from './navigation.tsx';
import { paths } from './paths.ts';
import { useServices, useStore } from './services-context.ts';

/** State of the record button. */
export type RecordState = 'idle' | 'recording' | 'interrupted' | 'unavailable' | 'disconnected';

type Recording = {
  readonly state: RecordState;
  /** The recorder that is recording, or else the chosen one. */
  readonly recorder: Recorder<RecorderFailure>;
  readonly running: RunningRecording | null;
  readonly interrupted: InterruptedAudio | null;
  /** A command to the recorder is in progress. */
  readonly busy: boolean;
  readonly mode: RecordMode;
  readonly scene: RecordScene;
  choose(what: { mode?: RecordMode; scene?: RecordScene }): void;
  readonly panelOpen: boolean;
  setPanelOpen(open: boolean): void;
  press(): void;
  /** Pauses or resumes the recording. */
  hold(): void;
  /** Continues the interrupted recording. */
  proceed(): void;
  /** Ends the interrupted recording. */
  complete(): void;
};

const RecordingContext = createContext<Recording | null>(null);

export function useRecording(): Recording {
  const recording = use(RecordingContext);
  if (!recording) throw new Error('useRecording() outside <RecordingProvider>');
  return recording;
}

export function RecordingProvider({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const { recorder: link, recorders } = useServices();
  const linkState = useStore(link.link);
  const recorder = recorders.of(useStore(recorders.current));
  const activity = useStore(recorder.activity);
  const show = useToast();
  const go = useGo();
  const [isSending, setSending] = useState(false);
  const [mode, setMode] = useState<RecordMode>('normal');
  const [scene, setScene] = useState<RecordScene>('meeting');
  const [panelOpen, setPanelOpen] = useState(activity.state === 'interrupted');

  const isChanging = activity.state === 'starting' || activity.state === 'finishing';
  const isLost = activity.state === 'recording' && activity.running.lostAt !== null;
  const state: RecordState =
    activity.state === 'starting' || activity.state === 'finishing'
      ? 'idle'
      : isLost
        ? 'disconnected'
        : activity.state;
  const running = activity.state === 'recording' ? activity.running : null;
  const interrupted = activity.state === 'interrupted' ? activity.audio : null;
  const busy = isSending || isChanging;

  // The panel opens when a recording starts, even if it was started on the recorder, and closes when it ends.
  const isActive = running !== null || interrupted !== null;
  const before = useRef({ state, isActive });
  useEffect(() => {
    const hasStarted = state === 'recording' && before.current.state === 'idle';
    if (hasStarted || (state === 'interrupted' && !before.current.isActive)) setPanelOpen(true);
    if (!isActive && before.current.isActive) setPanelOpen(false);
    before.current = { state, isActive };
  }, [state, isActive]);

  const isSilent = running?.isSilent ?? false;
  useEffect(() => {
    if (isSilent) setPanelOpen(true);
  }, [isSilent]);

  const choose = useCallback((what: { mode?: RecordMode; scene?: RecordScene }) => {
    if (what.mode) setMode(what.mode);
    if (what.scene) setScene(what.scene);
  }, []);

  const recording = useMemo((): Recording => {
    const say = (failure: RecorderFailure) => {
      const words = recorderWords(t, failure);
      const sentence = inOneLine(words);
      show({ words: sentence, kind: 'error', sticky: words.sticky });
    };
    const command = async (
      run: () => Promise<CommandOutcome<RecorderFailure>>,
      onFailure: () => Promise<void> | void = () => {},
    ) => {
      if (busy) return;
      setSending(true);
      try {
        const outcome = await run();
        if (outcome.ok) return;
        say(outcome.failure);
        await onFailure();
      } finally {
        setSending(false);
      }
    };
    const start = () => {
      tap('start');
      const { modes, scenes } = recorder.capabilities;
      return recorder.start({
        mode: modes.includes(mode) ? mode : 'normal',
        scene: scenes.includes(scene) ? scene : 'note',
      });
    };
    const stop = () => {
      tap('stop');
      return recorder.stop();
    };
    const reconnect = () => {
      if (linkState.status === 'none') return void go(paths.deviceConnect);
      if (linkState.status === 'hotspot') return void go(paths.deviceFiles);
      void command(
        () => link.reconnect(),
        () => go(paths.deviceConnect),
      );
    };
    const press = () => {
      switch (state) {
        case 'disconnected':
          return reconnect();
        case 'idle':
          return void command(start);
        case 'recording':
          return void command(stop);
        case 'interrupted':
          return setPanelOpen(true);
        case 'unavailable':
          return show({ words: t('record.unusable'), kind: 'error' });
      }
    };
    const hold = () => {
      tap('stop');
      void command(() => (running?.pausedAt == null ? recorder.pause() : recorder.resume()));
    };
    return {
      ...{ state, recorder, running, interrupted, busy, mode, scene, choose },
      ...{ panelOpen, setPanelOpen, press, hold },
      proceed: () => void command(() => recorder.continue()),
      complete: () => void command(stop),
    };
  }, [
    t,
    show,
    go,
    link,
    linkState.status,
    recorder,
    state,
    running,
    interrupted,
    busy,
    mode,
    scene,
    choose,
    panelOpen,
  ]);

  return <RecordingContext value={recording}>{children}</RecordingContext>;
}
