import ChevronDown from 'lucide-react/icons/chevron-down';
import ChevronUp from 'lucide-react/icons/chevron-up';
import { useEffect, useState } from 'react';
import { clock, spokenDuration } from '../i18n/format.ts';
import { useLanguage, useTranslation } from '../i18n/index.ts';
import { IconButton } from '../ui/button.tsx';
import { Choice } from '../ui/choice.tsx';
import { useRecording } from './recording.tsx';
import { useServices, useStore } from './services-context.ts';
import './recording-panel.css';

/** How often the timer is drawn: often enough that no second is skipped. */
const timerMs = 250;

/** Seconds since `startedAt` (milliseconds since 1970). */
function useElapsed(startedAt: number | null): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (startedAt === null) return;
    const timer = setInterval(() => setNow(Date.now()), timerMs);
    setNow(Date.now());
    return () => clearInterval(timer);
  }, [startedAt]);
  return startedAt === null ? 0 : Math.max(0, Math.floor((now - startedAt) / 1000));
}

/**
 * Stands on the tab bar. While recording it shows the time, folded or large; otherwise it opens to
 * choose how and what the recorder will record.
 */
export function RecordingPanel() {
  const { t } = useTranslation();
  const language = useLanguage();
  const link = useStore(useServices().recorder.link);
  const { panelOpen, setPanelOpen, mode, scene, choose } = useRecording();
  const now = link.status === 'connected' ? link.recorder.recording : null;
  const running = now?.state === 'recording' ? now : null;
  const elapsed = useElapsed(running?.startedAt ?? null);
  if (!running && !panelOpen) return null;

  const timer = running && (
    <time
      className="recording-time tabular"
      role="timer"
      data-testid="record-timer"
      data-seconds={elapsed}
      aria-label={t('record.elapsed', { time: spokenDuration(elapsed, language) })}
    >
      {clock(elapsed, language)}
    </time>
  );

  if (running && !panelOpen) {
    return (
      <section className="recording-strip" aria-label={t('record.recording')}>
        <span className="recording-dot" aria-hidden="true" />
        <span className="recording-label">{t('record.recording')}</span>
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
            <span className="recording-dot" aria-hidden="true" />
            <span className="recording-label">
              {t(`record.scenes.${running.scene}`)} · {t(`record.modes.${running.mode}`)}
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
          <p className="recording-note">{t('record.listening')}</p>
        </>
      ) : (
        <>
          <Choice
            label={t('record.scene')}
            value={scene}
            options={(['meeting', 'note', 'call'] as const).map((value) => ({
              value,
              label: t(`record.scenes.${value}`),
            }))}
            onChange={(value) => choose({ scene: value })}
          />
          <Choice
            label={t('record.mode')}
            value={mode}
            options={(['normal', 'call'] as const).map((value) => ({
              value,
              label: t(`record.modes.${value}`),
            }))}
            onChange={(value) => choose({ mode: value })}
          />
          <p className="recording-note">
            {t(`record.modeHints.${mode}`)} {t('record.willListen')}
          </p>
        </>
      )}
    </section>
  );
}
