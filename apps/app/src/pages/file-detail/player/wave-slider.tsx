import { wholeSeconds } from '@linnet/contract/durations';
import { type KeyboardEvent, type PointerEvent, useEffect, useMemo, useRef, useState } from 'react';
import { formatClock, formatSpokenDuration } from '../../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../../i18n/index.ts';
import { useStore } from '../../../page-kit/services-context.ts';
import { barHeights, barPath } from '../../../ui/bars.ts';
import type { Player } from './use-player.ts';
import { WaveMarks } from './wave-marks.tsx';
import { snapToPoint, type WavePoint } from './wave-points.ts';

const step = 4;
const height = 52;
/** How far the arrow keys seek, in seconds. */
const arrowSeconds = 5;
/** How far the page keys seek, in seconds. */
const pageSeconds = 15;
/** Distance in pixels beyond which a press becomes a drag. */
const dragPixels = 4;
/** Distance in pixels within which a press seeks to a mark. */
const snapPixels = 12;

/** Returns an element's width in whole pixels, with the ref to attach. */
function useWidth() {
  const ref = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setWidth(Math.floor(element.clientWidth)));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return { ref, width };
}

/** Shows the waveform as a slider. Time runs from left to right in every language, as on a tape recorder. */
export function WaveSlider({
  peaks,
  points,
  player,
}: {
  peaks: Uint8Array;
  points: readonly WavePoint[];
  player: Player;
}) {
  const { t } = useTranslation();
  const language = useLanguage();
  const position = useStore(player.position);
  const { ref, width } = useWidth();
  const isDragging = useRef(false);
  /** Horizontal position of the press, or infinity once the pointer has moved away from it. */
  const pressedAt = useRef(0);
  const bars = Math.max(1, Math.floor(width / step));
  const path = useMemo(() => barPath(barHeights(peaks, bars), step, height), [peaks, bars]);
  const { duration } = player;
  const isReady = player.status === 'ready';
  const played = duration > 0 ? Math.min(1, position / duration) : 0;

  /** @param snapDistance distance in pixels within which to seek to a mark */
  const seekAt = (event: PointerEvent<HTMLDivElement>, snapDistance: number) => {
    const box = event.currentTarget.getBoundingClientRect();
    const secondsPerPixel = duration / box.width;
    const time = (event.clientX - box.left) * secondsPerPixel;
    player.seek(snapToPoint(points, time, snapDistance * secondsPerPixel));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const deltas: Readonly<Record<string, number>> = {
      ArrowRight: position + arrowSeconds,
      ArrowUp: position + arrowSeconds,
      ArrowLeft: position - arrowSeconds,
      ArrowDown: position - arrowSeconds,
      PageUp: position + pageSeconds,
      PageDown: position - pageSeconds,
      Home: 0,
      End: duration,
    };
    const to = deltas[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    player.seek(to);
  };

  return (
    <div className="wave-box">
      <div
        ref={ref}
        className="wave"
        dir="ltr"
        role="slider"
        tabIndex={isReady ? 0 : -1}
        aria-label={t('player.position')}
        aria-disabled={!isReady}
        aria-valuemin={0}
        aria-valuemax={Math.round(duration)}
        aria-valuenow={Math.round(position)}
        aria-valuetext={t('player.positionOf', {
          position: formatSpokenDuration(position, language),
          duration: formatSpokenDuration(wholeSeconds(duration), language),
        })}
        onKeyDown={onKeyDown}
        onPointerDown={(event) => {
          if (!isReady || event.button !== 0) return;
          isDragging.current = true;
          pressedAt.current = event.clientX;
          event.currentTarget.setPointerCapture(event.pointerId);
          seekAt(event, snapPixels);
        }}
        onPointerMove={(event) => {
          if (!isDragging.current) return;
          // Fingers move slightly during a press.
          const distance = Math.abs(event.clientX - pressedAt.current);
          if (distance >= dragPixels) pressedAt.current = Number.POSITIVE_INFINITY;
          if (pressedAt.current === Number.POSITIVE_INFINITY) seekAt(event, 0);
        }}
        onPointerUp={() => {
          isDragging.current = false;
        }}
        onPointerCancel={() => {
          isDragging.current = false;
        }}
      >
        {width > 0 && (
          <svg
            viewBox={`0 0 ${bars * step} ${height}`}
            height={height}
            preserveAspectRatio="none"
            aria-hidden="true"
          >
            <path className="wave-rest" d={path} />
            <path
              className="wave-played"
              d={path}
              style={{ clipPath: `inset(0 ${100 - played * 100}% 0 0)` }}
            />
          </svg>
        )}
        <span className="wave-needle" style={{ left: `${played * 100}%` }} aria-hidden="true" />
        <span className="visually-hidden" data-testid="player-position">
          {position.toFixed(2)}
        </span>
        <span className="wave-times tabular" aria-hidden="true">
          <span>{formatClock(position, language)}</span>
          <span>{formatClock(wholeSeconds(duration), language)}</span>
        </span>
      </div>
      {duration > 0 && (
        <WaveMarks points={points} duration={duration} disabled={!isReady} onSeek={player.seek} />
      )}
    </div>
  );
}
