import ArrowDown from 'lucide-react/icons/arrow-down';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from '../../i18n/index.ts';
import './pull-to-refresh.css';

/** Distance in pixels that triggers a refresh; the finger moves twice as far. */
const enough = 64;
const furthest = 96;

/**
 * Refreshes when a list is pulled down from its top and released. The list itself does not move; only the
 * indicator above it does. The menu offers the same action.
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
      const atTop = scroller.scrollTop <= 0 && others.length === 0;
      from = touch && atTop ? { x: touch.clientX, y: touch.clientY } : null;
    };
    const move = (event: TouchEvent) => {
      const [touch] = event.touches;
      if (!from || !touch) return;
      const down = touch.clientY - from.y;
      const aside = Math.abs(touch.clientX - from.x);
      // Horizontal movement is a row's swipe; upward movement is scrolling.
      if (now === 0 && (down <= 0 || aside > down)) {
        from = null;
        return;
      }
      if (event.cancelable) event.preventDefault();
      show(Math.max(0, Math.min(furthest, down / 2)));
    };
    const end = () => {
      if (now >= enough) refresh.current();
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
      data-enough={pulled >= enough || undefined}
      style={{ blockSize: busy ? enough : pulled }}
      role="status"
      aria-label={busy ? t('library.refreshing') : undefined}
    >
      {busy ? <span className="button-spinner pull-spinner" /> : <ArrowDown size={20} />}
    </div>
  );
}
