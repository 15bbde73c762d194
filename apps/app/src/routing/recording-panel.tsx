import type { InterruptedAudio, RunningRecording } from '@linnet/recorders';
import ChevronDown from 'lucide-react/icons/chevron-down';
import ChevronUp from 'lucide-react/icons/chevron-up';
import Mic from 'lucide-react/icons/mic';
import Pause from 'lucide-react/icons/pause';
import type { ReactNode } from 'react';
import { formatClock, formatMilliseconds, formatSpokenDuration } from '../i18n/format.ts';
import { useLanguage, useTranslation } from '../i18n/index.ts';
import { joinSentences } from '../i18n/joined.ts';
import { useElapsed } from '../page-kit/elapsed.ts';
import { LiveTextView, useLiveRecordId } from '../page-kit/live-text.tsx';
import { useRecording } from '../page-kit/recording.tsx';
import { useServices, useStore } from '../page-kit/services-context.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { LiveWaveform } from '../ui/live-trace.tsx';
import { NotesInAdvance } from './notes-in-advance.tsx';
import { RecordingMarker } from './recording-marker.tsx';
import { RecordingNotes } from './recording-notes.tsx';
import { RecordingOptions } from './recording-options.tsx';
import './recording-panel.css';

/** The panel's frame, with a heading and the button that hides it. */
function Panel({
  label,
  heading,
  children,
}: {
  label: string;
  heading: ReactNode;
  children: ReactNode;
}) {
  const { t } = useTranslation();
  const { setPanelOpen } = useRecording();
  return (
    <section
      className="recording-panel"
      aria-label={label}
      onKeyDown={(event) => event.key === 'Escape' && setPanelOpen(false)}
    >
      <header>
        {heading}
        <IconButton label={t('record.hide')} onClick={() => setPanelOpen(false)}>
          <ChevronDown size={20} />
        </IconButton>
      </header>
      {children}
    </section>
  );
}

/** The recording in progress: the timer, plus the live waveform while the panel is open. */
function RunningPanel({ running }: { running: RunningRecording }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { recorder, isBusy, isPanelOpen, setPanelOpen, togglePause } = useRecording();
  // The time stops while paused or disconnected.
  const elapsed = useElapsed({
    from: running.startedAt,
    to: running.pausedAt ?? running.lostAt,
  });
  const recordId = useLiveRecordId(recorder.audioLevels);
  const { mode, scene, isSilent, sharing } = running;
  const isLost = running.lostAt !== null;
  const isPaused = running.pausedAt !== null;
  const isLinnet = recorder.kind === 'linnet';
  const isOmi = recorder.kind === 'omi';
  const state = isLost ? 'outOfReach' : isPaused ? 'paused' : 'recording';
  const timer = (
    <time
      className="recording-time tabular"
      role="timer"
      data-testid="record-timer"
      data-seconds={elapsed}
      aria-label={t('record.elapsed', { time: formatSpokenDuration(elapsed, language) })}
    >
      {formatClock(elapsed, language)}
    </time>
  );
  const dot = (
    <span
      className="recording-dot"
      data-still={isLost || isPaused || undefined}
      aria-hidden="true"
    />
  );
  if (!isPanelOpen) {
    return (
      <section className="recording-strip" aria-label={t('record.recording')}>
        {dot}
        <span className="recording-label">{t(`record.${state}`)}</span>
        {timer}
        <IconButton label={t('record.show')} onClick={() => setPanelOpen(true)}>
          <ChevronUp size={20} />
        </IconButton>
      </section>
    );
  }
  const note = isLost
    ? isOmi
      ? 'streamLost'
      : 'lost'
    : isPaused
      ? 'pausedNote'
      : isSilent
        ? 'silent'
        : sharing === 'ended'
          ? 'sharingEnded'
          : sharing === 'active'
            ? 'callListening'
            : isLinnet
              ? 'listening'
              : isOmi
                ? 'streaming'
                : 'deviceListening';
  return (
    <Panel
      label={t('record.recording')}
      heading={
        <>
          {dot}
          <span className="recording-label">
            {t(`record.scenes.${scene}`)}
            {recorder.capabilities.modes.length > 1 && ` · ${t(`record.modes.${mode}`)}`}
          </span>
        </>
      }
    >
      {timer}
      <LiveWaveform
        source={recorder.audioLevels}
        stopped={isLost || isPaused}
        label={t(isLinnet || isOmi ? 'record.sound' : 'record.deviceSound')}
      />
      <LiveTextView recordId={recordId} isListening={!isLost && !isPaused} />
      <div className="recording-actions">
        {recorder.capabilities.pauses && (
          <Button
            icon={isPaused ? <Mic size={18} /> : <Pause size={18} />}
            busy={isBusy}
            disabled={isLost}
            data-testid="record-hold"
            onClick={togglePause}
          >
            {t(isPaused ? 'record.resume' : 'record.pause')}
          </Button>
        )}
        {recordId !== null && <RecordingMarker recording={recordId} elapsed={elapsed} />}
      </div>
      {recordId !== null && (
        <RecordingNotes
          key={recordId}
          recording={recordId}
          elapsed={elapsed}
          continuesEarlyNote={!isLinnet}
        />
      )}
      <p
        className="recording-note"
        role="status"
        data-alert={note === 'silent' || note === 'sharingEnded' || undefined}
      >
        {t(`record.${note}`)}
      </p>
      {isOmi && <LostAudio />}
    </Panel>
  );
}

