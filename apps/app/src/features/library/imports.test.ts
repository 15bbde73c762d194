import { createHash } from 'node:crypto';
import { waveHeader } from '@linnet/audio/wave';
import { fileRecordingId } from '@linnet/contract/file-identity';
import {
  AudioStoreError,
  type Copies,
  FileImporter,
  type FileImporterOptions,
  isImportId,
  type RecordWork,
  recordingId,
  StorageFull,
} from '@linnet/sync';
import { describe, expect, it, vi } from 'vitest';
import { createImportConfirmation } from './import-confirmation.ts';
import { createImports } from './imports.ts';

const finishedAudio = {
  sha256: 'ab'.repeat(32),
  bytes: 160,
  seconds: 1,
  peaks: new Uint8Array(),
  localfile: 'x.wav',
};

type Parts = Pick<FileImporterOptions, 'audio'> & {
  readonly records: Omit<FileImporterOptions['records'], 'update'> &
    Partial<FileImporterOptions['records']>;
  readonly audioProcessor?: Partial<FileImporterOptions['audioProcessor']>;
  readonly findDate?: FileImporterOptions['findDate'];
  readonly balance?: { readonly remainingMinutes: number | null } | null;
  readonly onStored?: () => void;
  readonly onError?: (error: unknown) => void;
};

/** Creates an account's import service with the given stores. A file's digest is the digest of its text. */
function startImports({ records, audio, audioProcessor = {}, balance = null, ...options }: Parts) {
  const { onStored = () => {}, onError = (error) => expect.fail(String(error)) } = options;
  const importer = new FileImporter({
    records: { update: () => expect.fail('a record was updated'), ...records },
    audio,
    audioProcessor: {
      async digest(file) {
        const sha256 = createHash('sha256')
          .update(await file.text())
          .digest('hex');
        return { size: file.size, sha256, audioSha256: sha256 };
      },
      convert: async () => ({ kind: 'wave' }),
      keepOriginal: async () => {},
      list: async () => ({ packets: [], denoised: [] }),
      ...audioProcessor,
    },
    isDecodable: (kind) => kind === 'wave',
    findDate: options.findDate ?? (async () => null),
    onError,
  });
  const confirmation = createImportConfirmation(() => balance);
  const imports = createImports({
    importer,
    confirmation,
    uid: () => 'owner',
    onStored,
    onError,
  });
  return { ...imports, sweep: () => importer.sweep() };
}

it('completes an import even if its packets cannot be deleted', async () => {
  const lockedError = new Error('in use');
  const added: string[] = [];
  const errors: unknown[] = [];
  let storedCount = 0;
  const { service } = startImports({
    records: {
      add: async ({ title }) => void added.push(title),
      work: async () => new Map(),
      tombstones: async () => new Set(),
    },
    audio: {
      finish: async () => finishedAudio,
      discardPackets: () => Promise.reject(lockedError),
      remove: () => expect.fail('the audio was removed'),
    },
    onStored: () => {
      storedCount += 1;
    },
    onError: (error) => errors.push(error),
  });
  await service.add([new File(['sound'], 'Choir.wav')]);
  await vi.waitUntil(
    () => service.state.get().every(({ state }) => state.status === 'failed'),
    60_000,
  );
  expect([service.state.get(), added, errors, storedCount]).toEqual([
    [],
    ['Choir'],
    [lockedError],
    1,
  ]);
});

it.each([
  ['its recording date', async () => new Date('2024-02-29T08:30:00Z'), '2024-02-29T08:30:00.000Z'],
  [
    'its last modification if its recording date is unknown',
    async () => null,
    '2026-01-02T03:04:05.000Z',
  ],
])('dates a file by %s', async (_what, findDate, expected) => {
  const dates: string[] = [];
  const { service } = startImports({
    records: {
      add: async ({ createDate }) => void dates.push(createDate),
      work: async () => new Map(),
      tombstones: async () => new Set(),
    },
    audio: {
      finish: async () => finishedAudio,
      discardPackets: async () => {},
      remove: () => expect.fail('the audio was removed'),
    },
    findDate,
  });
  const lastModified = Date.parse('2026-01-02T03:04:05Z');
  await service.add([new File(['sound'], 'Choir.wav', { lastModified })]);
  await vi.waitUntil(() => dates.length > 0, 60_000);
  expect(dates).toEqual([expected]);
});

/** The ID of the shared file's recording. */
const idOfChoir = fileRecordingId('owner', createHash('sha256').update('sound').digest('hex'));

