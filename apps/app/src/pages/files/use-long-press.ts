import { type PointerEvent, useRef } from 'react';

/** Duration of a long press in milliseconds. */
const longPressMs = 450;
/** Tolerated movement in pixels. */
const tolerancePixels = 10;

/** Suppresses the click caused by lifting the finger. */
function suppressClick(): void {
  const swallow = (event: Event) => {
    event.preventDefault();
    event.stopPropagation();
  };
  window.addEventListener('click', swallow, { capture: true });
  const next = () => window.removeEventListener('click', swallow, { capture: true });
  window.addEventListener('pointerdown', next, { capture: true, once: true });
}

/** Detects long presses by touch. A mouse has the context menu and modifier keys. */
export function useLongPress(onLongPress: () => void) {
  const waiting = useRef<{ timer: number; x: number; y: number } | null>(null);
  const fired = useRef(false);
  const stop = () => {
    if (waiting.current) clearTimeout(waiting.current.timer);
    waiting.current = null;
  };
  return {
    handlers: {
      onPointerDown(event: PointerEvent) {
        fired.current = false;
        stop();
        if (event.pointerType !== 'touch' || !event.isPrimary) return;
        const timer = window.setTimeout(() => {
          waiting.current = null;
          fired.current = true;
          suppressClick();
          onLongPress();
        }, longPressMs);
        waiting.current = { timer, x: event.clientX, y: event.clientY };
      },
      onPointerMove({ clientX, clientY }: PointerEvent) {
        const from = waiting.current;
        if (from && Math.hypot(clientX - from.x, clientY - from.y) > tolerancePixels) stop();
      },
      onPointerUp: stop,
      onPointerCancel: stop,
      onPointerLeave: stop,
    },
    /** Whether the current click or context menu belongs to a long press. */
    isLongPress: () => fired.current,
  };
}
