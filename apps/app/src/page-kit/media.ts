import { useSyncExternalStore } from 'react';

/** The breakpoint above which the list and the recording are shown side by side. The style sheets repeat it. */
const wideQuery = matchMedia('(min-width: 900px)');

/** Returns whether the screen is wide enough to show the list and the recording side by side. */
export function useIsWide(): boolean {
  return useSyncExternalStore(
    (listener) => {
      wideQuery.addEventListener('change', listener);
      return () => wideQuery.removeEventListener('change', listener);
    },
    () => wideQuery.matches,
  );
}

/** Returns whether the browser reports a network connection. */
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

/** Gives a short haptic pulse on devices that support it. */
export function vibrate(kind: 'start' | 'stop' | 'bind' | 'delete' | 'hold'): void {
  const patterns = {
    start: [18],
    stop: [12, 60, 12],
    bind: [10, 40, 24],
    delete: [24],
    hold: [10],
  };
  if ('vibrate' in navigator) navigator.vibrate(patterns[kind]);
}