it('keeps a file unchanged, and uploads its conversion if the server cannot decode it', async () => {
  const added = new Map<string, unknown>();
  const kinds = new Map([
    ['wav', 'wave'],
    ['mp3', 'mp3'],
  ]);
  const { service } = startImports({
    records: {
      add: async ({ title, master }) => void added.set(title, master),
      work: async () => new Map(),
      tombstones: async () => new Set(),
    },
    audio: {
      finish: async () => finishedAudio,
      discardPackets: async () => {},
      remove: async () => {},
    },
    audioProcessor: {
      convert: async (_id, file) => ({ kind: kinds.get(await file.text()) ?? null }),
      keepOriginal: async (_id, file, isMaster) =>
        void added.set(await file.text(), isMaster ? 'original' : 'foreign'),
    },
  });
  await service.add([
    new File(['wav'], 'A.wav'),
    new File(['mp3'], 'B.mp3'),
    new File(['video'], 'C.mp4'),
  ]);
  await vi.waitUntil(() => added.size === 6, 60_000);
  const sha256 = createHash('sha256').update('wav').digest('hex');
  expect(Object.fromEntries(added)).toEqual({
    wav: 'original',
    A: { bytes: 3, sha256 },
    mp3: 'foreign',
    B: { bytes: 160, sha256: finishedAudio.sha256 },
    video: 'foreign',
    C: { bytes: 160, sha256: finishedAudio.sha256 },
  });
});

/** The copies of a recording whose audio isn't stored anywhere. */
const noCopies: Copies = {
  recorder: { status: 'absent' },
  phone: { status: 'absent' },
  cloud: { status: 'absent' },
};
const inCloud: Copies['cloud'] = { status: 'stored', bytes: 5, sha256: null };

it('restores the lost audio of a recording from a picked file', async () => {
  const updates: [string, unknown][] = [];
  const { service } = startImports({
    records: {
      add: () => expect.fail('a record was added'),
      update: async (id, { copies }) => void updates.push([id, copies]),
      work: async ([id]) => new Map([[`${id}`, { copies: noCopies } as RecordWork]]),
      tombstones: async () => new Set(),
    },
    audio: {
      finish: async () => finishedAudio,
      discardPackets: async () => {},
      remove: () => expect.fail('the audio was removed'),
    },
  });
  await service.add([new File(['sound'], 'Choir.wav')]);
  await vi.waitUntil(() => service.state.get().length === 0, 60_000);
  const sha256 = createHash('sha256').update('sound').digest('hex');
  expect(updates).toEqual([[idOfChoir, { phone: { status: 'verified', bytes: 5, sha256 } }]]);
});

it('restores no audio of a recording that is permanently deleted during the import', async () => {
  const removed: string[] = [];
  let deleted: ReadonlySet<string> = new Set();
  const { service } = startImports({
    records: {
      add: () => expect.fail('a record was added'),
      update: async () => {},
      work: async ([id]) => new Map([[`${id}`, { copies: noCopies } as RecordWork]]),
      tombstones: async () => deleted,
    },
    audio: {
      async finish() {
        deleted = new Set([idOfChoir]);
        return finishedAudio;
      },
      discardPackets: async () => {},
      remove: async (id) => void removed.push(id),
    },
  });
  await service.add([new File(['sound'], 'Choir.wav')]);
  await vi.waitUntil(() => removed.length > 0, 60_000);
  expect(removed).toEqual([idOfChoir]);
});

