/**
 * Keeps the screen on, so that this device doesn't sleep. Browsers release the lock when the page is hidden, so it is
 * requested again when the page becomes visible. A browser that lacks wake locks, or refuses one, sleeps as usual.
 * @returns a function that allows the device to sleep again
 */
export function keepAwake(): () => void {
  let lock: WakeLockSentinel | null = null;
  let isReleased = false;

  async function request(): Promise<void> {
    if (!('wakeLock' in navigator) || document.visibilityState !== 'visible') return;
    try {
      const requested = await navigator.wakeLock.request('screen');
      if (isReleased) await requested.release();
      else lock = requested;
    } catch {
      // The browser refused, for example in battery saver mode. Recording doesn't depend on the lock.
    }
  }
  const onVisibility = () => void request();
  document.addEventListener('visibilitychange', onVisibility);
  void request();
  return () => {
    isReleased = true;
    document.removeEventListener('visibilitychange', onVisibility);
    void lock?.release();
  };
}