/** Shows how much of the recording in progress was lost in transmission from the recorder. */
function LostAudio() {
  const { t } = useTranslation();
  const language = useLanguage();
  const lostMs = useStore(useServices().omi.lostMs);
  if (lostMs === 0) return null;
  return (
    <p className="recording-note" data-testid="lost-audio" data-ms={lostMs}>
      {t('record.lostAudio', { length: formatMilliseconds(lostMs, language) })}
    </p>
  );
}

/** Shows an interrupted recording, with buttons to continue or finish it. */
function InterruptedPanel({ audio }: { audio: InterruptedAudio }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { isBusy, continueRecording, finishRecording } = useRecording();
  const time = formatSpokenDuration(Math.round(audio.recordedMs / 1000), language);
  return (
    <Panel label={t('record.interruptedTitle')} heading={<h2>{t('record.interruptedTitle')}</h2>}>
      <p className="recording-note" role="status">
        {t(`record.interrupted.${audio.reason}`, { time })}
      </p>
      <div className="recording-actions">
        <Button busy={isBusy} data-testid="record-finish" onClick={finishRecording}>
          {t('record.finish')}
        </Button>
        <Button
          variant="primary"
          icon={<Mic size={18} />}
          busy={isBusy}
          data-testid="record-continue"
          onClick={continueRecording}
        >
          {t('record.continue')}
        </Button>
      </div>
    </Panel>
  );
}

/** Before the first recorded call, reminds the user to tell the other participants that it is being recorded. */
function CallNotice() {
  const { t } = useTranslation();
  const { closeCallNotice } = useRecording();
  return (
    <Confirm
      title={t('record.callNotice.title')}
      confirmLabel={t('record.callNotice.confirm')}
      onConfirm={() => closeCallNotice('start')}
      onCancel={() => closeCallNotice('cancel')}
    >
      <span className="dialog-paragraph">{t('record.callNotice.consent')}</span>
      <span className="dialog-paragraph">{t('record.callNotice.share')}</span>
    </Confirm>
  );
}

/** The panel above the tab bar. Shows the recording in progress, an interrupted recording, or the recording options. */
export function RecordingPanel() {
  const { isCallNoticeOpen } = useRecording();
  return (
    <>
      <OpenPanel />
      {isCallNoticeOpen && <CallNotice />}
    </>
  );
}

function OpenPanel() {
  const { t } = useTranslation();
  const language = useLanguage();
  const { recorder, running, interrupted, isPanelOpen, mode, scene } = useRecording();
  if (running) return <RunningPanel running={running} />;
  if (!isPanelOpen) return null;
  if (interrupted) return <InterruptedPanel audio={interrupted} />;
  const recordsCall = recorder.capabilities.supportsSharedAudio && scene === 'call';
  const note =
    recorder.kind === 'linnet'
      ? joinSentences([t(`record.modeHints.${mode}`), t('record.willListen')], language)
      : recorder.kind === 'omi'
        ? t('record.streaming')
        : t(recordsCall ? 'record.callWillListen' : 'record.deviceWillListen');
  return (
    <Panel label={t('record.options')} heading={<h2>{t('record.options')}</h2>}>
      <RecordingOptions />
      {recorder.kind === 'this-device' && <NotesInAdvance />}
      <p className="recording-note">{note}</p>
    </Panel>
  );
}
