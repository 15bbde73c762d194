/** Formats the recorder's state for the terminal. */
import type { ControlStatus } from '../control/routes.ts';
import { noFaults } from '../faults.ts';
import type { Session } from './remote.ts';

function formatDuration(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}

function formatSize(bytes: number): string {
  if (bytes < 1e6) return `${Math.round(bytes / 1e3)} KB`;
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}

/** Lists faults that differ from their defaults. */
export function formatFaults(faults: ControlStatus['faults']): string {
  const defaults = Object.entries(noFaults());
  const current = new Map(Object.entries(faults));
  const changed = defaults.filter(([name, value]) => {
    return JSON.stringify(current.get(name)) !== JSON.stringify(value);
  });
  return (
    changed.map(([name]) => `${name} ${JSON.stringify(current.get(name))}`).join(', ') || 'none'
  );
}

export function formatStatus(url: string, status: ControlStatus): string {
  const { session, battery, storage, wifi } = status;
  const recording = session
    ? `session ${session.sessionId}, ${formatDuration(session.elapsedMs)}${session.isPaused ? ', paused' : ''}`
    : status.recording;
  const rows = [
    ['address', url],
    ['serial', status.sn],
    ['firmware', status.firmwareVersion],
    ['power', status.power.state],
    ['recording', recording],
    ['phone', status.connected ? 'connected' : 'not connected'],
    ['account', status.bind],
    ['battery', `${battery.level}%${battery.charging ? ', charging' : ''}`],
    [
      'storage',
      `${formatSize(storage.used)} of ${formatSize(storage.total)}${storage.isFull ? ', full' : ''}`,
    ],
    ['Wi-Fi', wifi.status === 'off' ? 'off' : `${wifi.status} ${wifi.ssid}, ${wifi.password}`],
    ['scene', status.scene ?? 'silence'],
    ['clock', `${status.speed} times normal speed`],
    ['sessions', String(status.sessions.length)],
    ['faults', formatFaults(status.faults)],
  ];
  return [status.name, ...rows.map(([name = '', value]) => `  ${name.padEnd(11)}${value}`)].join(
    '\n',
  );
}

/** Formats one tab-separated session per line, oldest first. */
export function formatSessions(sessions: readonly Session[]): string {
  const formatSession = (each: Session) =>
    [
      each.sessionId,
      new Date(each.startTime * 1000).toISOString(),
      formatDuration(each.durationMs),
      each.mode === 'call' ? 'phone call' : each.scene,
      formatSize(each.fileSize),
      each.stillRecording ? 'recording' : each.sha256,
    ].join('\t');
  return sessions.map(formatSession).join('\n') || 'No sessions.';
}
