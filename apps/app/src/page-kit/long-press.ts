import { type PointerEvent, useRef } from 'react';

/** Duration of a long press in milliseconds. */
const longPressMs = 450;
/** Tolerated movement in pixels. */
const tolerancePixels = 10;

/** Suppresses the click event that follows when the finger is lifted. */
function suppressClick(): void {
  const swallow = (event: Event) => {
    event.preventDefault();
    event.stopPropagation();
  };
  window.addEventListener('click', swallow, { capture: true });
  const stopSuppressing = () => window.removeEventListener('click', swallow, { capture: true });
  window.addEventListener('pointerdown', stopSuppressing, { capture: true, once: true });
}

/** Detects long presses by touch. Mouse users can use the context menu and modifier keys. */
export function useLongPress(onLongPress: () => void) {
  const pendingPress = useRef<{ timer: number; x: number; y: number } | null>(null);
  const fired = useRef(false);
  const cancel = () => {
    if (pendingPress.current) clearTimeout(pendingPress.current.timer);
    pendingPress.current = null;
  };
  return {
    handlers: {
      onPointerDown(event: PointerEvent) {
        fired.current = false;
        cancel();
        if (event.pointerType !== 'touch' || !event.isPrimary) return;
        const timer = window.setTimeout(() => {
          pendingPress.current = null;
          fired.current = true;
          suppressClick();
          onLongPress();
        }, longPressMs);
        pendingPress.current = { timer, x: event.clientX, y: event.clientY };
      },
      onPointerMove({ clientX, clientY }: PointerEvent) {
        const from = pendingPress.current;
        if (from && Math.hypot(clientX - from.x, clientY - from.y) > tolerancePixels) cancel();
      },
      onPointerUp: cancel,
      onPointerCancel: cancel,
      onPointerLeave: cancel,
    },
    /** Returns whether the current click or context menu belongs to a long press. */
    isLongPress: () => fired.current,
  };
}
