import { useEffect, useRef } from 'react';
import { barPath, levelHeight } from './bars.ts';
import './trace.css';

const step = 4;
const height = 64;
/** As many as the widest sheet has room for; what does not fit is cut off where it is oldest. */
const bars = 225;
/** Levels of one second. */
const aSecond = 10;
const stillness = matchMedia('(prefers-reduced-motion: reduce)');

/** Where levels come from, 0 to 1, newest last; `heard` counts all there ever were. */
type Source = {
  get(): { readonly heard: number; readonly levels: readonly number[] };
  subscribe(listener: () => void): () => void;
};

/**
 * Sound as it is heard, one bar for each tenth of a second: the newest at the right, as on a tape, in every
 * language. Drawn past React, for it changes with every packet; who wants no motion sees it once a second.
 * @param stopped nothing comes any more
 */
export function LiveTrace({
  source,
  stopped,
  label,
}: {
  source: Source;
  stopped: boolean;
  label: string;
}) {
  const path = useRef<SVGPathElement>(null);
  useEffect(() => {
    const line = path.current;
    if (!line) return;
    let drawn = 0;
    const draw = () => {
      const { heard, levels } = source.get();
      const fresh = heard - drawn;
      if (stillness.matches && fresh > 0 && fresh < aSecond) return;
      const heights = levels.slice(-bars).map(levelHeight);
      line.setAttribute('d', barPath(heights, step, height, bars - heights.length));
      if (!stillness.matches && fresh > 0 && fresh <= aSecond) {
        const from = `translateX(${fresh * step}px)`;
        line.animate({ transform: [from, 'none'] }, (fresh / aSecond) * 1000);
      }
      drawn = heard;
      line.dataset.heard = String(heard);
    };
    draw();
    return source.subscribe(draw);
  }, [source]);
  return (
    <div className="live-trace" role="img" aria-label={label}>
      <svg
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
