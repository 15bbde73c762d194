import { useEffect } from 'react';
import type { Player } from './use-player.ts';

/** How far the player's buttons and the system's media controls skip, in seconds. */
export const skipSeconds = 15;

/** Connects the player to the system's media controls, for example on the lock screen. */
export function useMediaSession(player: Player, title: string): void {
  const { duration, playing, speed, position, status, toggle, seek } = player;
  const isReady = status === 'ready';
  useEffect(() => {
    if (!isReady || !('mediaSession' in navigator)) return;
    const session = navigator.mediaSession;
    const skip = (seconds: number) => () => seek(position.get() + seconds);
    const actions: readonly [MediaSessionAction, MediaSessionActionHandler][] = [
      ['play', toggle],
      ['pause', toggle],
      ['seekbackward', skip(-skipSeconds)],
      ['seekforward', skip(skipSeconds)],
      ['seekto', ({ seekTime }) => seekTime !== undefined && seek(seekTime)],
    ];
    session.metadata = new MediaMetadata({ title, artist: 'Linnet' });
    for (const [key, handler] of actions) session.setActionHandler(key, handler);
    return () => {
      session.metadata = null;
      session.playbackState = 'none';
      session.setPositionState();
      for (const [key] of actions) session.setActionHandler(key, null);
    };
  }, [isReady, title, position, toggle, seek]);

  useEffect(() => {
    if (!isReady || !('mediaSession' in navigator)) return;
    const session = navigator.mediaSession;
    session.playbackState = playing ? 'playing' : 'paused';
    // The system extrapolates the position, so report it only if it is off by at least a second.
    let reported = -1;
    let reportedAt = 0;
    const update = () => {
      const currentTime = position.get();
      const expected = reported + (playing ? ((performance.now() - reportedAt) / 1000) * speed : 0);
      if (Math.abs(currentTime - expected) < 1) return;
      reported = currentTime;
      reportedAt = performance.now();
      session.setPositionState({
        duration,
        playbackRate: speed,
        position: Math.min(currentTime, duration),
      });
    };
    update();
    return position.subscribe(update);
  }, [isReady, playing, speed, duration, position]);
}
