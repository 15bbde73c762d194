/** Clauses about reading, listing and deleting sessions. They use the session recorded by the check, if any. */

import { toHex } from '@linnet/base';
import { sha256 } from '@noble/hashes/sha2.js';
import { CHUNK_SIZE, MAX_SESSION_ITEMS, type ResponseOf } from '../../codec/index.ts';
import type { Bench, ReadSession } from '../bench.ts';
import type { Clause } from '../clause.ts';
import type { Probe } from '../probe.ts';
import { getReceivedStream, readToEnd, startStream, WINDOW, waitForChunks } from '../streams.ts';
import { Broken, expectEqual, expectThat, NotTested } from '../verdict.ts';
import { chunkCount, listKnownSessions, registerSession } from './recording.ts';

/** The size of sessions that are suitable for reading from the middle with a small window, in chunks. */
const USABLE_CHUNKS = { min: 5, max: 1000 } as const;
const MAX_SESSION_ID = 0xffffffff;

type Item = ResponseOf<'sessionList'>['items'][number];

/** Reads the complete list of sessions. @throws {Broken} if it isn't in order */
async function listAll(probe: Probe): Promise<readonly Item[]> {
  const listed: Item[] = [];
  for (;;) {
    const last = listed.at(-1)?.sessionId ?? 0;
    const { more, items } = await probe.succeed('sessionList', { afterSessionId: last });
    let previous = last;
    for (const { sessionId } of items) {
      const expected = `a session after ${previous}, in ascending order`;
      expectThat(sessionId > previous, expected, `session ${sessionId}`);
      previous = sessionId;
    }
    listed.push(...items);
    if (!more) return listed;
    expectThat(items.length > 0, 'sessions on a page with more to follow', 'none');
  }
}

/** Returns the session to read: the check's own, or else the shortest suitable one. @throws {NotTested} */
async function chooseSession(bench: Bench, probe: Probe): Promise<number> {
  const { take } = bench;
  if (take?.fileSize !== undefined) return take.sessionId;
  const { items } = await probe.succeed('sessionList', { afterSessionId: 0 });
  const usable = items.filter(({ fileSize, attr }) => {
    const count = chunkCount(fileSize);
    return !attr.stillRecording && count >= USABLE_CHUNKS.min && count <= USABLE_CHUNKS.max;
  });
  const [shortest] = [...usable].sort((a, b) => a.fileSize - b.fileSize);
  if (!shortest)
    throw new NotTested('no session could be recorded, and the recorder has no suitable one');
  return shortest.sessionId;
}

/** Returns the completely read session. @throws {NotTested} */
function getCompleteSession(bench: Bench): ReadSession & { readonly chunks: number } {
  const { read } = bench;
  if (!read) throw new NotTested('no session could be read in full');
  return { ...read, chunks: chunkCount(read.bytes.length) };
}

/** Returns the session that was read if the check recorded it. No other session may be deleted. @throws {NotTested} */
function getOwnSession(bench: Bench): number {
  const { take } = bench;
  if (take?.fileSize === undefined) throw new NotTested('the check deletes only its own recording');
  return take.sessionId;
}

async function expectChunks(probe: Probe, sequence: number, count: number, situation: string) {
  await waitForChunks(probe, sequence, count);
  await probe.settle();
  const { chunks } = getReceivedStream(probe, sequence);
  expectThat(chunks.length <= count, `${count} chunks ${situation}`, `${chunks.length} chunks`);
}

/**
 * Checks that the stream sends no more chunks.
 * @param sent the number of chunks received when the stream ended; the link preserves order, so none is still in
 *   transit
 */
async function expectNoMore(probe: Probe, sequence: number, sent: number, situation: string) {
  await probe.settle();
  const { chunks, end } = getReceivedStream(probe, sequence);
  expectThat(chunks.length === sent, `no chunks ${situation}`, `${chunks.length - sent} chunks`);
  expectThat(!end, `no end frame ${situation}`, 'an end frame');
}

