import { AudioStoreError, type RecordDetail, type RecordStore } from '@linnet/sync';
import i18next from 'i18next';
import { joinSentences } from '../../i18n/joined.ts';
import { nameOf } from '../../i18n/record-name.ts';
import type {
  ExportChoice,
  ExportFailure,
  ExportProgress,
  ExportService,
  TextFormat,
} from '../../ports/exports.ts';
import type { Outcome } from '../../ports/store.ts';
import { baseName, uniqueNames } from './file-name.ts';
import { AudioUnavailable, createSoundExport, type SoundOptions } from './sound.ts';
import { spokenIn } from './spoken.ts';
import { partsOf, textDocument } from './text-document.ts';

export type MakerOptions = SoundOptions & {
  readonly records: Pick<RecordStore, 'detail'>;
  /** The signed-in account, or null. */
  readonly uid: () => string | null;
  readonly onError: (error: unknown) => void;
};

/** Maximum paragraphs and characters of a preview. */
const PREVIEW_PARAGRAPHS = 12;
const PREVIEW_CHARACTERS = 900;

const types: Readonly<Record<Exclude<TextFormat, 'pdf'>, string>> = {
  txt: 'text/plain',
  md: 'text/markdown',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  srt: 'application/x-subrip',
  vtt: 'text/vtt',
  json: 'application/json',
};

const interfaceLanguage = () => ({ t: i18next.t, language: i18next.language });
const titleOf = (record: RecordDetail) => nameOf(record, i18next.t, i18next.language);

/** The text of a recording in a plain-text format; null for other formats. */
async function plainText(record: RecordDetail, choice: ExportChoice): Promise<string | null> {
  const words = interfaceLanguage();
  switch (choice.text) {
    case 'txt': {
      const { plainTextOf } = await import('./plain-text.ts');
      return plainTextOf(textDocument(record, choice, words));
    }
    case 'md': {
      const { markdownTextOf } = await import('./markdown.ts');
      return markdownTextOf(textDocument(record, choice, words));
    }
    case 'srt':
    case 'vtt': {
      const { srtOf, vttOf } = await import('./subtitles.ts');
      const spoken = spokenIn(record, choice, words.t);
      return (choice.text === 'srt' ? srtOf : vttOf)(spoken, record.task?.language ?? null);
    }
    case 'json':
      return (await import('./json.ts')).jsonOf(record);
    case 'docx':
    case 'pdf':
      return null;
    default:
      return choice.text satisfies never;
  }
}

/** @throws RangeError for `pdf`, which is printed */
async function textFile(record: RecordDetail, choice: ExportChoice): Promise<Blob> {
  if (choice.text === 'pdf') throw new RangeError('PDF is printed instead.');
  const type = types[choice.text];
  if (choice.text === 'docx') {
    const { docxOf } = await import('./docx.ts');
    const words = interfaceLanguage();
    return docxOf(textDocument(record, choice, words), words.language);
  }
  const text = await plainText(record, choice);
  if (text === null) throw new RangeError(`Unsupported text format: ${choice.text}`);
  return new Blob([text], { type });
}

/** A recording was deleted before or during its export. */
class RecordingDeleted extends Error {
  override readonly name = 'RecordingDeleted';
}

function toFailure(error: unknown, title: string): ExportFailure {
  // `title` belongs to an earlier recording; that of the deleted one is unknown.
  if (error instanceof RecordingDeleted) return { title: '', code: 'gone' };
  if (error instanceof AudioUnavailable) {
    const { code, failure } = error;
    return { title, code, ...(failure && { failure }) };
  }
  if (error instanceof AudioStoreError) return { title, code: error.code };
  const full = error instanceof DOMException && error.name === 'QuotaExceededError';
  return { title, code: full ? 'storage_full' : 'io_failed' };
}

/** Codes with a text that explains why audio is missing. */
const missingCodes = ['no_sound', 'offline', 'refused', 'not_audio'] as const;
const missingCode = (code: string) => missingCodes.find((each) => each === code);

/** A text file that lists the missing audio of an archive. */
function missingText(missing: readonly ExportFailure[]): Blob {
  const { t, language } = interfaceLanguage();
  const lines = missing.flatMap(({ title, code }) => {
    const reason = missingCode(code);
    if (!reason) return [];
    const first = t(`export.failed.${reason}.what`, { title });
    return [joinSentences([first, t(`export.failed.${reason}.means`)], language)];
  });
  return new Blob([`${lines.join('\n\n')}\n`], { type: types.txt });
}

/** The part of the export service that is loaded on demand. */
export type ExportMaker = Pick<ExportService, 'offer' | 'preview' | 'make' | 'print'>;

