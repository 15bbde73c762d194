/** The record button's state and actions, shared by the button and its panel. */

import type { Scene } from '@linnet/contract/statuses';
import type { RecordMode, RecordScene } from '@linnet/device/session';
import type {
  CommandOutcome,
  InterruptedAudio,
  Recorder,
  RunningRecording,
} from '@linnet/recorders';
import { createContext, type ReactNode, use, useEffect, useMemo, useRef, useState } from 'react';
import { describeRecorderFailure, formatFailure } from '../i18n/failures.ts';
import { useTranslation } from '../i18n/index.ts';
import type { RecorderFailure } from '../ports/recorder.ts';
import type { RecordingOptions } from '../ports/recorders.ts';
import { useToast } from '../ui/toast.tsx';
import { useLiveRecordId } from './live-text.tsx';
import { useIsWide, vibrate } from './media.ts';
import { useNavigateTo } from './navigation.tsx';
import { paths } from './paths.ts';
import { useServices, useStore } from './services-context.ts';
import { useNoteQueue } from './use-note-queue.ts';

/** The record button's state. */
export type RecordState = 'idle' | 'recording' | 'interrupted' | 'unavailable' | 'disconnected';

type Recording = {
  readonly state: RecordState;
  /** The recorder that is recording, or else the chosen one. */
  readonly recorder: Recorder<RecorderFailure>;
  readonly running: RunningRecording | null;
  readonly interrupted: InterruptedAudio | null;
  /** Whether a command to the recorder is in progress. */
  readonly isBusy: boolean;
  /** The next recording's options, limited to the recorder's capabilities. */
  readonly mode: RecordMode;
  readonly scene: RecordScene;
  setOptions(options: Partial<RecordingOptions>): void;
  readonly isPanelOpen: boolean;
  setPanelOpen(open: boolean): void;
  /** Whether the notice before the first call is open. */
  readonly isCallNoticeOpen: boolean;
  /** Starts the call, or cancels it. */
  closeCallNotice(outcome: 'start' | 'cancel'): void;
  onPress(): void;
  /** Pauses or resumes the recording. */
  togglePause(): void;
  /** Starts a recording that continues an earlier one. Both have the same type and will be merged. */
  startContinuing(earlier: { readonly id: string; readonly scene: Scene }): void;
  /** Continues the interrupted recording. */
  continueRecording(): void;
  /** Finishes the interrupted recording. */
  finishRecording(): void;
};

const RecordingContext = createContext<Recording | null>(null);

export function useRecording(): Recording {
  const recording = use(RecordingContext);
  if (!recording) throw new Error('useRecording() outside <RecordingProvider>');
  return recording;
}

