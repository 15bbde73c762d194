import ChevronDown from 'lucide-react/icons/chevron-down';
import ChevronUp from 'lucide-react/icons/chevron-up';
import Mic from 'lucide-react/icons/mic';
import Pause from 'lucide-react/icons/pause';
import { useEffect, useState } from 'react';
import { formatClock, formatSpokenDuration } from '../i18n/format.ts';
import { useLanguage, useTranslation } from '../i18n/index.ts';
import { joinSentences } from '../i18n/joined.ts';
import { type Running, useRecording } from '../page-kit/recording.tsx';
import { useServices } from '../page-kit/services-context.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { SegmentedControl } from '../ui/choice.tsx';
import { LiveWaveform } from '../ui/live-trace.tsx';
import './recording-panel.css';

/**
 * Refresh interval of the timer in milliseconds. It is well below a second, so that the timer never skips one.
 */
const timerMs = 250;

/** Returns the recorded time in whole seconds. It stops when the connection to the recorder is lost. */
function useElapsed(running: Running | null): number {
  const isRunning = running !== null && running.lostAt === null && running.state.pausedAt === null;
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => setNow(Date.now()), timerMs);
    setNow(Date.now());
    return () => clearInterval(timer);
  }, [isRunning]);
  if (!running) return 0;
  const { startedAt, pausedAt } = running.state;
  return Math.max(0, Math.floor(((pausedAt ?? running.lostAt ?? now) - startedAt) / 1000));
}

/**
 * Shows the panel above the tab bar. During a recording, the panel shows the timer and, when expanded, the live
 * waveform. Otherwise it offers the recording mode and scene.
 */
export function RecordingPanel() {
  const { t } = useTranslation();
  const language = useLanguage();
  const { recorder } = useServices();
  const { running, isBusy, isPanelOpen, setPanelOpen, mode, scene, setOptions, togglePause } =
    useRecording();
  const elapsed = useElapsed(running);
  if (!running && !isPanelOpen) return null;

  const timer = running && (
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

  const isLost = running !== null && running.lostAt !== null;
  const isPaused = running !== null && running.state.pausedAt !== null;
  const label = isLost ? 'outOfReach' : isPaused ? 'paused' : 'recording';
  const dot = (
    <span
      className="recording-dot"
      data-still={isLost || isPaused || undefined}
      aria-hidden="true"
    />
  );

  if (running && !isPanelOpen) {
    return (
      <section className="recording-strip" aria-label={t('record.recording')}>
        {dot}
        <span className="recording-label">{t(`record.${label}`)}</span>
        {timer}
        <IconButton label={t('record.show')} onClick={() => setPanelOpen(true)}>
          <ChevronUp size={20} />
        </IconButton>
      </section>
    );
  }

  return (
    <section
      className="recording-panel"
      aria-label={t(running ? 'record.recording' : 'record.options')}
      onKeyDown={(event) => event.key === 'Escape' && setPanelOpen(false)}
    >
      <header>
        {running ? (
          <>
            {dot}
            <span className="recording-label">
              {t(`record.scenes.${running.state.scene}`)} ·{' '}
              {t(`record.modes.${running.state.mode}`)}
            </span>
          </>
        ) : (
          <h2>{t('record.options')}</h2>
        )}
        <IconButton label={t('record.hide')} onClick={() => setPanelOpen(false)}>
          <ChevronDown size={20} />
        </IconButton>
      </header>
      {running ? (
        <>
          {timer}
          <LiveWaveform
            source={recorder.sound}
            stopped={isLost || isPaused}
            label={t('record.sound')}
          />
          <Button
            className="recording-hold"
            icon={isPaused ? <Mic size={18} /> : <Pause size={18} />}
            busy={isBusy}
            disabled={isLost}
            data-testid="record-hold"
            onClick={togglePause}
          >
            {t(isPaused ? 'record.resume' : 'record.pause')}
          </Button>
          <p className="recording-note" role="status">
            {t(isLost ? 'record.lost' : isPaused ? 'record.pausedNote' : 'record.listening')}
          </p>
        </>
      ) : (
        <>
          <SegmentedControl
            label={t('record.scene')}
            value={scene}
            options={(['meeting', 'note', 'call'] as const).map((value) => ({
              value,
              label: t(`record.scenes.${value}`),
            }))}
            onChange={(value) => setOptions({ scene: value })}
          />
          <SegmentedControl
            label={t('record.mode')}
            value={mode}
            options={(['normal', 'call'] as const).map((value) => ({
              value,
              label: t(`record.modes.${value}`),
            }))}
            onChange={(value) => setOptions({ mode: value })}
          />
          <p className="recording-note">
            {joinSentences([t(`record.modeHints.${mode}`), t('record.willListen')], language)}
          </p>
        </>
      )}
    </section>
  );
}