/** Creates export files of one or more recordings on the phone. */
export function createMaker({ records, uid, onError, ...audio }: MakerOptions): ExportMaker {
  const sound = createSoundExport(audio);

  async function read(id: string): Promise<RecordDetail> {
    const detail = await records.detail(id);
    if (!detail || detail.uid !== uid()) throw new RecordingDeleted(id);
    return detail;
  }

  /** Runs an export and converts its failures. @param run calls its argument with the current recording */
  async function attempt<T>(
    run: (onRecord: (record: RecordDetail) => void) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<Outcome<T, ExportFailure>> {
    let title = '';
    try {
      const data = await run((record) => {
        title = titleOf(record);
      });
      return { ok: true, data };
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof AudioUnavailable || error instanceof RecordingDeleted)) onError(error);
      return { ok: false, failure: toFailure(error, title) };
    }
  }

  /** Creates the files of a recording on demand. @param onStep called at each step */
  async function* filesOf(
    record: RecordDetail,
    choice: ExportChoice,
    onStep: (step: ExportProgress['step'], fraction: number) => void,
    signal: AbortSignal,
  ): AsyncGenerator<{ blob: Blob; ext: string }> {
    if (choice.what !== 'sound') {
      onStep('writing', 0);
      yield { blob: await textFile(record, choice), ext: choice.text };
    }
    if (choice.what !== 'text') {
      const requested = { format: choice.sound, version: choice.version };
      yield {
        blob: await sound(record, requested, { onProgress: onStep, signal }),
        ext: choice.sound,
      };
    }
    onStep('writing', 1);
  }

  return {
    async offer(id) {
      const detail = await records.detail(id);
      if (!detail || detail.uid !== uid()) return null;
      return {
        parts: partsOf(detail),
        marked: detail.content.some(({ is_tag }) => is_tag === 1),
        speakers: detail.content.some(({ speaker }) => speaker !== undefined),
        denoised: detail.local_noise_file !== '',
      };
    },
    async preview(id, choice) {
      const detail = await records.detail(id);
      if (!detail || detail.uid !== uid()) return null;
      const chosen = detail.content.filter(({ is_tag }) => !choice.marked || is_tag === 1);
      const excerpt = { ...detail, content: chosen.slice(0, PREVIEW_PARAGRAPHS) };
      const text = await plainText(excerpt, choice);
      return text?.slice(0, PREVIEW_CHARACTERS).toWellFormed() ?? null;
    },

    make: (ids, choice, onProgress, signal) =>
      attempt(async (onRecord) => {
        const progress = (index: number) => (step: ExportProgress['step'], fraction: number) =>
          onProgress({
            ...{ step, number: index + 1, of: ids.length },
            fraction: (index + fraction) / ids.length,
          });
        const uniqueName = uniqueNames();
        const [only] = ids;
        if (ids.length === 1 && only !== undefined && choice.what !== 'both') {
          const record = await read(only);
          onRecord(record);
          for await (const { blob, ext } of filesOf(record, choice, progress(0), signal)) {
            signal.throwIfAborted();
            const name = uniqueName(baseName(titleOf(record), record.create_date), `.${ext}`);
            return { file: new File([blob], name, { type: blob.type }), missing: [] };
          }
        }
        const missing: ExportFailure[] = [];
        let last: unknown = null;
        let fileCount = 0;
        async function* entries() {
          for (const [index, id] of ids.entries()) {
            const record = await read(id);
            onRecord(record);
            const base = baseName(titleOf(record), record.create_date);
            const folder = choice.folders ? uniqueName(base, '') : null;
            try {
              for await (const { blob, ext } of filesOf(record, choice, progress(index), signal)) {
                const name =
                  folder === null ? uniqueName(base, `.${ext}`) : `${folder}/${base}.${ext}`;
                fileCount += 1;
                yield { name, input: blob, lastModified: new Date(record.create_date) };
              }
            } catch (error) {
              signal.throwIfAborted();
              const failure = toFailure(error, titleOf(record));
              if (!missingCode(failure.code)) throw error;
              missing.push(failure);
              last = error;
            }
          }
          if (missing.length === 0) return;
          // An archive without content is a failure.
          if (fileCount === 0) throw last;
          const name = uniqueName(interfaceLanguage().t('export.missingName'), '.txt');
          yield { name, input: missingText(missing), lastModified: new Date() };
        }
        const { zipOf } = await import('./zip.ts');
        const zip = await zipOf(entries(), signal);
        const single = ids.length === 1 && only !== undefined ? await read(only) : null;
        const name = single
          ? baseName(titleOf(single), single.create_date)
          : baseName(interfaceLanguage().t('app.name'), new Date().toISOString());
        const file = new File([zip], uniqueNames()(name, '.zip'), { type: zip.type });
        return { file, missing };
      }, signal),

    print: (ids, choice) =>
      attempt(async (onRecord) => {
        const [{ htmlOf }, { printHtml }] = await Promise.all([
          import('./html.ts'),
          import('./print.ts'),
        ]);
        const pages: string[] = [];
        let title = '';
        for (const id of ids) {
          const record = await read(id);
          onRecord(record);
          title ||= baseName(titleOf(record), record.create_date);
          pages.push(htmlOf(textDocument(record, choice, interfaceLanguage())));
        }
        const direction = i18next.dir() === 'rtl' ? 'rtl' : 'ltr';
        await printHtml(title, pages.join(''), direction);
        return null;
      }),
  };
}
