import { writable } from '@linnet/base';
import type { AudioVersion } from '@linnet/sync';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useServices, useStore } from '../../../page-kit/services-context.ts';
import type { Levels } from '../../../ports/library.ts';
import type { Store } from '../../../ports/store.ts';
import { usePlayerSettings } from './player-settings.ts';

/** `offline`: only in the cloud, and the server is unreachable. */
export type PlayerStatus = 'loading' | 'ready' | 'absent' | 'offline' | 'failed';

/** The player of a recording. Times in seconds. */
export type Player = {
  readonly status: PlayerStatus;
  readonly duration: number;
  readonly playing: boolean;
  readonly speed: number;
  /** Whether silence is skipped, as far as `levels` allow detecting it. */
  readonly skipsSilence: boolean;
  /** Loudness of the audio; null when streaming. */
  readonly levels: Levels | null;
  /** Current position; changes with each frame during playback. */
  readonly position: Store<number>;
  toggle(): void;
  /** May be called before the audio has loaded; takes effect once it has. */
  seek(time: number): void;
  /** Seeks and starts playback. */
  playFrom(time: number): void;
  setSpeed(speed: number): void;
  setSkipsSilence(on: boolean): void;
  /** Tries to load the audio again after a failure. */
  again(): void;
};

/** Where playback resumes once the audio has loaded. */
type GoOn = { readonly id: string; readonly time: number; readonly playing: boolean };

/** Last positions in seconds, by recording, since the app was opened. */
const leftAt = new Map<string, number>();

/**
 * A stream that fails after this time, in milliseconds, may have outlived its signed address (valid for
 * minutes), and gets a new one.
 */
const addressMs = 60_000;

/** Closer to its end than this, a recording restarts from the beginning. Seconds. */
const endSeconds = 1;

/**
 * Plays a recording's audio. When the version changes, playback continues at the same position.
 * @param source identifies the audio source; null if there is none
 * @param version the selected version of the audio
 * @param known duration in seconds according to the record, until the audio has loaded
 */
export function usePlayer(
  id: string,
  source: string | null,
  version: AudioVersion,
  known: number,
): Player {
  const { library, server } = useServices();
  const reachable = useStore(server).status !== 'unreachable';
  const { speed, skipsSilence, setSpeed, setSkipsSilence } = usePlayerSettings();
  const element = useRef<HTMLAudioElement | null>(null);
  const goOn = useRef<GoOn | null>(null);
  const position = useMemo(() => writable(leftAt.get(id) ?? 0), [id]);
  const [status, setStatus] = useState<PlayerStatus>('loading');
  const [measured, setMeasured] = useState<number | null>(null);
  const [levels, setLevels] = useState<Levels | null>(null);
  const [tries, setTries] = useState(0);
  const duration = measured ?? known;
  const [playing, setPlaying] = useState(false);

  const speedNow = useRef(speed);
  useEffect(() => {
    speedNow.current = speed;
    if (element.current) element.current.defaultPlaybackRate = element.current.playbackRate = speed;
  }, [speed]);

  const play = useCallback((audio: HTMLAudioElement) => {
    audio.play().catch((error: unknown) => {
      // A pause right after a play aborts the play, and a browser may require a tap first; neither is a
      // failure.
      const harmless = ['AbortError', 'NotAllowedError'];
      if (!(error instanceof DOMException && harmless.includes(error.name))) setStatus('failed');
    });
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a retry loads the audio again.
  useEffect(() => {
    if (source === null) {
      setStatus('absent');
      return;
    }
    let gone = false;
    let release = () => {};
    let frame = 0;
    let streamed = false;
    let openedAt = 0;
    const audio = new Audio();
    audio.preload = 'metadata';
    const follow = () => {
      position.set(audio.currentTime);
      frame = audio.paused ? 0 : requestAnimationFrame(follow);
    };
    const update = () => {
      setPlaying(!audio.paused);
      // Until the audio is ready, the position shows where it will resume.
      if (audio.readyState === HTMLMediaElement.HAVE_NOTHING) return;
      if (!audio.paused && frame === 0) follow();
      else position.set(audio.currentTime);
    };
    const ready = () => {
      setStatus('ready');
      audio.defaultPlaybackRate = audio.playbackRate = speedNow.current;
      const from = goOn.current?.id === id ? goOn.current : null;
      goOn.current = null;
      const time = from?.time ?? leftAt.get(id) ?? 0;
      if (time > 0) audio.currentTime = time;
      position.set(time);
      if (from?.playing) play(audio);
      if (Number.isFinite(audio.duration)) setMeasured(audio.duration);
    };
    const failed = () => {
      if (gone) return;
      if (streamed && performance.now() - openedAt > addressMs) {
        goOn.current ??= { id, time: position.get(), playing: !audio.paused };
        setTries((count) => count + 1);
        return;
      }
      // An interrupted stream resumes here once the server is reachable.
      if (streamed) goOn.current ??= { id, time: position.get(), playing: false };
      setStatus(streamed ? 'offline' : 'failed');
    };
    audio.addEventListener('loadedmetadata', ready);
    audio.addEventListener('error', failed);
    for (const event of ['play', 'pause', 'ended', 'seeked', 'seeking', 'timeupdate']) {
      audio.addEventListener(event, update);
    }
    element.current = audio;
    library.audio(id, version).then((sound) => {
      if (!sound) {
        if (!gone) setStatus(source === inCloud ? 'offline' : 'absent');
      } else if (gone) {
        sound.release();
      } else {
        release = sound.release;
        streamed = sound.from === 'cloud';
        openedAt = performance.now();
        setLevels(() => sound.levels);
        audio.src = sound.url;
      }
    }, failed);
    return () => {
      gone = true;
      cancelAnimationFrame(frame);
      if (audio.readyState > HTMLMediaElement.HAVE_NOTHING) {
        const time = audio.currentTime;
        goOn.current ??= { id, time, playing: !audio.paused };
        leftAt.set(id, time < audio.duration - endSeconds ? time : 0);
      }
      audio.removeEventListener('error', failed);
      audio.pause();
      audio.removeAttribute('src');
      element.current = null;
      release();
      setPlaying(false);
      setLevels(null);
      setStatus('loading');
      setMeasured(null);
    };
  }, [id, source, version, library, position, play, tries]);

  const again = useCallback(() => setTries((count) => count + 1), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a change of reachability triggers a retry.
  useEffect(() => {
    if (reachable && status === 'offline') again();
  }, [reachable]);

  const seek = useCallback(
    (time: number) => {
      const audio = element.current;
      if (!audio || audio.readyState === HTMLMediaElement.HAVE_NOTHING) {
        goOn.current = { id, time: Math.max(0, time), playing: false };
        position.set(Math.max(0, time));
        return;
      }
      const end = Number.isFinite(audio.duration) ? audio.duration : time;
      audio.currentTime = Math.min(Math.max(0, time), end);
      position.set(audio.currentTime);
    },
    [id, position],
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
      else if (goOn.current) goOn.current = { ...goOn.current, playing: true };
    },
    [seek, play],
  );

  return useMemo(
    () => ({
      ...{ status, duration, playing, speed, skipsSilence, levels, position },
      ...{ toggle, seek, playFrom, setSpeed, setSkipsSilence, again },
    }),
    [
      status,
      duration,
      playing,
      speed,
      skipsSilence,
      levels,
      position,
      toggle,
      seek,
      playFrom,
      setSpeed,
      setSkipsSilence,
      again,
    ],
  );
}

/** The {@link usePlayer} source of audio that is only in the cloud. */
export const inCloud = 'cloud';
