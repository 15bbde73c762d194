/** Maps decoded responses and reports to a session's types: units, addresses and event names. */
import { toHex } from '@linnet/base';
import type { AnyReport, ResponseOf } from '../codec/index.ts';
import type {
  RecorderEvent,
  RecorderInfo,
  RecorderSettings,
  RecorderStatus,
  RecorderStorage,
  RecorderUsage,
} from './types.ts';

const BYTES_PER_KIB = 1024;

export function readInfo(response: ResponseOf<'handshake'>): RecorderInfo {
  const mac = toHex(response.mac).toUpperCase().match(/../g) ?? [];
  return {
    sn: response.sn,
    projectCode: response.projectCode,
    firmwareVersion: response.firmwareVersion,
    mac: mac.join(':'),
    isBind: response.isBind,
    protocolVersion: response.version,
    tranVersion: response.tranVersion,
    payloadSize: response.payloadSize,
  };
}

export function readStatus(response: ResponseOf<'status'>): RecorderStatus {
  const { recording, mode, scene, sessionId, elapsedMs } = response;
  return {
    recording:
      recording === 'recording' || recording === 'paused'
        ? {
            state: 'recording',
            isPaused: recording === 'paused',
            mode,
            scene,
            sessionId,
            elapsedMs,
          }
        : { state: recording },
    isBind: response.isBind,
    battery: { charging: response.charging, level: response.level },
    storage: readStorage(response),
    settings: readSettings(response),
    sessionCount: response.sessionCount,
  };
}

export function readStorage(response: ResponseOf<'storageVolume'>): RecorderStorage {
  return {
    totalSpace: response.totalSpace * BYTES_PER_KIB,
    free: response.free * BYTES_PER_KIB,
    useRate: response.useRate,
    isFull: response.isFull,
  };
}

function readSettings(response: RecorderSettings): RecorderSettings {
  const { recLedStatus, recScene, recMode, dmicMode, micGain } = response;
  return { recLedStatus, recScene, recMode, dmicMode, micGain };
}

/** Returns the origin of the recorder's HTTP service, or null if it isn't running. */
export function httpOrigin(address: Uint8Array, port: number): string | null {
  return port === 0 ? null : `http://${[...address].join('.')}:${port}`;
}

export function readUsage({
  transferredKib,
  ...counts
}: ResponseOf<'usageStatistics'>): RecorderUsage {
  return { ...counts, transferredBytes: transferredKib * BYTES_PER_KIB };
}

export function readEvent(report: AnyReport): RecorderEvent {
  switch (report.name) {
    case 'recordingStarted':
      return { type: 'recording_started', ...report.value };
    case 'recordingEnded':
      return { type: 'recording_ended', ...report.value };
    case 'bindChanged':
      return { type: 'bind_changed', ...report.value };
    case 'batteryChanged':
      return { type: 'battery_changed', ...report.value };
    case 'recordingPaused':
      return { type: 'recording_paused', ...report.value };
    case 'recordingRestored':
      return { type: 'recording_restored', ...report.value };
    case 'storageChanged':
      return { type: 'storage_changed', ...readStorage(report.value) };
    case 'settingsChanged':
      return { type: 'settings_changed', ...readSettings(report.value) };
    case 'sessionChanged': {
      const { attr, ...session } = report.value;
      return { type: 'session_changed', ...session, ...attr };
    }
    case 'firmwareChanged':
      return { type: 'firmware_changed', ...report.value };
    case 'wifiChanged': {
      const { state, address, port } = report.value;
      return { type: 'wifi_changed', state, origin: httpOrigin(address, port) };
    }
    case 'usageChanged':
      return { type: 'usage_changed', ...readUsage(report.value) };
  }
}
