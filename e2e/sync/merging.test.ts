/** Merges recordings with a real database and real files. */
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PACKET_BYTES } from '@linnet/audio/format';
import { loadOpus, type OpusModule } from '@linnet/audio/opus';
import { readOpusWasm } from '@linnet/audio/opus-wasm-node';
import { PacketUnpacker } from '@linnet/audio/unpack';
import { createStores, migrate } from '@linnet/local-db';
import { openNodeSqlite } from '@linnet/local-db/node-sqlite';
import {
  Continuations,
  isTrans,
  RecordingMerger,
  type RecordPatch,
  recordingId,
  StorageFull,
  sha256From,
} from '@linnet/sync';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openFileAudioProcessor } from '../support/file-audio-processor.ts';
import { openFileAudioStore } from '../support/file-audio-store.ts';
import { FillableDatabase } from '../support/fillable-database.ts';
import { waitUntil } from '../support/wait-until.ts';

const UID = 'owner';
const neverAborted = new AbortController().signal;

let opus: OpusModule;
beforeAll(async () => {
  opus = await loadOpus(readOpusWasm());
});

let folder: string;
let phone: Awaited<ReturnType<typeof openPhone>>;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'linnet-merging-'));
  phone = await openPhone();
});
afterEach(async () => {
  await phone.database.close();
  await rm(folder, { recursive: true });
  expect(phone.errors).toEqual([]);
});

async function openPhone() {
  const database = new FillableDatabase(await openNodeSqlite(':memory:'));
  await migrate(database);
  const { records, changes } = createStores(database);
  const audio = openFileAudioStore(folder, opus);
  const errors: unknown[] = [];
  const onError = (error: unknown) => void errors.push(error);
  const audioProcessor = openFileAudioProcessor(folder, opus);
  let mergesTranscripts = true;
  const merger = new RecordingMerger({
    ...{ records, changes, audio, audioProcessor, onError },
    mergesTranscripts: () => mergesTranscripts,
  });
  const useOldServer = () => {
    mergesTranscripts = false;
  };
  return { database, records, changes, audio, merger, errors, useOldServer };
}

/** Returns packets of a tone, 20 ms each. */
function tone(packets: number, hertz: number): Uint8Array[] {
  const encoder = opus.createEncoder();
  const encoded = Array.from({ length: packets }, (_, n) => {
    const timeAt = (sample: number) => (n * 320 + sample) / 16_000;
    const samples = Int16Array.from({ length: 320 }, (_, sample) =>
      Math.round(9000 * Math.sin(2 * Math.PI * hertz * timeAt(sample))),
    );
    return encoder.encode(samples).slice();
  });
  encoder.free();
  return encoded;
}

/** Adds a recording with complete audio on the phone. @param minute when it was made */
async function addRecording(
  minute: number,
  packets: readonly Uint8Array[],
  patch: RecordPatch = {},
) {
  const { records, audio } = phone;
  const id = recordingId('SN', minute, 1_700_000_000);
  const createDate = new Date(Date.UTC(2026, 2, 1, 9, minute)).toISOString();
  await records.ensure({
    ...{ id, uid: UID, sn: 'SN', source: 'recorder', deviceFileId: minute, createDate },
    ...{
      seconds: Math.ceil(packets.length / 50),
      scene: 'meeting',
      audioBytes: packets.length * PACKET_BYTES,
    },
  });
  const file = await audio.openPackets(id, PACKET_BYTES);
  await file.append(Buffer.concat(packets));
  await file.close();
  const { sha256, bytes, peaks, localfile } = await audio.finish(id);
  const verified = { status: 'verified', bytes, sha256: sha256From(sha256) } as const;
  await records.update(id, { peaks, localfile, copies: { phone: verified }, ...patch });
  await audio.discardPackets(id);
  return id;
}

const detail = async (id: string) => (await phone.records.detail(id)) ?? expect.fail('no record');
const loadRemaining = async () => (await phone.records.summaries(UID)).map(({ id }) => id);
const loadBinned = async () => (await phone.records.binned(UID)).map(({ id }) => id).sort();
const merge = (ids: readonly string[], signal = neverAborted) =>
  phone.merger.merge(UID, ids, () => {}, signal);