export const readingClauses: readonly Clause[] = [
  {
    id: 'list',
    section: 'sessionlist--0x20',
    title: 'lists all sessions in pages of at most seven, in ascending order',
    requires: 'required',
    async check(bench) {
      const probe = await bench.getLink();
      const listed = await listAll(probe);
      const { sessionCount } = await probe.succeed('status', {});
      expectEqual('the number of listed sessions, as in status', listed.length, sessionCount);
      const { more, items } = await probe.succeed('sessionList', { afterSessionId: 0 });
      const expected = Math.min(listed.length, MAX_SESSION_ITEMS);
      const isPage = more ? items.length > 0 : items.length === expected;
      expectThat(isPage, `a first page of up to ${expected} sessions`, `${items.length}`);
    },
  },
  {
    id: 'list.after-last',
    section: 'sessionlist--0x20',
    title: 'lists nothing after the last session',
    requires: 'required',
    async check(bench) {
      const probe = await bench.getLink();
      const request = { afterSessionId: MAX_SESSION_ID };
      const { more, items } = await probe.succeed('sessionList', request);
      expectEqual('the number of sessions after the last', items.length, 0);
      expectEqual('more', more, false);
    },
  },
  {
    id: 'sync',
    section: 'syncfile--0x21',
    title: 'streams a session as chunks in order, then the end frame with the SHA-256 of all bytes',
    requires: 'required',
    async check(bench) {
      const probe = await bench.getLink();
      const sessionId = await chooseSession(bench, probe);
      const request = { sessionId, fromChunk: 0, window: WINDOW };
      const { sequence, fileSize, stillRecording } = await startStream(probe, request);
      expectEqual('stillRecording from syncFile', stillRecording, false);
      const { bytes, end } = await readToEnd(probe, sequence, 0);
      // Store the result before checking it, so that a failure concerns only this clause.
      bench.read = { sessionId, bytes, sha256: sha256(bytes) };
      expectEqual('the number of streamed bytes, as announced', bytes.length, fileSize);
      expectEqual('fileSize in the end frame', end.fileSize, fileSize);
      expectEqual('the SHA-256 in the end frame', toHex(end.sha256), toHex(bench.read.sha256));
    },
  },
  {
    id: 'sync.retained',
    section: '3-a-conversation',
    title: 'keeps a session that was read and acknowledged until it is deleted',
    requires: 'required',
    async check(bench) {
      const { sessionId } = getCompleteSession(bench);
      const probe = await bench.getLink();
      const { items } = await probe.succeed('sessionList', { afterSessionId: sessionId - 1 });
      expectEqual('the next session in the list', items[0]?.sessionId ?? 'none', sessionId);
    },
  },
  {
    id: 'sync.resume',
    section: '3-a-conversation',
    title: 'resumes at any chunk, with the SHA-256 of the complete session',
    requires: 'required',
    async check(bench) {
      const { sessionId, bytes, chunks, sha256: digest } = getCompleteSession(bench);
      const probe = await bench.getLink();
      const fromChunk = Math.floor(chunks / 2);
      const { sequence } = await startStream(probe, { sessionId, fromChunk, window: WINDOW });
      const { bytes: received, end } = await readToEnd(probe, sequence, fromChunk);
      const expected = bytes.subarray(fromChunk * CHUNK_SIZE);
      expectEqual(
        `the bytes from chunk ${fromChunk}`,
        toHex(sha256(received)),
        toHex(sha256(expected)),
      );
      expectEqual('fileSize in the end frame', end.fileSize, bytes.length);
      expectEqual('the SHA-256 in the end frame', toHex(end.sha256), toHex(digest));
    },
  },
  {
    id: 'sync.from-end',
    section: '3-a-conversation',
    title: 'sends only the end frame if fromChunk is the number of chunks',
    requires: 'required',
    async check(bench) {
      const { sessionId, chunks } = getCompleteSession(bench);
      const probe = await bench.getLink();
      const request = { sessionId, fromChunk: chunks, window: WINDOW };
      const { sequence } = await startStream(probe, request);
      const { bytes } = await readToEnd(probe, sequence, chunks);
      expectEqual('the bytes after the last chunk', bytes.length, 0);
    },
  },
  {
    id: 'sync.beyond',
    section: 'syncfile--0x21',
    title: 'refuses to start beyond the end of a session (43)',
    requires: 'required',
    async check(bench) {
      const { sessionId, chunks } = getCompleteSession(bench);
      const probe = await bench.getLink();
      const request = { sessionId, fromChunk: chunks + 1, window: WINDOW };
      await probe.expectRefusal('syncFile', request, ['chunk_out_of_range'], 'beyond the end');
    },
  },
  {
    id: 'sync.unknown',
    section: 'syncfile--0x21',
    title: 'refuses to stream an unknown session (40)',
    requires: 'required',
    async check(bench) {
      const probe = await bench.getLink();
      const request = { sessionId: MAX_SESSION_ID, fromChunk: 0, window: WINDOW };
      await probe.expectRefusal('syncFile', request, ['session_unknown'], 'for an unknown session');
    },
  },
  {
    id: 'sync.window',
    section: '3-a-conversation',
    title: 'sends at most `window` chunks beyond the last acknowledgement',
    requires: 'required',
    async check(bench) {
      const { sessionId } = getCompleteSession(bench);
      const probe = await bench.getLink();
      const { sequence } = await startStream(probe, { sessionId, fromChunk: 0, window: 2 });
      await expectChunks(probe, sequence, 2, 'with a window of 2');
      await probe.acknowledge(1, sequence);
      await expectChunks(probe, sequence, 3, 'with a window of 2, once the first is acknowledged');
    },
  },
  {
    id: 'sync.window-zero',
    section: '3-a-conversation',
    title: 'treats a window of 0 as 1',
    requires: 'required',
    async check(bench) {
      const { sessionId } = getCompleteSession(bench);
      const probe = await bench.getLink();
      const { sequence } = await startStream(probe, { sessionId, fromChunk: 0, window: 0 });
      await expectChunks(probe, sequence, 1, 'with a window of 0');
    },
  },
  {
    id: 'sync.acknowledge',
    section: '3-a-conversation',
    title:
      'ignores acknowledgements that are lower or for a different stream, and limits higher ones',
    requires: 'required',
    async check(bench) {
      const { sessionId } = getCompleteSession(bench);
      const probe = await bench.getLink();
      const { sequence } = await startStream(probe, { sessionId, fromChunk: 1, window: 1 });
      await waitForChunks(probe, sequence, 1);
      await probe.acknowledge(2, (sequence + 1000) & 0xffff);
      await probe.acknowledge(0, sequence);
      await expectChunks(probe, sequence, 1, 'after acknowledgements that have no effect');
      await probe.acknowledge(1000, sequence);
      await expectChunks(probe, sequence, 2, 'after an acknowledgement of more than was sent');
    },
  },
  {
    id: 'sync.replace',
    section: '3-a-conversation',
    title: 'ends a stream when another stream starts',
    requires: 'required',
    async check(bench) {
      const { sessionId } = getCompleteSession(bench);
      const probe = await bench.getLink();
      const first = await startStream(probe, { sessionId, fromChunk: 0, window: 1 });
      await waitForChunks(probe, first.sequence, 1);
      const secondStream = await startStream(probe, { sessionId, fromChunk: 1, window: 1 });
      const sentChunks = getReceivedStream(probe, first.sequence).chunks.length;
      await waitForChunks(probe, secondStream.sequence, 1);
      await probe.acknowledge(sentChunks, first.sequence);
      await expectNoMore(probe, first.sequence, sentChunks, 'once another stream has started');
    },
  },
  {
    id: 'sync.stop',
    section: 'syncstop--0x22',
    title: 'stops a stream on syncStop, which succeeds even if none is running',
    requires: 'required',
    async check(bench) {
      const { sessionId } = getCompleteSession(bench);
      const probe = await bench.getLink();
      const { sequence } = await startStream(probe, { sessionId, fromChunk: 0, window: 1 });
      await waitForChunks(probe, sequence, 1);
      await probe.succeed('syncStop', {});
      const sentChunks = getReceivedStream(probe, sequence).chunks.length;
      await probe.acknowledge(sentChunks, sequence);
      await expectNoMore(probe, sequence, sentChunks, 'after syncStop');
      await probe.succeed('syncStop', {});
    },
  },
  {
    id: 'delete.unknown',
    section: 'deleterecord--0x23',
    title: 'refuses to delete an unknown session (40)',
    requires: 'required',
    async check(bench) {
      const probe = await bench.getLink();
      const request = { sessionId: MAX_SESSION_ID };
      await probe.expectRefusal(
        'deleteRecord',
        request,
        ['session_unknown'],
        'for an unknown session',
      );
    },
  },
  {
    id: 'delete',
    section: 'deleterecord--0x23',
    title: 'deletes a session, and ends its stream',
    requires: 'required',
    async check(bench) {
      const sessionId = getOwnSession(bench);
      const probe = await bench.getLink();
      const request = { sessionId, fromChunk: 0, window: 1 };
      const { sequence } = await startStream(probe, request);
      await waitForChunks(probe, sequence, 1);
      await probe.succeed('deleteRecord', { sessionId });
      const listed = await listAll(probe);
      const isListed = listed.some((item) => item.sessionId === sessionId);
      expectThat(!isListed, 'no deleted session in the list', `session ${sessionId}`);
      bench.ownSessions.delete(sessionId);
      await probe.expectRefusal('syncFile', request, ['session_unknown'], 'for a deleted session');
      await probe.expectRefusal(
        'deleteRecord',
        { sessionId },
        ['session_unknown'],
        'for a deleted session',
      );
    },
  },
  {
    id: 'record-start.new-id',
    section: 'recordstart--0x10',
    title: 'never reuses the id of a deleted session',
    requires: 'required',
    async check(bench) {
      const last = getOwnSession(bench);
      if (bench.ownSessions.has(last)) throw new NotTested('no session could be deleted');
      const probe = await bench.getLink();
      const request = { mode: 'normal', scene: 'note' } as const;
      const knownSessions = await listKnownSessions(probe);
      const { sessionId } = await probe.succeed('recordStart', request);
      registerSession(bench, knownSessions, sessionId);
      await probe.succeed('recordEnd', {});
      await probe.succeed('deleteRecord', { sessionId });
      bench.ownSessions.delete(sessionId);
      expectThat(sessionId > last, `a session after ${last}`, `session ${sessionId}`);
    },
  },
];

/** Deletes the check's recordings and restores the settings. @throws {Broken | NotTested} */
export async function tidy(bench: Bench): Promise<void> {
  const { savedSettings, ownSessions } = bench;
  if (!savedSettings && ownSessions.size === 0) return;
  const probe = await bench.getLink();
  const status = await probe.succeed('status', {});
  if (ownSessions.has(status.sessionId)) await probe.succeed('recordEnd', {});
  if (savedSettings) await probe.request('generalSetting', savedSettings);
  for (const sessionId of ownSessions) {
    const response = await probe.request('deleteRecord', { sessionId });
    const isGone = response.kind === 'refused' && response.name === 'session_unknown';
    if (response.kind !== 'ok' && !isGone)
      throw new Broken(`session ${sessionId} to be deleted`, 'a refusal');
    ownSessions.delete(sessionId);
  }
}