describe('a file shared by another app', () => {
  type Records = Parts['records'];

  /**
   * Creates an import service and adds one shared file.
   * @param records overrides functions of the record store
   * @param leftovers IDs of imports interrupted by a crash
   */
  async function share(
    convert: (signal: AbortSignal) => Promise<void>,
    records: Partial<Records> = {},
    leftovers: readonly string[] = [],
  ) {
    const events: string[] = [];
    const { promise: converting, resolve: onConverting } = Promise.withResolvers<void>();
    const imports = startImports({
      records: {
        add: async () => void events.push('added'),
        work: async () => new Map(),
        tombstones: async () => new Set(),
        ...records,
      },
      audio: {
        finish: async () => finishedAudio,
        discardPackets: async () => {},
        remove: async () => void events.push('removed'),
      },
      audioProcessor: {
        async convert(_id, _file, _onProgress, signal) {
          onConverting();
          if (leftovers.length > 0) events.push('converted');
          await convert(signal);
          return { kind: 'wave' };
        },
        list: async () => ({ packets: leftovers, denoised: [] }),
      },
      onStored: () => events.push('stored'),
    });
    const drop = async () => void events.push('dropped');
    const file = { key: 'choir', file: new File(['sound'], 'Choir.wav'), drop };
    const { promise: added, resolve: onAdded } = Promise.withResolvers<void>();
    imports.service.state.subscribe(onAdded);
    void imports.sweep();
    imports.addShared([file]);
    await added;
    return { imports, events, file, converting };
  }
  const rejectOnAbort = (signal: AbortSignal) =>
    new Promise<void>((_, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });

  it('is dropped after its record has been added', async () => {
    const { imports, events } = await share(async () => {});
    await vi.waitUntil(() => events.includes('dropped'), 60_000);
    expect(events).toEqual(['added', 'stored', 'dropped']);
    expect(imports.service.state.get()).toEqual([]);
  });

  it('is not dropped if storage is full', async () => {
    const { imports, events } = await share(async () => {}, {
      add: () => Promise.reject(new StorageFull('full')),
    });
    const state = () => imports.service.state.get()[0]?.state;
    await vi.waitUntil(() => state()?.status === 'failed', 60_000);
    expect(state()).toEqual({ status: 'failed', code: 'storage_full' });
    expect(events).toEqual(['removed']);
  });

  it('is dropped without an import if the account has its content, and links to the existing recording', async () => {
    const convert = vi.fn(async () => {});
    const work: Records['work'] = async ([id]) =>
      new Map([[`${id}`, { copies: { ...noCopies, cloud: inCloud } } as RecordWork]]);
    const { imports, events } = await share(convert, { work });
    await vi.waitUntil(() => events.length > 0, 60_000);
    expect(events).toEqual(['dropped']);
    expect(convert).not.toHaveBeenCalled();
    const [known] = imports.service.state.get();
    expect(known?.state).toEqual({ status: 'known', recordId: idOfChoir });
    imports.service.cancel(known?.id ?? '');
    expect(imports.service.state.get()).toEqual([]);
  });

  it('keeps its recording id across attempts, and gets a new id after the recording was deleted', async () => {
    const ids: string[] = [];
    const add: Records['add'] = async ({ id }) => void ids.push(id);
    const attempts = [
      {},
      {},
      {
        tombstones: async (all: readonly string[]) => new Set(all.filter((id) => id === idOfChoir)),
      },
    ];
    for (const records of attempts) {
      const { events } = await share(async () => {}, { add, ...records });
      await vi.waitUntil(() => events.includes('dropped'), 60_000);
    }
    expect(ids.slice(0, 2)).toEqual([idOfChoir, idOfChoir]);
    expect(ids[2]).not.toBe(idOfChoir);
    expect(ids.filter(isImportId)).toHaveLength(3);
    expect(isImportId(recordingId('LN01', 1, 1_770_000_000))).toBe(false);
  });

  it('is imported after the leftovers of a crash have been deleted', async () => {
    const { events } = await share(async () => {}, {}, [idOfChoir]);
    await vi.waitUntil(() => events.includes('dropped'), 60_000);
    expect(events).toEqual(['removed', 'converted', 'added', 'stored', 'dropped']);
  });

  it('is imported only once', async () => {
    const { imports, file } = await share(rejectOnAbort);
    imports.addShared([file, { ...file, key: 'another' }]);
    await vi.waitUntil(() => imports.service.state.get().length > 1, 60_000);
    expect(imports.service.state.get()).toHaveLength(2);
  });

  it('is not dropped if the import is stopped or the audio store is full', async () => {
    const stopped = await share(rejectOnAbort);
    await stopped.converting;
    stopped.imports.stop();
    const fullImport = await share(() => Promise.reject(new AudioStoreError('storage_full')));
    await vi.waitUntil(() => stopped.events.length + fullImport.events.length === 2, 60_000);
    expect([stopped.events, fullImport.events]).toEqual([['removed'], ['removed']]);
  });

  it('is shown as failed until the failure is dismissed', async () => {
    const { imports } = await share(rejectOnAbort);
    imports.addFailed(['Rehearsal.mp3']);
    const [, failed] = imports.service.state.get();
    expect(failed).toMatchObject({
      name: 'Rehearsal.mp3',
      state: { status: 'failed', code: 'io_failed' },
    });
    imports.service.cancel(failed?.id ?? '');
    expect(imports.service.state.get()).toHaveLength(1);
  });

  it('is dropped if it is canceled or contains no audio', async () => {
    const { imports, events, converting } = await share(rejectOnAbort);
    await converting;
    const [first] = imports.service.state.get();
    imports.service.cancel(first?.id ?? '');
    await vi.waitUntil(() => events.length === 2, 60_000);
    expect(events).toEqual(['dropped', 'removed']);
    const notAudio = await share(() => Promise.reject(new AudioStoreError('not_audio')));
    await vi.waitUntil(() => notAudio.events.length === 2, 60_000);
    expect(notAudio.events).toEqual(['removed', 'dropped']);
  });
});