async function readPackets(id: string): Promise<Buffer> {
  const file = (await phone.audio.oggOpus(id)) ?? expect.fail('no audio');
  const unpacker = new PacketUnpacker();
  const packets = unpacker.push(new Uint8Array(await file.arrayBuffer()));
  unpacker.end();
  return Buffer.from(packets);
}

const transcribed = { is_trans: isTrans.translated } as const;

describe('merging recordings', () => {
  it('joins their audio, markers, notes and tags in chronological order', async () => {
    const [lowTone, highTone] = [tone(75, 220), tone(120, 440)];
    const laterPart = await addRecording(30, highTone);
    const earlierPart = await addRecording(5, lowTone);
    const act = phone.changes;
    const marker = { id: 'm', time: 0.5, label: 'Budget' };
    await act.edit(UID, {
      type: 'recording.marker',
      recording: laterPart,
      marker: 'm',
      value: marker,
    });
    const note = { id: 'n', time: 1, text: 'Ask Ann.' };
    await act.edit(UID, { type: 'recording.note', recording: earlierPart, note: 'n', value: note });
    await act.edit(UID, { type: 'recording.tag', recording: laterPart, tag: 'Work', on: true });
    await act.edit(UID, { type: 'recording.rename', recording: earlierPart, name: 'Planning' });

    const id = await merge([laterPart, earlierPart]);
    expect(await readPackets(id)).toEqual(Buffer.concat([...lowTone, ...highTone]));
    const merged = await detail(id);
    expect(merged).toMatchObject({
      ...{ title: 'Planning', create_date: '2026-03-01T09:05:00.000Z', record_time: 4 },
      ...{ scene: 'meeting', tags: ['Work'], is_trans: isTrans.untranslated },
      markers: [{ id: expect.not.stringMatching(/^m$/), time: 2, label: 'Budget' }],
      notes: [{ id: expect.not.stringMatching(/^n$/), time: 1, text: 'Ask Ann.' }],
      copies: { phone: { status: 'verified' }, cloud: { status: 'absent' } },
    });
    expect(merged.peaks.length).toBeGreaterThan(0);
    expect(await loadRemaining()).toEqual([id]);
    expect(await loadBinned()).toEqual([earlierPart, laterPart].sort());
    // The packets were only needed to create the files.
    expect((await readdir(folder)).filter((name) => name.endsWith('.packets'))).toEqual([]);
    const [queued] = (await phone.records.queue(UID, false)).filter((record) => record.id === id);
    expect(queued).toMatchObject({ mergedFrom: null, autoTranscribe: true });
  });

  it('requests merged transcripts from the server if all parts have one', async () => {
    const a = await addRecording(1, tone(75, 220), transcribed);
    const b = await addRecording(2, tone(50, 440), transcribed);
    const id = await merge([a, b]);
    const [queued] = (await phone.records.queue(UID, false)).filter((record) => record.id === id);
    expect(queued).toMatchObject({
      mergedFrom: [
        { client_flag: a, start: 0 },
        { client_flag: b, start: 1.5 },
      ],
      autoTranscribe: false,
    });
  });

  it('is refused if only some parts have a transcript or audio, or if fewer than two remain', async () => {
    const a = await addRecording(1, tone(75, 220), transcribed);
    const b = await addRecording(2, tone(50, 440));
    const c = await addRecording(3, tone(50, 440), { copies: { phone: { status: 'absent' } } });
    const expectRefusal = (obstacle: object) => expect.objectContaining({ obstacle });
    await expect(merge([a, b])).rejects.toEqual(
      expectRefusal({ code: 'transcript_missing', ids: [b] }),
    );
    await expect(merge([a, c])).rejects.toEqual(expectRefusal({ code: 'audio_missing', ids: [c] }));
    await phone.changes.edit(UID, { type: 'recording.bin', recording: b });
    await expect(merge([a, b])).rejects.toEqual(expectRefusal({ code: 'recordings_missing' }));
    await expect(phone.merger.merge('another', [a, c], () => {}, neverAborted)).rejects.toEqual(
      expectRefusal({ code: 'recordings_missing' }),
    );
    expect((await loadRemaining()).sort()).toEqual([a, c].sort());
  });

  it('is refused while a part is being transcribed, and if the server can’t merge transcripts', async () => {
    const a = await addRecording(1, tone(75, 220), transcribed);
    const expectRefusal = (obstacle: object) => expect.objectContaining({ obstacle });
    const stillTranscribing = (id: string) =>
      expectRefusal({ code: 'still_transcribing', ids: [id] });
    const runningPart = await addRecording(2, tone(50, 440), { is_trans: isTrans.transferring });
    await expect(merge([a, runningPart])).rejects.toEqual(stillTranscribing(runningPart));
    const requested = await addRecording(3, tone(50, 440), { requestedLanguage: 'en' });
    await expect(merge([a, requested])).rejects.toEqual(stillTranscribing(requested));
    const b = await addRecording(4, tone(50, 440), transcribed);
    const merged = await merge([a, b]);
    const c = await addRecording(5, tone(50, 440), transcribed);
    await expect(merge([merged, c])).rejects.toEqual(stillTranscribing(merged));
    const d = await addRecording(6, tone(50, 440), transcribed);
    phone.useOldServer();
    await expect(merge([c, d])).rejects.toEqual(expectRefusal({ code: 'server_outdated' }));
  });

  it('is transcribed automatically only if all parts would be', async () => {
    const a = await addRecording(1, tone(75, 220));
    const b = await addRecording(2, tone(50, 440), { autoTranscribe: false });
    expect(await detail(await merge([a, b]))).toMatchObject({ autoTranscribe: false });
    const c = await addRecording(3, tone(75, 220));
    const canceled = await addRecording(4, tone(50, 440), { task: { id: 't', language: 'en' } });
    expect(await detail(await merge([c, canceled]))).toMatchObject({ autoTranscribe: false });
  });

  it('waits until the edits of its parts have been sent', async () => {
    const a = await addRecording(1, tone(75, 220), { ...transcribed, server_id: 's1' });
    const b = await addRecording(2, tone(50, 440), { ...transcribed, server_id: 's2' });
    const id = await merge([a, b]);
    const findQueued = async () =>
      (await phone.records.queue(UID, false)).find((record) => record.id === id)?.hasUnsentParts;
    expect(await findQueued()).toBe(true);
    const pendingEdits = await phone.changes.pending(UID);
    expect(pendingEdits.map(({ type }) => type)).toEqual(['recording.bin', 'recording.bin']);
    const outcome = { outcome: 'applied', rev: 1, code: 0, msg: '' } as const;
    await phone.changes.acknowledge(
      UID,
      pendingEdits.map(({ op_id }) => ({ op_id, ...outcome })),
    );
    expect(await findQueued()).toBe(false);
  });

  it('does not wait for edits of parts that the server no longer has', async () => {
    const a = await addRecording(1, tone(75, 220), transcribed);
    const b = await addRecording(2, tone(50, 440), transcribed);
    const id = await merge([a, b]);
    const queue = await phone.records.queue(UID, false);
    expect(queue.find((record) => record.id === id)?.hasUnsentParts).toBe(false);
  });

  it('includes edits made while the audio was being joined', async () => {
    const a = await addRecording(1, tone(75, 220));
    const b = await addRecording(2, tone(50, 440));
    const value = { id: 'n', time: 1, text: 'Late.' };
    let edited: Promise<unknown> | undefined;
    const addNote = () => {
      edited ??= phone.changes.edit(UID, {
        type: 'recording.note',
        recording: b,
        note: 'n',
        value,
      });
    };
    const id = await phone.merger.merge(UID, [a, b], addNote, neverAborted);
    await edited;
    expect((await detail(id)).notes).toMatchObject([{ time: 2.5, text: 'Late.' }]);
  });

  it('changes nothing if it is canceled, if the disk is full, or if the result would exceed a limit', async () => {
    const a = await addRecording(1, tone(75, 220), { server_id: 's1' });
    const b = await addRecording(2, tone(50, 440), { server_id: 's2' });
    const files = (await readdir(folder)).sort();
    const isUnchanged = async () => {
      expect((await readdir(folder)).sort()).toEqual(files);
      expect((await loadRemaining()).sort()).toEqual([a, b].sort());
      expect(await phone.changes.pendingCount(UID)).toBe(tags);
    };
    let tags = 0;
    const stop = new AbortController();
    const canceled = phone.merger.merge(UID, [a, b], () => stop.abort(), stop.signal);
    await expect(canceled).rejects.toMatchObject({ name: 'AbortError' });
    await isUnchanged();
    phone.database.isFull = true;
    await expect(merge([a, b])).rejects.toBeInstanceOf(StorageFull);
    phone.database.isFull = false;
    await isUnchanged();
    for (const [n, recording] of [a, b].entries()) {
      for (let tag = 0; tag < 30; tag++) {
        const edit = { type: 'recording.tag', recording, tag: `${n} ${tag}`, on: true } as const;
        await phone.changes.edit(UID, edit);
        tags += 1;
      }
    }
    await expect(merge([a, b])).rejects.toMatchObject({ obstacle: { code: 'limit_exceeded' } });
    await isUnchanged();
  });
});

