import { writable } from '@linnet/base';
import type { AudioVersion } from '@linnet/sync';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useServices, useStore } from '../../../page-kit/services-context.ts';
import type { Levels } from '../../../ports/library.ts';
import type { Store } from '../../../ports/store.ts';
import { usePlayerSettings } from './player-settings.ts';

/** The player's status. `offline` means that the audio is only in the cloud and the server is unreachable. */
export type PlayerStatus = 'loading' | 'ready' | 'absent' | 'offline' | 'failed';

/** A recording's player. All times are in seconds. */
export type Player = {
  readonly status: PlayerStatus;
  readonly duration: number;
  readonly playing: boolean;
  readonly speed: number;
  /** Whether silence is skipped. Requires `levels`. */
  readonly skipsSilence: boolean;
  /** The audio's levels; null while streaming. */
  readonly levels: Levels | null;
  /** The current position, updated on every frame during playback. */
  readonly position: Store<number>;
  /** Starts or pauses playback. If called before the audio has loaded, takes effect once it has. */
  toggle(): void;
  /** Moves to a position. If called before the audio has loaded, takes effect once it has. */
  seek(time: number): void;
  /** Moves to a position and starts playback. */
  playFrom(time: number): void;
  setSpeed(speed: number): void;
  setSkipSilence(isOn: boolean): void;
  /** Reloads the audio after a failure. */
  retry(): void;
};

/** Where playback resumes once the audio has loaded. */
type ResumePoint = { readonly id: string; readonly time: number; readonly playing: boolean };

/** Each recording's last position in seconds since the app was started, keyed by recording ID. */
const lastPositions = new Map<string, number>();

/**
 * Signed URLs are valid for a few minutes. A stream that fails after this many milliseconds requests a new one, because
 * the old one may have expired.
 */
const urlLifetimeMs = 60_000;

/** A recording that was stopped within this many seconds of its end restarts from the beginning. */
const endSeconds = 1;

/**
 * Plays a recording's audio. When the version changes, playback continues at the same position.
 * @param source identifies the audio source; null if there is no audio
 * @param version the selected audio version
 * @param recordedDuration duration in seconds according to the record, used until the audio has loaded
 */
