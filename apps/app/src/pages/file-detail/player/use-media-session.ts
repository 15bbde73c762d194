import { useEffect } from 'react';
import type { Player } from './use-player.ts';

/** Seconds of the skip buttons, here and on the lock screen. */
export const skipSeconds = 15;

/** Connects the player to the system's media controls, for example on the lock screen. */
export function useMediaSession(player: Player, title: string): void {
  const { duration, playing, speed, position, status, toggle, seek } = player;
  const usable = status === 'ready';
  useEffect(() => {
    if (!usable || !('mediaSession' in navigator)) return;
    const session = navigator.mediaSession;
    const by = (seconds: number) => () => seek(position.get() + seconds);
    const keys: readonly [MediaSessionAction, MediaSessionActionHandler][] = [
      ['play', toggle],
      ['pause', toggle],
      ['seekbackward', by(-skipSeconds)],
      ['seekforward', by(skipSeconds)],
      ['seekto', ({ seekTime }) => seekTime !== undefined && seek(seekTime)],
    ];
    session.metadata = new MediaMetadata({ title, artist: 'Linnet' });
    for (const [key, handler] of keys) session.setActionHandler(key, handler);
    return () => {
      session.metadata = null;
      session.playbackState = 'none';
      session.setPositionState();
      for (const [key] of keys) session.setActionHandler(key, null);
    };
  }, [usable, title, position, toggle, seek]);

  useEffect(() => {
    if (!usable || !('mediaSession' in navigator)) return;
    const session = navigator.mediaSession;
    session.playbackState = playing ? 'playing' : 'paused';
    // The system extrapolates the position, so it is updated only when that would drift.
    let counted = -1;
    let at = 0;
    const update = () => {
      const now = position.get();
      const expected = counted + (playing ? ((performance.now() - at) / 1000) * speed : 0);
      if (Math.abs(now - expected) < 1) return;
      counted = now;
      at = performance.now();
      session.setPositionState({
        duration,
        playbackRate: speed,
        position: Math.min(now, duration),
      });
    };
    update();
    return position.subscribe(update);
  }, [usable, playing, speed, duration, position]);
}
