import { type PointerEvent, useRef } from 'react';

/** Milliseconds a finger rests until it has held. */
const heldMs = 450;
/** Pixels a resting finger may tremble. */
const tremble = 10;

/** The finger that lets go clicks on whatever is under it by then: nobody meant that. */
function swallowClick(): void {
  const swallow = (event: Event) => {
    event.preventDefault();
    event.stopPropagation();
  };
  window.addEventListener('click', swallow, { capture: true });
  const next = () => window.removeEventListener('click', swallow, { capture: true });
  window.addEventListener('pointerdown', next, { capture: true, once: true });
}

/** Tells when a finger is held on something; a mouse has other ways. */
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
    /** Whether what comes now, a click or a menu, belongs to the finger that was held. */
    isHeld: () => held.current,
  };
}
