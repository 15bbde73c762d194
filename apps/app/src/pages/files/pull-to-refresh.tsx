import ArrowDown from 'lucide-react/icons/arrow-down';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from '../../i18n/index.ts';
import './pull-to-refresh.css';

/** Distance in pixels at which the indicator triggers a refresh. The finger moves twice as far. */
const triggerPixels = 64;
const maxPixels = 96;

/**
 * Refreshes a list when the user pulls it down from the top. Only the indicator moves, not the list. The menu offers
 * the same action.
 */
export function PullToRefresh({
  scroller,
  busy,
  onRefresh,
}: {
  scroller: HTMLElement;
  busy: boolean;
  onRefresh(): void;
}) {
  const { t } = useTranslation();
  const [pulled, setPulled] = useState(0);
  const refresh = useRef(onRefresh);
  useEffect(() => {
    refresh.current = onRefresh;
  });

  useEffect(() => {
    let from: { x: number; y: number } | null = null;
    let now = 0;
    const show = (pixels: number) => {
      now = pixels;
      setPulled(pixels);
    };
    const start = ({ touches: [touch, ...others] }: TouchEvent) => {
      const isAtTop = scroller.scrollTop <= 0 && others.length === 0;
      from = touch && isAtTop ? { x: touch.clientX, y: touch.clientY } : null;
    };
    const move = (event: TouchEvent) => {
      const [touch] = event.touches;
      if (!from || !touch) return;
      const down = touch.clientY - from.y;
      const sideways = Math.abs(touch.clientX - from.x);
      // A horizontal movement swipes a row, and an upward one scrolls.
      if (now === 0 && (down <= 0 || sideways > down)) {
        from = null;
        return;
      }
      if (event.cancelable) event.preventDefault();
      show(Math.max(0, Math.min(maxPixels, down / 2)));
    };
    const end = () => {
      if (now >= triggerPixels) refresh.current();
      from = null;
      show(0);
    };
    const cancel = () => {
      from = null;
      show(0);
    };
    scroller.addEventListener('touchstart', start, { passive: true });
    scroller.addEventListener('touchmove', move, { passive: false });
    scroller.addEventListener('touchend', end);
    scroller.addEventListener('touchcancel', cancel);
    return () => {
      scroller.removeEventListener('touchstart', start);
      scroller.removeEventListener('touchmove', move);
      scroller.removeEventListener('touchend', end);
      scroller.removeEventListener('touchcancel', cancel);
    };
  }, [scroller]);

  if (!busy && pulled === 0) return null;
  return (
    <div
      className="pull"
      data-testid="pull"
      data-busy={busy || undefined}
      data-enough={pulled >= triggerPixels || undefined}
      style={{ blockSize: busy ? triggerPixels : pulled }}
      role="status"
      aria-label={busy ? t('library.refreshing') : undefined}
    >
      {busy ? <span className="button-spinner pull-spinner" /> : <ArrowDown size={20} />}
    </div>
  );
}
