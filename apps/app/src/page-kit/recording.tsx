/** State and actions of the record button, shared by the button and its panel. */

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
import { inOneLine, recorderWords } from '../i18n/failures.ts';
import { useTranslation } from '../i18n/index.ts';
import type { ConnectedRecorder, LinkState, RecorderFailure } from '../ports/recorder.ts';
import { useToast } from '../ui/toast.tsx';
import { tap } from './media.ts';
import { useGo } from './navigation.tsx';
import { paths } from './paths.ts';
import { useServices, useStore } from './services-context.ts';

/** State of the record button. */
export type RecordState = 'idle' | 'recording' | 'unavailable' | 'disconnected';

/** The recording in progress, as last reported by the recorder. */
export type Running = {
  readonly now: Extract<ConnectedRecorder['recording'], { state: 'recording' }>;
  /** When the connection to the recorder was lost, in milliseconds since 1970; null while connected. */
  readonly lostAt: number | null;
};

/** A recorder keeps recording when the connection is lost. */
function runningNow(before: Running | null, link: LinkState): Running | null {
  if (link.status === 'connected') {
    const now = link.recorder.recording;
    if (now.state !== 'recording') return null;
    return before?.now === now && before.lostAt === null ? before : { now, lostAt: null };
  }
  const left = link.status === 'none' || (link.status === 'idle' && link.why === 'closed');
  if (!before || left) return null;
  return before.lostAt === null ? { ...before, lostAt: Date.now() } : before;
}

type Recording = {
  readonly state: RecordState;
  readonly running: Running | null;
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
  const go = useGo();
  const [busy, setBusy] = useState(false);
  const [mode, setMode] = useState<RecordMode>('normal');
  const [scene, setScene] = useState<RecordScene>('meeting');
  const [panelOpen, setPanelOpen] = useState(false);
  const [last, setLast] = useState<Running | null>(null);
  const running = runningNow(last, link);
  if (running !== last) setLast(running);

  const state: RecordState =
    link.status === 'connected' ? link.recorder.recording.state : 'disconnected';

  // The panel opens when a recording starts, even if it was started on the recorder, and closes when it ends.
  const recordsNow = running !== null;
  const before = useRef({ state, recordsNow });
  useEffect(() => {
    if (state === 'recording' && before.current.state === 'idle') setPanelOpen(true);
    if (!recordsNow && before.current.recordsNow) setPanelOpen(false);
    before.current = { state, recordsNow };
  }, [state, recordsNow]);

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
    const command = async (work: () => Promise<void>) => {
      if (busy) return;
      setBusy(true);
      try {
        await work();
      } finally {
        setBusy(false);
      }
    };
    const press = () => {
      if (link.status === 'none') {
        void go(paths.deviceConnect);
      } else if (link.status === 'hotspot') {
        void go(paths.deviceFiles);
      } else if (link.status !== 'connected') {
        void command(async () => {
          const answer = await recorder.reconnect();
          if (!answer.ok) {
            say(answer.failure);
            await go(paths.deviceConnect);
          }
        });
      } else if (state === 'idle') {
        void command(async () => {
          tap('start');
          const answer = await recorder.startRecording({ mode, scene });
          if (!answer.ok) say(answer.failure);
        });
      } else if (state === 'recording') {
        void command(async () => {
          tap('stop');
          const answer = await recorder.stopRecording();
          if (!answer.ok) say(answer.failure);
        });
      } else {
        show({ words: t('record.unusable'), kind: 'error' });
      }
    };
    const hold = () =>
      void command(async () => {
        tap('stop');
        const paused = running?.now.pausedAt != null;
        const answer = await (paused ? recorder.resumeRecording() : recorder.pauseRecording());
        if (!answer.ok) say(answer.failure);
      });
    return { state, running, busy, mode, scene, choose, panelOpen, setPanelOpen, press, hold };
  }, [t, show, go, recorder, link.status, state, running, busy, mode, scene, choose, panelOpen]);

  return <RecordingContext value={recording}>{children}</RecordingContext>;
}
