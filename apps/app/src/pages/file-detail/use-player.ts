import type { SoundVersion } from '@linnet/sync';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useServices } from '../../app-shell/services-context.ts';
import type { Store } from '../../services.ts';
import { writable } from '../../stores.ts';

export type PlayerStatus = 'loading' | 'ready' | 'absent' | 'failed';

/** One recording's sound. Times in seconds. */
export type Player = {
  readonly status: PlayerStatus;
  readonly duration: number;
  readonly playing: boolean;
  readonly speed: number;
  /** Where it is; changes with each frame while it plays. */
  readonly position: Store<number>;
  toggle(): void;
  seek(time: number): void;
  /** Seeks, and plays from there. */
  playFrom(time: number): void;
  setSpeed(speed: number): void;
};

/** Where one version of a sound was left, for another version of the same to go on from. */
type Left = { readonly id: string; readonly time: number; readonly playing: boolean };

/**
 * Plays the sound of a recording. Another version of it goes on where the one before was.
 * @param source tells one version of the sound from the next, or null while none is on this phone
 * @param version which of the recording's sounds
 * @param known the length in seconds as the record has it, until the sound itself says
 */
export function usePlayer(
  id: string,
  source: string | null,
  version: SoundVersion,
  known: number,
): Player {
  const { library } = useServices();
  const element = useRef<HTMLAudioElement | null>(null);
  const left = useRef<Left | null>(null);
  const speedNow = useRef(1);
  const position = useMemo(() => writable(0), []);
  const [status, setStatus] = useState<PlayerStatus>('loading');
  const [measured, setMeasured] = useState<number | null>(null);
  const duration = measured ?? known;
  const [playing, setPlaying] = useState(false);
  const [speed, setSpeedNow] = useState(1);

  const play = useCallback((audio: HTMLAudioElement) => {
    audio.play().catch((error: unknown) => {
      // A pause right after a play aborts the play: nothing is wrong with the sound.
      if (!(error instanceof DOMException && error.name === 'AbortError')) setStatus('failed');
    });
  }, []);

  useEffect(() => {
    if (source === null) {
      setStatus('absent');
      return;
    }
    let gone = false;
    let release = () => {};
    let frame = 0;
    const audio = new Audio();
    audio.preload = 'metadata';
    const follow = () => {
      position.set(audio.currentTime);
      frame = audio.paused ? 0 : requestAnimationFrame(follow);
    };
    const tell = () => {
      setPlaying(!audio.paused);
      if (!audio.paused && frame === 0) follow();
      else position.set(audio.currentTime);
    };
    const ready = () => {
      setStatus('ready');
      audio.defaultPlaybackRate = audio.playbackRate = speedNow.current;
      if (left.current?.id === id) {
        audio.currentTime = left.current.time;
        if (left.current.playing) play(audio);
      }
      left.current = null;
      if (Number.isFinite(audio.duration)) setMeasured(audio.duration);
    };
    const failed = () => setStatus('failed');
    audio.addEventListener('loadedmetadata', ready);
    audio.addEventListener('error', failed);
    for (const event of ['play', 'pause', 'ended', 'seeked', 'seeking', 'timeupdate']) {
      audio.addEventListener(event, tell);
    }
    element.current = audio;
    library.audio(id, version).then((sound) => {
      if (!sound) {
        if (!gone) setStatus('absent');
      } else if (gone) {
        sound.release();
      } else {
        release = sound.release;
        audio.src = sound.url;
      }
    }, failed);
    return () => {
      gone = true;
      cancelAnimationFrame(frame);
      if (audio.src) left.current = { id, time: audio.currentTime, playing: !audio.paused };
      audio.removeEventListener('error', failed);
      audio.pause();
      audio.removeAttribute('src');
      element.current = null;
      release();
      position.set(0);
      setPlaying(false);
      setStatus('loading');
      setMeasured(null);
    };
  }, [id, source, version, library, position, play]);

  const seek = useCallback(
    (time: number) => {
      const audio = element.current;
      if (!audio?.src) return;
      const end = Number.isFinite(audio.duration) ? audio.duration : time;
      audio.currentTime = Math.min(Math.max(0, time), end);
      position.set(audio.currentTime);
    },
    [position],
  );
  const toggle = useCallback(() => {
    const audio = element.current;
    if (!audio?.src) return;
    if (audio.paused) play(audio);
    else audio.pause();
  }, [play]);
  const playFrom = useCallback(
    (time: number) => {
      seek(time);
      const audio = element.current;
      if (audio?.src && audio.paused) play(audio);
    },
    [seek, play],
  );
  const setSpeed = useCallback((next: number) => {
    setSpeedNow(next);
    speedNow.current = next;
    if (!element.current) return;
    element.current.defaultPlaybackRate = next;
    element.current.playbackRate = next;
  }, []);

  return useMemo(
    () => ({ status, duration, playing, speed, position, toggle, seek, playFrom, setSpeed }),
    [status, duration, playing, speed, position, toggle, seek, playFrom, setSpeed],
  );
}
