/** Converts the recorder's state to protocol responses and reports. */
import {
  MAX_SESSION_ITEMS,
  MAX_WIFI_ITEMS,
  type ReportOf,
  type ResponseOf,
} from '@linnet/device/codec';
import { PACKET_MS, PACKET_SIZE, PROJECT_CODE } from './device-types.ts';
import type { SessionRecord } from './flash/flash.ts';
import type { Viewer } from './ownership.ts';
import type { Recorder } from './recorder.ts';
import type { Sessions } from './sessions.ts';

/**
 * Creates the response to a handshake.
 * @param version the negotiated protocol version
 * @param payloadSize the size of a notification, in bytes
 */
export function createHandshakeResponse(
  { flash, firmware, protocol }: Recorder,
  version: number,
  payloadSize: number,
): ResponseOf<'handshake'> {
  const { sn, mac, isBind } = flash.state;
  return {
    version,
    tranVersion: protocol,
    payloadSize,
    isBind,
    mac: Uint8Array.from(Buffer.from(mac, 'hex')),
    projectCode: PROJECT_CODE,
    sn,
    firmwareVersion: firmware.version,
  };
}

export function createStatus(viewer: Viewer, recorder: Recorder): ResponseOf<'status'> {
  const { recording, sessions } = recorder;
  const isIdle = recorder.status === 'idle' && !recorder.faults.unavailable;
  return {
    recording: recording
      ? recording.isPaused
        ? 'paused'
        : 'recording'
      : isIdle
        ? 'idle'
        : 'unavailable',
    mode: recording?.record.mode ?? recorder.settings.recMode,
    scene: recording?.record.scene ?? recorder.settings.recScene,
    sessionId: recording?.record.sessionId ?? 0,
    elapsedMs: Math.floor(recording?.elapsedMs ?? 0),
    isBind: recorder.isBound,
    ...createBatteryReport(recorder),
    ...createStorageReport(sessions),
    ...recorder.settings,
    sessionCount: sessions.visibleTo(viewer).length,
  };
}

export function createBatteryReport({ faults, battery }: Recorder): ResponseOf<'battery'> {
  return { charging: faults.charging, level: battery.level };
}

/** Creates the storage report. Sizes are in KiB, so four bytes cover 4 TiB. */
export function createStorageReport({
  storage,
  usedPercent,
}: Pick<Sessions, 'storage' | 'usedPercent'>): ReportOf<'storageChanged'> {
  return {
    totalSpace: Math.floor(storage.total / 1024),
    free: Math.floor(storage.free / 1024),
    useRate: usedPercent,
    isFull: storage.isFull,
  };
}

/** Lists the networks in range, strongest first. */
export function listNetworks({ faults }: Recorder): ResponseOf<'wifiSearch'>['networks'] {
  return [...faults.networks]
    .sort((a, b) => b.rssi - a.rssi)
    .slice(0, MAX_WIFI_ITEMS)
    .map(({ ssid, rssi, password }) => ({ ssid, rssi, isSecured: password !== null }));
}

/** Returns one page of the sessions after `afterSessionId`. */
export function createSessionPage(
  viewer: Viewer,
  sessions: Sessions,
  afterSessionId: number,
): ResponseOf<'sessionList'> {
  const laterSessions = sessions
    .visibleTo(viewer)
    .filter(({ sessionId }) => sessionId > afterSessionId);
  const items = laterSessions.slice(0, MAX_SESSION_ITEMS).map((record) => {
    const { sessionId, startTime } = record;
    const fileSize = sessions.reportedSize(sessionId);
    const durationMs = (fileSize / PACKET_SIZE) * PACKET_MS;
    return { sessionId, fileSize, attr: createSessionAttr(record), startTime, durationMs };
  });
  return { more: laterSessions.length > items.length, items };
}

/** Returns the attributes of a session. */
export function createSessionAttr({ mode, scene, hasMarkers, closed }: SessionRecord) {
  return { mode, scene, hasMarkers, stillRecording: !closed };
}
