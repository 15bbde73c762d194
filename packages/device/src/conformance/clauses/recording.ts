/** Clauses about a recording in progress. All use one recording of about two seconds. */
import { toHex } from '@linnet/base';
import { sha256 } from '@noble/hashes/sha2.js';
import { CHUNK_SIZE, PACKET_MS, PACKET_SIZE } from '../../codec/index.ts';
import type { Bench, Take } from '../bench.ts';
import type { Clause } from '../clause.ts';
import { describeResponse, type Probe } from '../probe.ts';
import { readToEnd, startStream, WINDOW, waitForChunks } from '../streams.ts';
import { Broken, expectEqual, expectThat, NotTested } from '../verdict.ts';
import { announce, createAnnouncement } from './firmware.ts';
import { closeWifiOnFailure } from './wifi.ts';

const REQUEST = { mode: 'normal', scene: 'meeting' } as const;
/** Results of `recordStart` that mean that the recorder can't record now. */
const OBSTACLES = [
  'space_full',
  'usb_disk_mode',
  'hardware_abnormal',
  'wifi_mode',
  'waiting_for_bind',
];
/** The length of the recording: enough chunks to read from the middle and with a small window. */
const RECORDED_CHUNKS = 6;
/** The maximum deviation of a start time from the time set by `timeSync`, in seconds. */
const CLOCK_TOLERANCE_S = 60;

/** Returns the recording in progress. @throws {NotTested} */
function getRunningTake(bench: Bench): Take {
  const { take } = bench;
  if (take && take.fileSize === undefined) return take;
  throw new NotTested('the check could not record');
}

/** Returns the ended recording. @throws {NotTested} */
function getEndedTake(bench: Bench): Take & { readonly fileSize: number } {
  const { take } = bench;
  const { fileSize } = take ?? {};
  if (take && fileSize !== undefined) return { ...take, fileSize };
  throw new NotTested('the check could not record');
}

/** Returns the IDs of all sessions, to distinguish them from the check's own. Other clauses verify the list. */
export async function listKnownSessions(probe: Probe): Promise<ReadonlySet<number>> {
  const ids = new Set<number>();
  for (let last = 0; ; ) {
    const response = await probe.request('sessionList', { afterSessionId: last });
    if (response.kind !== 'ok') return ids;
    const { more, items } = response.value;
    for (const { sessionId } of items) ids.add(sessionId);
    const next = items.at(-1)?.sessionId ?? 0;
    if (!more || next <= last) return ids;
    last = next;
  }
}

/** Registers a session started by the check. @throws {Broken} if the session already existed */
export function registerSession(bench: Bench, known: ReadonlySet<number>, sessionId: number): void {
  if (known.has(sessionId)) throw new Broken('the id of a new session', `session ${sessionId}`);
  bench.ownSessions.add(sessionId);
}