export function RecordingProvider({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const { recorder: link, recorders, omi } = useServices();
  const linkState = useStore(link.link);
  const recorder = recorders.of(useStore(recorders.current));
  const activity = useStore(recorder.activity);
  const show = useToast();
  const isWide = useIsWide();
  const navigateTo = useNavigateTo();
  const [isSending, setSending] = useState(false);
  const chosen = useStore(recorders.options);
  const { modes, scenes, supportsSharedAudio } = recorder.capabilities;
  const mode = modes.includes(chosen.mode) ? chosen.mode : 'normal';
  const scene = scenes.includes(chosen.scene) ? chosen.scene : 'note';
  const [isCallNoticeOpen, setCallNoticeOpen] = useState(false);
  const [isPanelOpen, setPanelOpen] = useState(activity.state === 'interrupted');

  useNoteQueue(useLiveRecordId(recorder.audioLevels), recorder.kind);

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
  const isBusy = isSending || isChanging;

  // The panel opens when a recording starts, even if it was started on the recorder, and closes when it ends.
  const isActive = running !== null || interrupted !== null;
  const previousActivity = useRef({ state, isActive });
  useEffect(() => {
    const hasStarted = state === 'recording' && previousActivity.current.state === 'idle';
    if (hasStarted || (state === 'interrupted' && !previousActivity.current.isActive))
      setPanelOpen(true);
    if (!isActive && previousActivity.current.isActive) setPanelOpen(false);
    previousActivity.current = { state, isActive };
  }, [state, isActive]);

  const needsAttention = running !== null && (running.isSilent || running.sharing === 'ended');
  useEffect(() => {
    if (needsAttention) setPanelOpen(true);
  }, [needsAttention]);

  const recording = useMemo((): Recording => {
    const showFailure = (failure: RecorderFailure) => {
      const description = describeRecorderFailure(t, failure);
      show({
        message: formatFailure(description),
        kind: 'error',
        sticky: description.sticky,
      });
    };
    const command = async (
      run: () => Promise<CommandOutcome<RecorderFailure>>,
      onFailure: () => Promise<void> | void = () => {},
    ) => {
      if (isBusy) return;
      setSending(true);
      try {
        const outcome = await run();
        if (outcome.ok) return;
        showFailure(outcome.failure);
        await onFailure();
      } finally {
        setSending(false);
      }
    };
    const start = () => {
      vibrate('start');
      return recorder.start({ mode, scene });
    };
    const needsCallNotice = () =>
      supportsSharedAudio && scene === 'call' && !recorders.microphone.isCallNoticeRead.get();
    const stop = () => {
      vibrate('stop');
      return recorder.stop();
    };
    const reconnect = () => {
      if (recorder.kind === 'omi') {
        return void command(
          () => omi.reconnect(),
          () => navigateTo(paths.myDevice),
        );
      }
      if (linkState.status === 'none') return void navigateTo(paths.deviceConnect);
      if (linkState.status === 'hotspot') return void navigateTo(paths.deviceFiles);
      void command(
        () => link.reconnect(),
        () => navigateTo(paths.deviceConnect),
      );
    };
    const onPress = () => {
      switch (state) {
        case 'disconnected':
          // An Omi reconnects automatically. In the meantime, the button stops the recording.
          return recorder.kind === 'omi' && running ? void command(stop) : reconnect();
        case 'idle':
          return needsCallNotice() ? setCallNoticeOpen(true) : void command(start);
        case 'recording':
          return void command(stop);
        case 'interrupted':
          return setPanelOpen(true);
        case 'unavailable':
          return show({ message: t('record.unusable'), kind: 'error' });
      }
    };
    const togglePause = () => {
      vibrate('stop');
      void command(() => (running?.pausedAt == null ? recorder.pause() : recorder.resume()));
    };
    return {
      state,
      recorder,
      running,
      interrupted,
      isBusy,
      mode,
      scene,
      setOptions: recorders.chooseOptions,
      isPanelOpen,
      setPanelOpen,
      isCallNoticeOpen,
      onPress,
      togglePause,
      closeCallNotice(outcome) {
        setCallNoticeOpen(false);
        if (outcome === 'cancel') return;
        recorders.microphone.markCallNoticeRead();
        void command(start);
      },
      startContinuing({ id, scene: earlier }) {
        vibrate('start');
        // An imported file has no type that can be recorded, and a call would need the notice first. Record a note
        // instead.
        const continuedScene = earlier === 'meeting' || earlier === 'note' ? earlier : 'note';
        void command(async () => {
          const outcome = await recorder.start({
            mode: 'normal',
            scene: continuedScene,
            continues: id,
          });
          // On phones, only Files shows the recording in progress.
          if (outcome.ok && !isWide) await navigateTo(paths.files, { transition: 'pop' });
          return outcome;
        });
      },
      continueRecording: () => void command(() => recorder.continue()),
      finishRecording: () => void command(stop),
    };
  }, [
    t,
    show,
    navigateTo,
    link,
    linkState.status,
    omi,
    recorders,
    recorder,
    state,
    running,
    interrupted,
    isBusy,
    mode,
    scene,
    supportsSharedAudio,
    isWide,
    isPanelOpen,
    isCallNoticeOpen,
  ]);

  return <RecordingContext value={recording}>{children}</RecordingContext>;
}
