import { useEffect, useRef } from 'react';
import { barPath, levelHeight } from './bars.ts';
import './trace.css';

const step = 4;
const height = 64;
/** Number of bars, enough for the widest panel. Narrower panels clip the oldest bars. */
const bars = 225;
const levelsPerSecond = 10;
const reducedMotion = matchMedia('(prefers-reduced-motion: reduce)');

/** A source of levels from 0 to 1, newest last. `levelCount` is the total number of levels so far. */
type Source = {
  get(): { readonly levelCount: number; readonly levels: readonly number[] };
  subscribe(listener: () => void): () => void;
};

/**
 * Shows a live waveform with one bar per tenth of a second, the newest on the right in every language. The bars change
 * with every packet, so React doesn't render them. With reduced motion, the waveform updates once a second.
 * @param stopped whether to draw the bars in gray, because the recording is paused or disconnected
 */
export function LiveWaveform({
  source,
  stopped,
  label,
}: {
  source: Source;
  stopped: boolean;
  label: string;
}) {
  const drawing = useRef<SVGSVGElement>(null);
  const path = useRef<SVGPathElement>(null);
  useEffect(() => {
    const svg = drawing.current;
    const line = path.current;
    if (!svg || !line) return;
    let drawn = 0;
    // Reuse one animation, because a recording of several hours would otherwise create tens of thousands.
    const scrolling = new KeyframeEffect(svg, null);
    const animation = new Animation(scrolling);
    const draw = () => {
      const { levelCount, levels } = source.get();
      const newCount = levelCount - drawn;
      if (reducedMotion.matches && newCount > 0 && newCount < levelsPerSecond) return;
      const heights = levels.slice(-bars).map(levelHeight);
      line.setAttribute('d', barPath(heights, step, height, bars - heights.length));
      if (!reducedMotion.matches && newCount > 0 && newCount <= levelsPerSecond) {
        scrolling.setKeyframes({ transform: [`translateX(${newCount * step}px)`, 'none'] });
        scrolling.updateTiming({ duration: (newCount / levelsPerSecond) * 1000 });
        animation.currentTime = 0;
        animation.play();
      }
      drawn = levelCount;
      line.dataset.heard = String(levelCount);
    };
    draw();
    return source.subscribe(draw);
  }, [source]);
  return (
    <div className="live-trace" role="img" aria-label={label}>
      <svg
        ref={drawing}
        className="trace"
        viewBox={`0 0 ${bars * step} ${height}`}
        width={bars * step}
        height={height}
        aria-hidden="true"
        data-stopped={stopped || undefined}
      >
        <path
          className="trace-rest"
          d={barPath(new Array<number>(bars).fill(levelHeight(0)), step, height)}
        />
        <path ref={path} className="trace-filled" data-testid="live-trace" />
      </svg>
    </div>
  );
}
