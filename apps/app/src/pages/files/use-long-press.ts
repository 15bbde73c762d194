import { type PointerEvent, useRef } from 'react';

/** Duration of a long press in milliseconds. */
const heldMs = 450;
/** Tolerated movement in pixels. */
const tremble = 10;

/** Suppresses the click caused by lifting the finger. */
function swallowClick(): void {
  const swallow = (event: Event) => {
    event.preventDefault();
    event.stopPropagation();
  };
  window.addEventListener('click', swallow, { capture: true });
  const next = () => window.removeEventListener('click', swallow, { capture: true });
  window.addEventListener('pointerdown', next, { capture: true, once: true });
}

/** Detects long presses by touch; a mouse has other means. */
export function useLongPress(onHeld: () => void) {
  const waiting = useRef<{ timer: number; x: number; y: number } | null>(null);
  const held = useRef(false);
  const stop = () => {
    if (waiting.current) clearTimeout(waiting.current.timer);
    waiting.current = null;
  };
  return {
    handlers: {
      onPointerDown(event: PointerEvent) {
        held.current = false;
        stop();
        if (event.pointerType !== 'touch' || !event.isPrimary) return;
        const timer = window.setTimeout(() => {
          waiting.current = null;
          held.current = true;
          swallowClick();
          onHeld();
        }, heldMs);
        waiting.current = { timer, x: event.clientX, y: event.clientY };
      },
      onPointerMove({ clientX, clientY }: PointerEvent) {
        const from = waiting.current;
        if (from && Math.hypot(clientX - from.x, clientY - from.y) > tremble) stop();
      },
      onPointerUp: stop,
      onPointerCancel: stop,
      onPointerLeave: stop,
    },
    /** Whether the current click or context menu belongs to a long press. */
    isHeld: () => held.current,
  };
}
