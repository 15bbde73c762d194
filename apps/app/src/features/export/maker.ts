import { AudioStoreError, type RecordDetail, type RecordStore } from '@linnet/sync';
import i18next from 'i18next';
import { inARow } from '../../i18n/joined.ts';
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
import { createSoundExport, NoSound, type SoundOptions } from './sound.ts';
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

const interfaceNow = () => ({ t: i18next.t, language: i18next.language });
const titleOf = (record: RecordDetail) => nameOf(record, i18next.t, i18next.language);

/** The text of a recording in a plain-text format; null for other formats. */
async function writtenText(record: RecordDetail, choice: ExportChoice): Promise<string | null> {
  const words = interfaceNow();
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
  if (choice.text === 'pdf') throw new RangeError('PDF is printed, not written');
  const type = types[choice.text];
  if (choice.text === 'docx') {
    const { docxOf } = await import('./docx.ts');
    const words = interfaceNow();
    return docxOf(textDocument(record, choice, words), words.language);
  }
  const text = await writtenText(record, choice);
  if (text === null) throw new RangeError(`no text for ${choice.text}`);
  return new Blob([text], { type });
}

/** A recording to be exported was deleted meanwhile. */
class Gone extends Error {
  override readonly name = 'Gone';
}

function failureOf(error: unknown, title: string): ExportFailure {
  // The name of a deleted recording is unknown; `title` is that of an earlier one.
  if (error instanceof Gone) return { title: '', code: 'gone' };
  if (error instanceof NoSound) {
    const { code, failure } = error;
    return { title, code, ...(failure && { failure }) };
  }
  if (error instanceof AudioStoreError) return { title, code: error.code };
  const full = error instanceof DOMException && error.name === 'QuotaExceededError';
  return { title, code: full ? 'storage_full' : 'io_failed' };
}

/** Codes with a text that explains why audio is missing. */
const missingCodes = ['no_sound', 'offline', 'refused', 'not_audio'] as const;
const whyMissing = (code: string) => missingCodes.find((each) => each === code);

/** A text file that lists what is missing from an archive. */
function missingText(missing: readonly ExportFailure[]): Blob {
  const { t, language } = interfaceNow();
  const lines = missing.flatMap(({ title, code }) => {
    const why = whyMissing(code);
    if (!why) return [];
    const first = t(`export.failed.${why}.what`, { title });
    return [inARow([first, t(`export.failed.${why}.means`)], language)];
  });
  return new Blob([`${lines.join('\n\n')}\n`], { type: types.txt });
}

/** The part of the service that is loaded on demand. */
export type ExportMaker = Pick<ExportService, 'offer' | 'preview' | 'make' | 'print'>;

/** Makes export files of one or several recordings, entirely on the phone. */
export function createMaker({ records, uid, onError, ...audio }: MakerOptions): ExportMaker {
  const sound = createSoundExport(audio);

  async function read(id: string): Promise<RecordDetail> {
    const detail = await records.detail(id);
    if (!detail || detail.uid !== uid()) throw new Gone(id);
    return detail;
  }

  /** Runs an export and converts its failures. @param about called with the current recording */
  async function attempt<T>(
    run: (about: (record: RecordDetail) => void) => Promise<T>,
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
      if (!(error instanceof NoSound || error instanceof Gone)) onError(error);
      return { ok: false, failure: failureOf(error, title) };
    }
  }

  /** The files of a recording, each made on demand. @param reached called at each step */
  async function* filesOf(
    record: RecordDetail,
    choice: ExportChoice,
    reached: (step: ExportProgress['step'], fraction: number) => void,
    signal: AbortSignal,
  ): AsyncGenerator<{ blob: Blob; ext: string }> {
    if (choice.what !== 'sound') {
      reached('writing', 0);
      yield { blob: await textFile(record, choice), ext: choice.text };
    }
    if (choice.what !== 'text') {
      const requested = { format: choice.sound, version: choice.version };
      yield {
        blob: await sound(record, requested, { onProgress: reached, signal }),
        ext: choice.sound,
      };
    }
    reached('writing', 1);
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
      const few = { ...detail, content: chosen.slice(0, PREVIEW_PARAGRAPHS) };
      const text = await writtenText(few, choice);
      return text?.slice(0, PREVIEW_CHARACTERS).toWellFormed() ?? null;
    },

    make: (ids, choice, onProgress, signal) =>
      attempt(async (about) => {
        const progress = (index: number) => (step: ExportProgress['step'], fraction: number) =>
          onProgress({
            ...{ step, number: index + 1, of: ids.length },
            fraction: (index + fraction) / ids.length,
          });
        const named = uniqueNames();
        const [only] = ids;
        if (ids.length === 1 && only !== undefined && choice.what !== 'both') {
          const record = await read(only);
          about(record);
          for await (const { blob, ext } of filesOf(record, choice, progress(0), signal)) {
            signal.throwIfAborted();
            const name = named(baseName(titleOf(record), record.create_date), `.${ext}`);
            return { file: new File([blob], name, { type: blob.type }), missing: [] };
          }
        }
        const missing: ExportFailure[] = [];
        let last: unknown = null;
        let whole = 0;
        async function* entries() {
          for (const [index, id] of ids.entries()) {
            const record = await read(id);
            about(record);
            const base = baseName(titleOf(record), record.create_date);
            const folder = choice.folders ? named(base, '') : null;
            try {
              for await (const { blob, ext } of filesOf(record, choice, progress(index), signal)) {
                const name = folder === null ? named(base, `.${ext}`) : `${folder}/${base}.${ext}`;
                whole += 1;
                yield { name, input: blob, lastModified: new Date(record.create_date) };
              }
            } catch (error) {
              signal.throwIfAborted();
              const failure = failureOf(error, titleOf(record));
              if (!whyMissing(failure.code)) throw error;
              missing.push(failure);
              last = error;
            }
          }
          if (missing.length === 0) return;
          // An archive without content would be useless.
          if (whole === 0) throw last;
          const name = named(interfaceNow().t('export.missingName'), '.txt');
          yield { name, input: missingText(missing), lastModified: new Date() };
        }
        const { zipOf } = await import('./zip.ts');
        const zip = await zipOf(entries(), signal);
        const alone = ids.length === 1 && only !== undefined ? await read(only) : null;
        const name = alone
          ? baseName(titleOf(alone), alone.create_date)
          : baseName(interfaceNow().t('app.name'), new Date().toISOString());
        const file = new File([zip], uniqueNames()(name, '.zip'), { type: zip.type });
        return { file, missing };
      }, signal),

    print: (ids, choice) =>
      attempt(async (about) => {
        const [{ htmlOf }, { printHtml }] = await Promise.all([
          import('./html.ts'),
          import('./print.ts'),
        ]);
        const pages: string[] = [];
        let title = '';
        for (const id of ids) {
          const record = await read(id);
          about(record);
          title ||= baseName(titleOf(record), record.create_date);
          pages.push(htmlOf(textDocument(record, choice, interfaceNow())));
        }
        const direction = i18next.dir() === 'rtl' ? 'rtl' : 'ltr';
        await printHtml(title, pages.join(''), direction);
        return null;
      }),
  };
}