export const recordingClauses: readonly Clause[] = [
  {
    id: 'record-end.idle',
    section: 'recordend--0x11',
    title: 'refuses recordEnd without a recording (42)',
    requires: 'required',
    async check(bench) {
      const probe = await bench.getIdleLink();
      await probe.expectRefusal('recordEnd', {}, ['not_recording'], 'without a recording');
    },
  },
  {
    id: 'record-start',
    section: 'recordstart--0x10',
    title: 'starts a recording, and returns its session id and start time',
    requires: 'required',
    async check(bench) {
      const probe = await bench.getIdleLink();
      const knownSessions = await listKnownSessions(probe);
      bench.markFrames(probe);
      const response = await probe.request('recordStart', REQUEST);
      if (response.kind === 'refused' && OBSTACLES.includes(response.name ?? '')) {
        throw new NotTested(`recordStart is answered with ${describeResponse(response)}`);
      }
      if (response.kind !== 'ok') {
        throw new Broken('result 0 to recordStart', describeResponse(response));
      }
      const { sessionId, startTime } = response.value;
      registerSession(bench, knownSessions, sessionId);
      bench.take = { sessionId, startTime };
      expectThat(sessionId > 0, 'a sessionId of at least 1', `${sessionId}`);
      const now = Math.floor(bench.options.timing.clock.now() / 1000);
      expectThat(
        Math.abs(startTime - now) <= CLOCK_TOLERANCE_S,
        `a startTime near ${now}, as set by timeSync`,
        `${startTime}`,
      );
    },
  },
  {
    id: 'record-start.report',
    section: 'recordingstarted--4099',
    title: 'reports the start of a recording (4099)',
    requires: 'required',
    async check(bench) {
      const { sessionId, startTime } = getRunningTake(bench);
      const { probe, position } = bench.getMark();
      const report = await probe.waitForReport('recordingStarted', position);
      expectEqual('sessionId in report 4099', report.sessionId, sessionId);
      expectEqual('startTime in report 4099', report.startTime, startTime);
      expectEqual('mode in report 4099', report.mode, REQUEST.mode);
      expectEqual('scene in report 4099', report.scene, REQUEST.scene);
    },
  },
  {
    id: 'sync.live',
    section: '3-a-conversation',
    title: 'streams a recording while it grows, in complete chunks',
    requires: 'required',
    async check(bench) {
      const take = getRunningTake(bench);
      const probe = await bench.getLink();
      const { sessionId } = take;
      const request = { sessionId, fromChunk: 0, window: WINDOW };
      const { sequence, stillRecording } = await startStream(probe, request);
      bench.take = { ...take, stream: { probe, sequence } };
      expectEqual('stillRecording from syncFile', stillRecording, true);
      await waitForChunks(probe, sequence, RECORDED_CHUNKS);
    },
  },
  {
    id: 'record-start.busy',
    section: 'recordstart--0x10',
    title: 'refuses a second recording (4)',
    requires: 'required',
    async check(bench) {
      getRunningTake(bench);
      const probe = await bench.getLink();
      await probe.expectRefusal('recordStart', REQUEST, ['busy'], 'during a recording');
    },
  },
  {
    id: 'status.recording',
    section: 'status--0x06',
    title: 'reports the recording in status',
    requires: 'required',
    async check(bench) {
      const { sessionId } = getRunningTake(bench);
      const probe = await bench.getLink();
      const status = await probe.succeed('status', {});
      expectEqual('recording', status.recording, 'recording');
      expectEqual('sessionId', status.sessionId, sessionId);
      expectEqual('mode', status.mode, REQUEST.mode);
      expectEqual('scene', status.scene, REQUEST.scene);
    },
  },
  {
    id: 'list.recording',
    section: 'sessionlist--0x20',
    title: 'lists the session in progress as still recording',
    requires: 'required',
    async check(bench) {
      const { sessionId } = getRunningTake(bench);
      const probe = await bench.getLink();
      const { items } = await probe.succeed('sessionList', { afterSessionId: sessionId - 1 });
      const [item] = items;
      if (!item) throw new Broken(`session ${sessionId} after session ${sessionId - 1}`, 'nothing');
      expectEqual(`the first session after ${sessionId - 1}`, item.sessionId, sessionId);
      expectEqual('bit 4 of attr, still recording', item.attr.stillRecording, true);
      expectEqual('mode in attr', item.attr.mode, REQUEST.mode);
      expectEqual('scene in attr', item.attr.scene, REQUEST.scene);
    },
  },
  {
    id: 'delete.recording',
    section: 'deleterecord--0x23',
    title: 'refuses to delete the session in progress (41)',
    requires: 'required',
    async check(bench) {
      const { sessionId } = getRunningTake(bench);
      const probe = await bench.getLink();
      const results = ['session_recording'] as const;
      await probe.expectRefusal('deleteRecord', { sessionId }, results, 'during the recording');
    },
  },
  {
    id: 'wifi.recording',
    section: 'wifiopen--0x40',
    title: 'does not start its hotspot during a recording (41)',
    requires: 'optional',
    async check(bench) {
      getRunningTake(bench);
      const probe = await bench.getLink();
      const situation = 'during a recording';
      await closeWifiOnFailure(probe, () =>
        probe.expectRefusalIfOffered('wifiOpen', { sessions: [] }, 'session_recording', situation),
      );
    },
  },
  {
    id: 'firmware.recording',
    section: 'otastart--0x50',
    title: 'refuses a firmware image during a recording (status recording)',
    requires: 'optional',
    async check(bench) {
      getRunningTake(bench);
      const probe = await bench.getLink();
      const { status } = await announce(probe, createAnnouncement(new Uint8Array(1)));
      expectEqual('status from otaStart during a recording', status, 'recording');
    },
  },
  {
    id: 'record-pause',
    section: 'recordpause--0x12',
    title: 'pauses and resumes a recording, with the same response when repeated',
    requires: 'optional',
    async check(bench) {
      const { sessionId } = getRunningTake(bench);
      const probe = await bench.getLink();
      const paused = await probe.succeedIfOffered('recordPause', {});
      const secondPause = await probe.succeed('recordPause', {});
      const { recording } = await probe.succeed('status', {});
      const restored = await probe.succeed('recordRestore', {});
      const { recording: resumed } = await probe.succeed('status', {});
      expectEqual('sessionId from recordPause', paused.sessionId, sessionId);
      expectEqual('elapsedMs from a repeated recordPause', secondPause.elapsedMs, paused.elapsedMs);
      expectEqual('recording from status while paused', recording, 'paused');
      expectEqual('sessionId from recordRestore', restored.sessionId, sessionId);
      expectEqual('recording from status once resumed', resumed, 'recording');
    },
  },
  {
    id: 'record-end',
    section: 'recordend--0x11',
    title: 'ends a recording, and returns its session id and a size in whole packets',
    requires: 'required',
    async check(bench) {
      const take = getRunningTake(bench);
      const probe = await bench.getLink();
      bench.markFrames(probe);
      const { sessionId, fileSize } = await probe.succeed('recordEnd', {});
      bench.take = { ...take, fileSize };
      expectEqual('sessionId from recordEnd', sessionId, take.sessionId);
      const isWhole = fileSize > 0 && fileSize % PACKET_SIZE === 0;
      expectThat(isWhole, `a multiple of ${PACKET_SIZE} as fileSize`, `${fileSize}`);
    },
  },
  {
    id: 'record-end.report',
    section: 'recordingended--4100',
    title: 'reports the end of a recording (4100)',
    requires: 'required',
    async check(bench) {
      const { sessionId, fileSize } = getEndedTake(bench);
      const { probe, position } = bench.getMark();
      const report = await probe.waitForReport('recordingEnded', position);
      expectEqual('sessionId in report 4100', report.sessionId, sessionId);
      expectEqual('fileSize in report 4100', report.fileSize, fileSize);
      expectEqual('durationMs in report 4100', report.durationMs, durationMs(fileSize));
      expectEqual('because in report 4100', report.because, 'none');
    },
  },
  {
    id: 'sync.live-end',
    section: '3-a-conversation',
    title: 'ends the stream of a recording with its last chunk and the end frame',
    requires: 'required',
    async check(bench) {
      const { stream, fileSize } = getEndedTake(bench);
      if (!stream || stream.probe.isClosed) throw new NotTested('no stream followed the recording');
      const { bytes, end } = await readToEnd(stream.probe, stream.sequence, 0);
      expectEqual('the number of streamed bytes', bytes.length, fileSize);
      expectEqual('fileSize in the end frame', end.fileSize, fileSize);
      expectEqual('the SHA-256 in the end frame', toHex(end.sha256), toHex(sha256(bytes)));
    },
  },
  {
    id: 'list.recorded',
    section: 'sessionlist--0x20',
    title: 'lists the session with its size and a duration of 20 ms per packet',
    requires: 'required',
    async check(bench) {
      const { sessionId, startTime, fileSize } = getEndedTake(bench);
      const probe = await bench.getLink();
      const { items } = await probe.succeed('sessionList', { afterSessionId: sessionId - 1 });
      const item = items.find((each) => each.sessionId === sessionId);
      if (!item) throw new Broken(`session ${sessionId} in the list`, 'none');
      expectEqual('fileSize in the list', item.fileSize, fileSize);
      expectEqual('durationMs in the list', item.durationMs, durationMs(item.fileSize));
      expectEqual('startTime in the list', item.startTime, startTime);
      expectEqual('bit 4 of attr, still recording', item.attr.stillRecording, false);
    },
  },
];

const durationMs = (fileSize: number) => (fileSize / PACKET_SIZE) * PACKET_MS;

/** Returns the number of chunks in a session of `fileSize` bytes. */
export const chunkCount = (fileSize: number) => Math.ceil(fileSize / CHUNK_SIZE);
