import Pause from 'lucide-react/icons/pause';
import Play from 'lucide-react/icons/play';
import RotateCcw from 'lucide-react/icons/rotate-ccw';
import RotateCw from 'lucide-react/icons/rotate-cw';
import { useEffect } from 'react';
import { useStore } from '../../app-shell/services-context.ts';
import { count } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { IconButton } from '../../ui/button.tsx';
import type { Player } from './use-player.ts';
import { WaveSlider } from './wave-slider.tsx';
import './player.css';

const speeds = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2, 2.5, 3] as const;
const skip = 15;

/** Space plays and pauses, arrows go back and forth, wherever nothing else wants those keys. */
function useShortcuts(player: Player) {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const target = event.target instanceof Element ? event.target : null;
      const taken = target?.closest(
        'input, textarea, select, button, a, [role="slider"], [role="tab"], [role="menu"], [role="alertdialog"]',
      );
      if (taken || event.metaKey || event.ctrlKey || event.altKey) return;
      if (event.key === ' ') player.toggle();
      else if (event.key === 'ArrowRight') player.seek(player.position.get() + skip);
      else if (event.key === 'ArrowLeft') player.seek(player.position.get() - skip);
      else return;
      event.preventDefault();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [player]);
}

/** The one player, at the bottom through all tabs. Its keys keep the order of a tape in RTL too. */
export function PlayerBar({ peaks, player }: { peaks: Uint8Array; player: Player }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const position = useStore(player.position);
  useShortcuts(player);
  const usable = player.status === 'ready';
  return (
    <section
      className="player"
      aria-label={t('player.label')}
      data-testid="player"
      data-duration={player.duration}
      data-position={position}
      data-playing={player.playing}
      data-status={player.status}
    >
      <WaveSlider peaks={peaks} player={player} />
      {player.status === 'absent' || player.status === 'failed' ? (
        <p className="player-note">
          {t(player.status === 'absent' ? 'player.noAudio' : 'player.failed')}
        </p>
      ) : (
        <div className="player-keys" dir="ltr">
          <label className="player-speed tabular">
            <span className="visually-hidden">{t('player.speed')}</span>
            <select
              value={player.speed}
              disabled={!usable}
              onChange={(event) => player.setSpeed(Number(event.currentTarget.value))}
            >
              {speeds.map((speed) => (
                <option key={speed} value={speed}>
                  {t('player.times', { factor: count(speed, language) })}
                </option>
              ))}
            </select>
          </label>
          <IconButton
            className="player-skip"
            label={t('player.back15')}
            disabled={!usable}
            onClick={() => player.seek(player.position.get() - skip)}
          >
            <RotateCcw size={32} strokeWidth={1.6} />
            <span aria-hidden="true">{count(skip, language)}</span>
          </IconButton>
          <button
            type="button"
            className="player-play"
            aria-label={t(player.playing ? 'player.pause' : 'player.play')}
            disabled={!usable}
            data-testid="player-play"
            onClick={player.toggle}
          >
            {player.playing ? (
              <Pause size={26} fill="currentColor" strokeWidth={1} />
            ) : (
              <Play className="player-play-icon" size={26} fill="currentColor" strokeWidth={1} />
            )}
          </button>
          <IconButton
            className="player-skip"
            label={t('player.forward15')}
            disabled={!usable}
            onClick={() => player.seek(player.position.get() + skip)}
          >
            <RotateCw size={32} strokeWidth={1.6} />
            <span aria-hidden="true">{count(skip, language)}</span>
          </IconButton>
        </div>
      )}
    </section>
  );
}
