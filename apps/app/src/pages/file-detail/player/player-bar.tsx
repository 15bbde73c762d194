import AudioLines from 'lucide-react/icons/audio-lines';
import FlagTriangleRight from 'lucide-react/icons/flag-triangle-right';
import Pause from 'lucide-react/icons/pause';
import Play from 'lucide-react/icons/play';
import RotateCcw from 'lucide-react/icons/rotate-ccw';
import RotateCw from 'lucide-react/icons/rotate-cw';
import { formatCount } from '../../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../../i18n/index.ts';
import { useStore } from '../../../page-kit/services-context.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { speeds } from './player-settings.ts';
import { skipSeconds } from './use-media-session.ts';
import type { Player } from './use-player.ts';
import { WaveLegend } from './wave-marks.tsx';
import type { WavePoint } from './wave-points.ts';
import { WaveSlider } from './wave-slider.tsx';
import './player.css';

const reasons = { absent: 'noAudio', offline: 'offline', failed: 'failed' } as const;

/** Shows why the audio can't be played, with a retry button if the audio exists. */
function Unplayable({ player }: { player: Player & { status: keyof typeof reasons } }) {
  const { t } = useTranslation();
  return (
    <div className="player-note" role="status">
      <p>{t(`player.${reasons[player.status]}`)}</p>
      {player.status !== 'absent' && (
        <Button variant="quiet" onClick={player.retry}>
          {t('common.retry')}
        </Button>
      )}
    </div>
  );
}

/** Shows the player below the tabs. Its controls run from left to right in every language, as on a tape recorder. */
export function PlayerBar({
  peaks,
  points,
  player,
  onMark,
}: {
  peaks: Uint8Array;
  points: readonly WavePoint[];
  player: Player;
  /** Adds a marker at the current position. */
  onMark(): void;
}) {
  const { t } = useTranslation();
  const language = useLanguage();
  const position = useStore(player.position);
  const { status } = player;
  const isReady = status === 'ready';
  const skip = (seconds: number) => () => player.seek(player.position.get() + seconds);
  return (
    <section
      className="player"
      aria-label={t('player.label')}
      data-testid="player"
      data-duration={player.duration}
      data-position={position}
      data-playing={player.playing}
      data-status={status}
    >
      <WaveLegend points={points} />
      <WaveSlider peaks={peaks} points={points} player={player} />
      {status === 'absent' || status === 'failed' || status === 'offline' ? (
        <Unplayable player={{ ...player, status }} />
      ) : (
        <div className="player-keys" dir="ltr">
          <label className="player-speed tabular">
            <span className="visually-hidden">{t('player.speed')}</span>
            <select
              value={player.speed}
              disabled={!isReady}
              data-testid="player-speed"
              onChange={(event) => player.setSpeed(Number(event.currentTarget.value))}
            >
              {speeds.map((speed) => (
                <option key={speed} value={speed}>
                  {t('player.times', { factor: formatCount(speed, language) })}
                </option>
              ))}
            </select>
          </label>
          <IconButton
            className="player-skip"
            label={t('player.back15')}
            disabled={!isReady}
            onClick={skip(-skipSeconds)}
          >
            <RotateCcw size={32} strokeWidth={1.6} />
            <span aria-hidden="true">{formatCount(skipSeconds, language)}</span>
          </IconButton>
          <button
            type="button"
            className="player-play"
            aria-label={t(player.playing ? 'player.pause' : 'player.play')}
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
            disabled={!isReady}
            onClick={skip(skipSeconds)}
          >
            <RotateCw size={32} strokeWidth={1.6} />
            <span aria-hidden="true">{formatCount(skipSeconds, language)}</span>
          </IconButton>
          <span className="player-more">
            <IconButton
              label={t(player.levels || !isReady ? 'player.skipSilence' : 'player.skipSilenceNot')}
              className="player-silence"
              role="switch"
              aria-checked={player.skipsSilence}
              disabled={!isReady || !player.levels}
              data-testid="player-skip-silence"
              onClick={() => player.setSkipSilence(!player.skipsSilence)}
            >
              <AudioLines size={22} />
            </IconButton>
            <IconButton
              label={t('player.mark')}
              disabled={!isReady}
              data-testid="player-mark"
              onClick={onMark}
            >
              <FlagTriangleRight size={22} />
            </IconButton>
          </span>
        </div>
      )}
    </section>
  );
}
