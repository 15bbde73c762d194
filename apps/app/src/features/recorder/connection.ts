/** An open connection to a recorder, with the recorder's state derived from its status, events and session list. */
import { type Writable, writable } from '@linnet/base';
import {
  DeviceError,
  type RecorderEvent,
  type RecorderSession,
  type RecorderStatus,
} from '@linnet/device/session';
import type { TransportKind } from '@linnet/device/transport';
import { linnetCapabilities, type OptionalFunction } from '@linnet/recorders';
import { getStart, type RecorderSync } from '@linnet/sync';
import type { ConnectedRecorder, RecorderSessionRow } from '../../ports/recorder.ts';

/**
 * Delay in milliseconds between a recording command and the status read that follows it, required by the specification.
 */
const STATUS_DELAY_MS = 1000;

/** Returns the state of the phone's copy of a session. */
export type GetPhoneCopy = (recordId: string) => RecorderSessionRow['onPhone'];

export type Connection = {
  readonly session: RecorderSession;
  readonly sync: RecorderSync;
  /** The recorder's state as shown on pages. */
  readonly view: Writable<ConnectedRecorder>;
  /**
   * Reads the recorder's status and updates the view.
   * @throws DeviceError
   */
  readStatus(): Promise<void>;
  /** Reads the status after one second, the delay that the specification requires after recording commands. */
  readStatusSoon(): void;
  /**
   * Runs an optional function's commands. If the recorder doesn't recognize one of them, the function is removed from
   * the view's capabilities.
   * @throws any error thrown by `run`
   */
  runOptional<T>(name: OptionalFunction, run: () => Promise<T>): Promise<T>;
  /** Updates the view's sessions from the sync. */
  refreshSessions(): void;
};

export type ConnectionOptions = {
  readonly session: RecorderSession;
  readonly sync: RecorderSync;
  readonly status: RecorderStatus;
  readonly phoneCopy: GetPhoneCopy;
  /** Functions this recorder is known to lack. */
  readonly missing: readonly OptionalFunction[];
  /** Called when the recorder turns out to lack a function. */
  readonly onMissing: (name: OptionalFunction) => void;
  readonly onError: (error: unknown) => void;
};

/** Connection media by transport kind. Software recorders are connected over the network. */
const media: Readonly<Record<TransportKind, ConnectedRecorder['medium']>> = {
  'web-bluetooth': 'bluetooth',
  'capacitor-ble': 'bluetooth',
  bluez: 'bluetooth',
  websocket: 'network',
  wifi: 'wifi',
  memory: 'network',
};

export function createConnection(options: ConnectionOptions): Connection {
  const { session, sync, phoneCopy, onError } = options;
  const view = writable<ConnectedRecorder>({
    info: session.info,
    medium: media[session.kind],
    capabilities: linnetCapabilities(options.missing),
    ...fromStatus(options.status),
    usage: null,
    updated: null,
    sessions: null,
    listFailure: null,
  });
  const patch = (change: Partial<ConnectedRecorder>) => view.set({ ...view.get(), ...change });

  async function readStatus(): Promise<void> {
    patch(fromStatus(await session.status()));
  }

  async function runOptional<T>(name: OptionalFunction, run: () => Promise<T>): Promise<T> {
    try {
      return await run();
    } catch (error) {
      if (error instanceof DeviceError && error.code === 'command_unknown') {
        patch({ capabilities: { ...view.get().capabilities, [name]: false } });
        options.onMissing(name);
      }
      throw error;
    }
  }

  function onEvent(event: RecorderEvent): void {
    switch (event.type) {
      case 'recording_started': {
        const { sessionId, mode, scene } = event;
        const startedAt = Date.now();
        patch({
          recording: { state: 'recording', sessionId, mode, scene, startedAt, pausedAt: null },
        });
        return;
      }
      case 'recording_paused':
      case 'recording_restored': {
        const { recording } = view.get();
        if (recording.state !== 'recording' || recording.sessionId !== event.sessionId) return;
        const isPaused = event.type === 'recording_paused';
        patch({ recording: { ...recording, ...recordingTimes(event.elapsedMs, isPaused) } });
        return;
      }
      case 'recording_ended':
        patch({ recording: { state: 'idle' } });
        readStatus().catch(onError);
        return;
      case 'battery_changed':
        patch({ battery: { charging: event.charging, level: event.level } });
        return;
      case 'storage_changed': {
        const { type: _, ...storage } = event;
        patch({ storage });
        return;
      }
      case 'settings_changed': {
        const { type: _, ...settings } = event;
        patch({ settings });
        return;
      }
      case 'usage_changed': {
        const { type: _, ...usage } = event;
        patch({ usage });
        return;
      }
      case 'firmware_changed': {
        const { type: _, ...updated } = event;
        patch({ updated });
        return;
      }
      // The sync handles changed sessions, and no page shows binding or Wi-Fi events.
      case 'session_changed':
      case 'bind_changed':
      case 'wifi_changed':
        return;
    }
  }

  function refreshSessions(): void {
    const rows = sync.sessions?.map(
      ({ item, id }): RecorderSessionRow => ({
        sessionId: item.sessionId,
        startedAt: getStart(item)?.toISOString() ?? null,
        durationMs: item.durationMs,
        bytes: item.fileSize,
        mode: item.mode,
        scene: item.scene,
        stillRecording: item.stillRecording,
        recordId: id,
        onPhone: phoneCopy(id),
      }),
    );
    patch({ sessions: rows ?? null, listFailure: sync.listFailure });
  }

  const stopEvents = session.onEvent(onEvent);
  const stopSessions = sync.subscribe(refreshSessions);
  session.onClosed(() => {
    stopEvents();
    stopSessions();
  });

  return {
    session,
    sync,
    view,
    readStatus,
    readStatusSoon: () => {
      setTimeout(() => readStatus().catch(onError), STATUS_DELAY_MS);
    },
    runOptional,
    refreshSessions,
  };
}

function fromStatus({
  recording,
  battery,
  storage,
  settings,
}: RecorderStatus): Pick<ConnectedRecorder, 'recording' | 'battery' | 'storage' | 'settings'> {
  const otherFields = { battery, storage, settings };
  if (recording.state !== 'recording') return { recording, ...otherFields };
  const { sessionId, mode, scene, elapsedMs, isPaused } = recording;
  return {
    recording: {
      state: 'recording',
      sessionId,
      mode,
      scene,
      ...recordingTimes(elapsedMs, isPaused),
    },
    ...otherFields,
  };
}

/** Converts a recording's elapsed time to its start and pause times. */
function recordingTimes(
  elapsedMs: number,
  isPaused: boolean,
): { startedAt: number; pausedAt: number | null } {
  const now = Date.now();
  return { startedAt: now - elapsedMs, pausedAt: isPaused ? now : null };
}
