import { useSyncExternalStore } from 'react';

/** The breakpoint for showing list and recording side by side. Also in the style sheets. */
const wideQuery = matchMedia('(min-width: 900px)');

/** Whether the screen is wide enough for list and recording side by side. */
export function useIsWide(): boolean {
  return useSyncExternalStore(
    (listener) => {
      wideQuery.addEventListener('change', listener);
      return () => wideQuery.removeEventListener('change', listener);
    },
    () => wideQuery.matches,
  );
}

/** Whether the browser reports a network connection. */
export function useHasNetwork(): boolean {
  return useSyncExternalStore(
    (listener) => {
      window.addEventListener('online', listener);
      window.addEventListener('offline', listener);
      return () => {
        window.removeEventListener('online', listener);
        window.removeEventListener('offline', listener);
      };
    },
    () => navigator.onLine,
  );
}

/** Short haptic feedback, where the device supports it. */
export function tap(kind: 'start' | 'stop' | 'bind' | 'delete' | 'hold'): void {
  const patterns = {
    start: [18],
    stop: [12, 60, 12],
    bind: [10, 40, 24],
    delete: [24],
    hold: [10],
  };
  if ('vibrate' in navigator) navigator.vibrate(patterns[kind]);
}