export function usePlayer(
  id: string,
  source: string | null,
  version: AudioVersion,
  recordedDuration: number,
): Player {
  const { library, server } = useServices();
  const isReachable = useStore(server).status !== 'unreachable';
  const { speed, skipsSilence, setSpeed, setSkipSilence } = usePlayerSettings();
  const element = useRef<HTMLAudioElement | null>(null);
  const resumePoint = useRef<ResumePoint | null>(null);
  const position = useMemo(() => writable(lastPositions.get(id) ?? 0), [id]);
  const [status, setStatus] = useState<PlayerStatus>('loading');
  const [measured, setMeasured] = useState<number | null>(null);
  const [levels, setLevels] = useState<Levels | null>(null);
  const [attempt, setAttempt] = useState(0);
  const duration = measured ?? recordedDuration;
  const [isPlaying, setPlaying] = useState(false);

  const currentSpeed = useRef(speed);
  useEffect(() => {
    currentSpeed.current = speed;
    if (element.current) element.current.defaultPlaybackRate = element.current.playbackRate = speed;
  }, [speed]);

  const play = useCallback((audio: HTMLAudioElement) => {
    audio.play().catch((error: unknown) => {
      // Pausing aborts a pending `play()`, and browsers may require a user gesture. Neither is a failure.
      const harmlessErrors = ['AbortError', 'NotAllowedError'];
      if (!(error instanceof DOMException && harmlessErrors.includes(error.name)))
        setStatus('failed');
    });
  }, []);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a retry reloads the audio.
  useEffect(() => {
    if (source === null) {
      setStatus('absent');
      return;
    }
    const disposal = new AbortController();
    const { signal } = disposal;
    let release = () => {};
    let frame = 0;
    let isStreamed = false;
    let openedAt = 0;
    const audio = new Audio();
    audio.preload = 'metadata';
    const trackPosition = () => {
      position.set(audio.currentTime);
      frame = audio.paused ? 0 : requestAnimationFrame(trackPosition);
    };
    const update = () => {
      setPlaying(!audio.paused);
      // Until the audio is ready, the position is the resume point.
      if (audio.readyState === HTMLMediaElement.HAVE_NOTHING) return;
      if (!audio.paused && frame === 0) trackPosition();
      else position.set(audio.currentTime);
    };
    const onReady = () => {
      setStatus('ready');
      audio.defaultPlaybackRate = audio.playbackRate = currentSpeed.current;
      const from = resumePoint.current?.id === id ? resumePoint.current : null;
      resumePoint.current = null;
      const time = from?.time ?? lastPositions.get(id) ?? 0;
      if (time > 0) audio.currentTime = time;
      position.set(time);
      if (from?.playing) play(audio);
      if (Number.isFinite(audio.duration)) setMeasured(audio.duration);
    };
    const onFailed = () => {
      if (signal.aborted) return;
      if (isStreamed && performance.now() - openedAt > urlLifetimeMs) {
        resumePoint.current ??= { id, time: position.get(), playing: !audio.paused };
        setAttempt((count) => count + 1);
        return;
      }
      // An interrupted stream resumes here once the server is reachable.
      if (isStreamed) resumePoint.current ??= { id, time: position.get(), playing: false };
      setStatus(isStreamed ? 'offline' : 'failed');
    };
    audio.addEventListener('loadedmetadata', onReady, { signal });
    audio.addEventListener('error', onFailed, { signal });
    for (const event of ['play', 'pause', 'ended', 'seeked', 'seeking', 'timeupdate']) {
      audio.addEventListener(event, update, { signal });
    }
    element.current = audio;
    library.audio(id, version).then((opened) => {
      if (!opened) {
        if (!signal.aborted) setStatus(source === inCloud ? 'offline' : 'absent');
      } else if (signal.aborted) {
        opened.release();
      } else {
        release = opened.release;
        isStreamed = opened.from === 'cloud';
        openedAt = performance.now();
        setLevels(() => opened.levels);
        audio.src = opened.url;
      }
    }, onFailed);
    return () => {
      disposal.abort();
      cancelAnimationFrame(frame);
      if (audio.readyState > HTMLMediaElement.HAVE_NOTHING) {
        const time = audio.currentTime;
        resumePoint.current ??= { id, time, playing: !audio.paused };
        lastPositions.set(id, time < audio.duration - endSeconds ? time : 0);
      }
      audio.pause();
      // The element stops downloading only if it is reloaded without a source.
      audio.removeAttribute('src');
      audio.load();
      element.current = null;
      release();
      setPlaying(false);
      setLevels(null);
      setStatus('loading');
      setMeasured(null);
    };
  }, [id, source, version, library, position, play, attempt]);

  const retry = useCallback(() => setAttempt((count) => count + 1), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a change of reachability triggers a retry.
  useEffect(() => {
    if (isReachable && status === 'offline') retry();
  }, [isReachable]);

  const seek = useCallback(
    (time: number) => {
      const audio = element.current;
      if (!audio || audio.readyState === HTMLMediaElement.HAVE_NOTHING) {
        resumePoint.current = { id, time: Math.max(0, time), playing: false };
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
    if (!audio) return;
    if (audio.readyState === HTMLMediaElement.HAVE_NOTHING) {
      const point = resumePoint.current?.id === id ? resumePoint.current : null;
      resumePoint.current = { id, time: position.get(), playing: !point?.playing };
    } else if (audio.paused) play(audio);
    else audio.pause();
  }, [id, position, play]);
  const playFrom = useCallback(
    (time: number) => {
      seek(time);
      const audio = element.current;
      if (audio?.src && audio.paused) play(audio);
      else if (resumePoint.current) resumePoint.current = { ...resumePoint.current, playing: true };
    },
    [seek, play],
  );

  return useMemo(
    () => ({
      status,
      duration,
      playing: isPlaying,
      speed,
      skipsSilence,
      levels,
      position,
      toggle,
      seek,
      playFrom,
      setSpeed,
      setSkipSilence,
      retry,
    }),
    [
      status,
      duration,
      isPlaying,
      speed,
      skipsSilence,
      levels,
      position,
      toggle,
      seek,
      playFrom,
      setSpeed,
      setSkipSilence,
      retry,
    ],
  );
}

/** The source to pass to {@link usePlayer} for audio that is only in the cloud. */
export const inCloud = 'cloud';
