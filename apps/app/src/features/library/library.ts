/** The signed-in account's recordings: live reads from the on-device database, edits and requests. */
import { merged } from '@linnet/base';
import type { Edit } from '@linnet/contract/operations';
import {
  type ChangeStore,
  type CloudDownloads,
  type CloudSync,
  downloadCandidate,
  isNew,
  isTrans,
  type Movement,
  type ProgressBoard,
  type RecordStore,
  type RecordSummary,
} from '@linnet/sync';
import type { LibraryService, WithMovement } from '../../ports/library.ts';
import { combineStores, live } from '../../stores.ts';

export type LibraryOptions = {
  readonly records: RecordStore;
  readonly changes: ChangeStore;
  readonly progress: ProgressBoard;
  /** The signed-in account, or null. */
  readonly uid: () => string | null;
  /** Subscribes to changes to {@link uid}. */
  readonly onUser: (listener: () => void) => () => void;
  /** Returns the engine that uploads and transcribes, or null while signed out. */
  readonly cloud: () => CloudSync | null;
  readonly summarize: LibraryService['summarize'];
  readonly transcribeRange: LibraryService['transcribeRange'];
  readonly cancelTranscription: LibraryService['cancelTranscription'];
  readonly versions: LibraryService['versions'];
  readonly findAudio: LibraryService['audio'];
  readonly poll: LibraryService['refresh'];
  /** Retries the transfer of a recorder's session after a failure. */
  readonly refetch: (id: string) => void;
  /** Returns the engine that downloads from the cloud, or null while signed out. */
  readonly downloads: () => CloudDownloads | null;
  readonly onError: (error: unknown) => void;
};

/** Adds the running operation to each row that has one. All other rows keep their identity and aren't re-rendered. */
function withMovement(
  rows: readonly RecordSummary[],
  movements: ReadonlyMap<string, Movement>,
): readonly (RecordSummary & WithMovement)[] {
  if (movements.size === 0) return rows;
  return rows.map((row) => {
    const movement = movements.get(row.id);
    return movement ? { ...row, movement } : row;
  });
}

export function createLibrary(options: LibraryOptions): LibraryService {
  const { records, changes, progress, uid, onUser, cloud } = options;
  const { summarize, versions, findAudio, refetch, onError } = options;
  const watch = merged(records, { subscribe: onUser });

  /**
   * Applies an edit.
   * @returns false if the recording was deleted or the user signed out
   */
  async function edit(change: Edit): Promise<boolean> {
    const owner = uid();
    return owner !== null && (await changes.edit(owner, change));
  }

  async function editAll(edits: readonly Edit[]): Promise<void> {
    const owner = uid();
    if (owner !== null) await changes.editAll(owner, edits);
  }

  const editRecordings = (ids: readonly string[], type: 'bin' | 'recover' | 'delete') =>
    editAll(ids.map((recording) => ({ type: `recording.${type}`, recording })));

  return {
    bin: live(
      async () => {
        const owner = uid();
        return owner === null ? [] : records.binned(owner);
      },
      watch,
      onError,
      uid,
    ),
    records: combineStores(
      live(
        async () => {
          const owner = uid();
          return owner === null ? [] : records.summaries(owner);
        },
        watch,
        onError,
        uid,
      ),
      progress,
      withMovement,
    ),
    record: (id) =>
      combineStores(
        live(
          async () => {
            const detail = await records.detail(id);
            return detail && detail.uid === uid() ? detail : null;
          },
          watch,
          onError,
          uid,
        ),
        progress,
        (detail, movements) => {
          const movement = movements.get(id);
          return detail && movement ? { ...detail, movement } : detail;
        },
      ),
    edit,
    async speakerNames() {
      const owner = uid();
      return owner === null ? [] : records.speakerNames(owner);
    },
    markRead: (id) => records.update(id, { is_new: isNew.read }),
    async rename(id, name) {
      await edit({ type: 'recording.rename', recording: id, name });
    },
    async setLanguage(id, language) {
      await edit({ type: 'recording.language', recording: id, language });
      cloud()?.wake();
    },
    editAll,
    archive: (ids, isOn) =>
      editAll(ids.map((recording) => ({ type: 'recording.archive', recording, on: isOn }))),
    protect: (ids, isOn) =>
      editAll(ids.map((recording) => ({ type: 'recording.protect', recording, on: isOn }))),
    moveToBin: (ids) => editRecordings(ids, 'bin'),
    async restore(ids) {
      await editRecordings(ids, 'recover');
      cloud()?.wake();
    },
    async deletePermanently(ids) {
      const owner = uid();
      if (owner === null) return;
      // Another phone may have restored some of the recordings while the user was confirming the deletion.
      const binned = new Set((await records.binned(owner)).map(({ id }) => id));
      // The server still has to copy the transcripts of merged recordings.
      const neededIds = new Set(
        (await records.queue(owner, false)).flatMap(({ mergedFrom }) =>
          (mergedFrom ?? []).map((part) => part.client_flag),
        ),
      );
      const deletable = ids.filter((id) => binned.has(id) && !neededIds.has(id));
      await editRecordings(deletable, 'delete');
    },
    rejectedEdits: live(
      async () => {
        const owner = uid();
        return owner === null ? [] : changes.rejectedEdits(owner);
      },
      merged(changes, { subscribe: onUser }),
      onError,
      uid,
    ),
    async dismissRejectedEdits(opIds) {
      const owner = uid();
      if (owner !== null) await changes.dismiss(owner, opIds);
    },
    refresh: options.poll,
    async retry(id) {
      const detail = await records.detail(id);
      if (!detail?.problem) return;
      await records.update(id, {
        problem: null,
        // A failed task must be requested again. A rejected request is still stored, and is sent again unchanged.
        ...(detail.problem.code === 'failed' &&
          detail.task && {
            is_trans: isTrans.untranslated,
            requestedLanguage: detail.task.language,
          }),
      });
      if (detail.problem.step === 'fetch') {
        if (downloadCandidate(detail)) options.downloads()?.request(id);
        else refetch(id);
      }
      cloud()?.wake();
    },
    async transcribe(id, language, version = 'original') {
      const detail = await records.detail(id);
      await records.update(id, {
        problem: null,
        ...(detail?.is_trans === isTrans.failed && { is_trans: isTrans.untranslated }),
        requestedLanguage: language,
        requestedAudio: version,
      });
      cloud()?.wake();
    },
    async download(id) {
      await records.update(id, { phoneRetention: 'always', problem: null });
      options.downloads()?.request(id);
    },
    async cancelDownload(id) {
      await records.update(id, { phoneRetention: 'never' });
      await options.downloads()?.cancel(id);
    },
    cancelRequest: (id) => records.update(id, { problem: null, requestedLanguage: null }),
    summarize,
    transcribeRange: options.transcribeRange,
    cancelTranscription: options.cancelTranscription,
    versions,
    audio: findAudio,
  };
}
