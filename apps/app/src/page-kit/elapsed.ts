import { useEffect, useState } from 'react';

/**
 * Returns the seconds since `from`, re-rendering once a second, or until `to` if it isn't null. Both are in milliseconds
 * since 1970.
 */
export function useElapsed({ from, to }: { from: number; to: number | null }): number {
  const [now, setNow] = useState(() => Date.now());
  const isRunning = to === null;
  useEffect(() => {
    if (!isRunning) return;
    let timer = 0;
    const tick = () => {
      const elapsed = Date.now() - from;
      setNow(from + elapsed);
      timer = window.setTimeout(tick, 1000 - (elapsed % 1000));
    };
    tick();
    return () => clearTimeout(timer);
  }, [isRunning, from]);
  return Math.max(0, Math.floor(((to ?? now) - from) / 1000));
}