describe('an import that would use much of the balance', () => {
  /** Returns a silent WAV file of the given duration. */
  function wav(name: string, minutes: number): File {
    const rate = 8000;
    const bytes = minutes * 60 * rate * 2;
    return new File([waveHeader(bytes / 2, rate), new Uint8Array(bytes)], name);
  }
  function start(balance: { readonly remainingMinutes: number | null } | null) {
    const added: [string, boolean | undefined][] = [];
    const { promise: pendingForever } = Promise.withResolvers<never>();
    const imports = startImports({
      records: {
        add: async ({ title, autoTranscribe }) => void added.push([title, autoTranscribe]),
        work: async () => new Map(),
        tombstones: async () => new Set(),
      },
      audio: {
        finish: async () => finishedAudio,
        discardPackets: async () => {},
        remove: () => pendingForever,
      },
      balance,
    });
    const { service } = imports;
    const openQuestion = () => vi.waitUntil(() => service.question.get(), 60_000);
    const waitUntilAdded = (count: number) => vi.waitUntil(() => added.length === count, 60_000);
    return { imports, service, added, openQuestion, waitUntilAdded };
  }

  it('asks once for all files and transcribes them if confirmed', async () => {
    const { service, added, openQuestion, waitUntilAdded } = start({ remainingMinutes: 25 });
    const adding = service.add([wav('One.wav', 6), wav('Two.wav', 5)]);
    expect(await openQuestion()).toEqual({ files: 2, minutes: 11, remainingMinutes: 25 });
    expect(service.state.get()).toEqual([]);
    service.answer('transcribe');
    expect(await adding).toBe(true);
    await waitUntilAdded(2);
    expect(service.question.get()).toBeNull();
    expect(added).toEqual([
      ['One', true],
      ['Two', true],
    ]);
  });

  it('can be continued without transcription or canceled', async () => {
    const { service, added, openQuestion, waitUntilAdded } = start({ remainingMinutes: null });
    const first = service.add([wav('Only imported.wav', 11)]);
    // The second question opens once the first one has been answered.
    const secondImport = service.add([wav('Canceled.wav', 12)]);
    expect(await openQuestion()).toMatchObject({ minutes: 11 });
    service.answer('import');
    expect(await first).toBe(true);
    expect(await openQuestion()).toMatchObject({ minutes: 12 });
    service.answer('cancel');
    expect(await secondImport).toBe(false);
    await waitUntilAdded(1);
    expect(added).toEqual([['Only imported', false]]);
  });

  it('starts without confirmation if it uses at most ten minutes or no balance', async () => {
    const shortBalance = start({ remainingMinutes: 3 });
    expect(await shortBalance.service.add([wav('Ten minutes.wav', 10)])).toBe(true);
    const freeServer = start(null);
    expect(await freeServer.service.add([wav('More.wav', 11)])).toBe(true);
    await Promise.all([shortBalance.waitUntilAdded(1), freeServer.waitUntilAdded(1)]);
    expect([shortBalance.added, freeServer.added]).toEqual([
      [['Ten minutes', true]],
      [['More', true]],
    ]);
  });

  it('counts the minutes that each file costs, rounded up', async () => {
    const { service, openQuestion } = start({ remainingMinutes: 25 });
    void service.add(Array.from({ length: 11 }, (_, index) => wav(`${index}.wav`, 1 / 6)));
    expect(await openQuestion()).toEqual({ files: 11, minutes: 11, remainingMinutes: 25 });
  });

  it('estimates the duration of a compressed file from its size', async () => {
    const { service, openQuestion } = start({ remainingMinutes: 25 });
    void service.add([new File([new Uint8Array(16_000 * 601)], 'Talk.mp3')]);
    expect(await openQuestion()).toEqual({ files: 1, minutes: 11, remainingMinutes: 25 });
  });

  it('drops shared files if canceled, but not after a sign-out', async () => {
    for (const [end, expected] of [
      ['cancel', ['dropped']],
      ['sign out', []],
    ] as const) {
      const { imports, service, added, openQuestion } = start({ remainingMinutes: 25 });
      const events: string[] = [];
      const drop = async () => void events.push('dropped');
      imports.addShared([{ key: 'a', file: wav('Shared.wav', 11), drop }]);
      await openQuestion();
      if (end === 'cancel') service.answer('cancel');
      else imports.stop();
      await vi.waitUntil(() => service.question.get() === null, 60_000);
      await vi.waitUntil(() => events.length === expected.length, 60_000);
      expect([events, added]).toEqual([expected, []]);
    }
  });
});