describe('continued recordings', () => {
  const waitingIds = new Set<string>();
  let continuations: Continuations;
  let merged: { parts: readonly string[]; id: string }[];
  /** Recordings whose audio must be kept. */
  let neededParts: readonly string[];
  beforeEach(() => {
    waitingIds.clear();
    merged = [];
    const { records, merger, errors } = phone;
    continuations = new Continuations({
      ...{ records, merger },
      awaitsTranscript: ({ id }) => waitingIds.has(id),
      onWaiting: (ids) => {
        neededParts = ids;
      },
      onMerged: (parts, id) => merged.push({ parts, id }),
      onError: (error) => void errors.push(error),
    });
    records.subscribe(continuations.check);
  });
  afterEach(() => continuations.stop());

  it('are merged with the earlier recording once both have a transcript', async () => {
    const a = await addRecording(1, tone(75, 220), transcribed);
    const b = await addRecording(2, tone(50, 440), { continues: a });
    waitingIds.add(b);
    continuations.start(UID);
    const c = await addRecording(3, tone(25, 330), { continues: b });
    waitingIds.add(c);
    await waitUntil('the second pair is checked', () => neededParts.length === 4);
    expect([merged, new Set(neededParts)]).toEqual([[], new Set([a, b, c])]);
    waitingIds.delete(b);
    await phone.records.update(b, transcribed);
    await waitUntil('the first merge is done', () => merged.length === 1);
    expect(merged[0]?.parts).toEqual([a, b]);
    // The third recording now continues the merged one.
    waitingIds.clear();
    await phone.records.update(merged[0]?.id ?? '', { ...transcribed, mergedFrom: null });
    await phone.records.update(c, transcribed);
    await waitUntil('the second merge is done', () => merged.length === 2);
    expect(merged[1]?.parts).toEqual([merged[0]?.id, c]);
    expect(await loadRemaining()).toEqual([merged[1]?.id]);
    expect(await readPackets(merged[1]?.id ?? '')).toHaveLength(150 * PACKET_BYTES);
  });

  it('are merged after a restart, and without transcripts if nothing is transcribed', async () => {
    const a = await addRecording(1, tone(75, 220));
    const b = await addRecording(2, tone(50, 440), { continues: a });
    continuations.start(UID);
    await waitUntil('the merge is done', () => merged.length === 1);
    expect(merged[0]?.parts).toEqual([a, b]);
    // Undoing the merge separates them again.
    await phone.changes.editAll(UID, [
      { type: 'recording.bin', recording: merged[0]?.id ?? '' },
      { type: 'recording.recover', recording: a },
      { type: 'recording.recover', recording: b },
    ]);
    const c = await addRecording(3, tone(50, 440));
    const d = await addRecording(4, tone(50, 440), { continues: c });
    await waitUntil('the other merge is done', () => merged.length === 2);
    expect(merged[1]?.parts).toEqual([c, d]);
    expect((await loadRemaining()).sort()).toEqual([a, b, merged[1]?.id].sort());
  });

  it('stay separate if the earlier one was deleted, or if only one has a transcript', async () => {
    const a = await addRecording(1, tone(75, 220), transcribed);
    await addRecording(2, tone(50, 440), { continues: a });
    const deleted = await addRecording(3, tone(50, 440));
    const d = await addRecording(4, tone(50, 440), { continues: deleted });
    await phone.changes.edit(UID, { type: 'recording.bin', recording: deleted });
    const e = await addRecording(5, tone(50, 440));
    const f = await addRecording(6, tone(50, 440), { continues: e });
    continuations.start(UID);
    await waitUntil('the only possible merge is done', () => merged.length === 1);
    expect(merged[0]?.parts).toEqual([e, f]);
    expect(await loadRemaining()).toContain(d);
  });
});
