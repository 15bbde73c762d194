/**
 * Creates export files from one or more recordings on the phone: a single file, a zip archive, or a printed page.
 * `exports.ts` loads this module on demand, and this module does the same for each format's code.
 */
import { AudioStoreError, type RecordDetail, type RecordStore } from '@linnet/sync';
import i18next from 'i18next';
import { joinSentences } from '../../i18n/joined.ts';
import { recordingName } from '../../i18n/record-name.ts';
import type {
  ExportChoice,
  ExportFailure,
  ExportProgress,
  ExportService,
  TextFormat,
} from '../../ports/exports.ts';
import type { Outcome } from '../../ports/store.ts';
import { type AudioSourceOptions, AudioUnavailable, createAudioSource } from './audio.ts';
import { baseName, createUniqueNames, pathInFolder } from './file-name.ts';
import { selectSpoken } from './spoken.ts';
import { availableParts, createTextDocument } from './text-document.ts';

export type ExporterOptions = AudioSourceOptions & {
  readonly records: Pick<RecordStore, 'detail'>;
  /** The signed-in account, or null. */
  readonly uid: () => string | null;
  readonly onError: (error: unknown) => void;
};

/** Limits of a preview. */
const PREVIEW_PARAGRAPHS = 12;
const PREVIEW_CHARACTERS = 900;

const mimeTypes: Readonly<Record<Exclude<TextFormat, 'pdf'>, string>> = {
  txt: 'text/plain',
  md: 'text/markdown',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  srt: 'application/x-subrip',
  vtt: 'text/vtt',
  json: 'application/json',
};

const interfaceLanguage = () => ({ t: i18next.t, language: i18next.language });
const getTitle = (record: RecordDetail) => recordingName(record, i18next.t, i18next.language);

/** Renders a recording's text in one of the plain-text formats. Returns null for other formats. */
async function renderText(record: RecordDetail, choice: ExportChoice): Promise<string | null> {
  const locale = interfaceLanguage();
  switch (choice.text) {
    case 'txt': {
      const { renderPlainText } = await import('./plain-text.ts');
      return renderPlainText(createTextDocument(record, choice, locale));
    }
    case 'md': {
      const { renderMarkdown } = await import('./markdown.ts');
      return renderMarkdown(createTextDocument(record, choice, locale));
    }
    case 'srt':
    case 'vtt': {
      const { renderSrt, renderVtt } = await import('./subtitles.ts');
      const render = choice.text === 'srt' ? renderSrt : renderVtt;
      const paragraphs = selectSpoken(record, choice, locale.t);
      return render(paragraphs, record.task?.language ?? null);
    }
    case 'json':
      return (await import('./json.ts')).renderJson(record);
    case 'docx':
    case 'pdf':
      return null;
    default:
      return choice.text satisfies never;
  }
}

/** @throws RangeError for `pdf`, which is printed instead */
async function createTextFile(record: RecordDetail, choice: ExportChoice): Promise<Blob> {
  if (choice.text === 'pdf') throw new RangeError('PDF is printed instead.');
  const type = mimeTypes[choice.text];
  if (choice.text === 'docx') {
    const { createDocx } = await import('./docx.ts');
    const locale = interfaceLanguage();
    return createDocx(createTextDocument(record, choice, locale), locale.language);
  }
  const text = await renderText(record, choice);
  if (text === null) throw new RangeError(`Unsupported text format: ${choice.text}`);
  return new Blob([text], { type });
}

/** Thrown if a recording was deleted before or during its export. */
class RecordingDeleted extends Error {
  override readonly name = 'RecordingDeleted';
}

/** Thrown if this phone hasn't received the transcript of a recording yet. */
class TranscriptArriving extends Error {
  override readonly name = 'TranscriptArriving';
}

/** @throws TranscriptArriving if the recording's text would lack its transcript */
function requireTranscript({ id, transcript }: RecordDetail): void {
  if (transcript === 'arriving') throw new TranscriptArriving(id);
}

/** Returns true for errors that are expected and don't need to be logged. */
const isExpected = (error: unknown) =>
  error instanceof AudioUnavailable ||
  error instanceof RecordingDeleted ||
  error instanceof TranscriptArriving;

function toFailure(error: unknown, title: string): ExportFailure {
  // The deleted recording's title is unknown; `title` may belong to an earlier recording.
  if (error instanceof RecordingDeleted) return { title: '', code: 'gone' };
  if (error instanceof TranscriptArriving) return { title, code: 'transcript_arriving' };
  if (error instanceof AudioUnavailable) {
    const { code, failure } = error;
    return { title, code, ...(failure && { failure }) };
  }
  if (error instanceof AudioStoreError) return { title, code: error.code };
  const isFull = error instanceof DOMException && error.name === 'QuotaExceededError';
  return { title, code: isFull ? 'storage_full' : 'io_failed' };
}

/** Failures that omit a recording's audio or text from an archive but don't stop its creation. */
const missingCodes = [
  'no_sound',
  'offline',
  'refused',
  'not_audio',
  'transcript_arriving',
] as const;
const toMissingCode = (code: string) => missingCodes.find((each) => each === code);

/** Creates the text file that lists the files missing from an archive, with the reasons. */
function createMissingList(failures: readonly ExportFailure[]): Blob {
  const { t, language } = interfaceLanguage();
  const lines = failures.flatMap(({ title, code: failureCode }) => {
    const code = toMissingCode(failureCode);
    if (!code) return [];
    const reason = t(`export.failed.${code}.what`, { title });
    return [joinSentences([reason, t(`export.failed.${code}.means`)], language)];
  });
  return new Blob([`${lines.join('\n\n')}\n`], { type: mimeTypes.txt });
}

/** A file to export. `create` throws the reason why it can't be created. */
type PlannedFile = { readonly ext: string; readonly create: () => Promise<Blob> };

/** The part of the export service that is loaded on demand. */
export type Exporter = Pick<ExportService, 'offer' | 'preview' | 'make' | 'print'>;

export function createExporter({ records, uid, onError, ...audio }: ExporterOptions): Exporter {
  const findAudio = createAudioSource(audio);

  async function read(id: string): Promise<RecordDetail> {
    const detail = await records.detail(id);
    if (!detail || detail.uid !== uid()) throw new RecordingDeleted(id);
    return detail;
  }

  /**
   * Runs an export and converts its errors to failures.
   * @param run must call its argument with each recording before exporting it, so that a failure can include the title
   */
  async function attempt<T>(
    run: (onRecord: (record: RecordDetail) => void) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<Outcome<T, ExportFailure>> {
    let title = '';
    try {
      const data = await run((record) => {
        title = getTitle(record);
      });
      return { ok: true, data };
    } catch (error) {
      signal?.throwIfAborted();
      if (!isExpected(error)) onError(error);
      return { ok: false, failure: toFailure(error, title) };
    }
  }

  /** Returns a recording's files without creating them. */
  function planFiles(
    record: RecordDetail,
    choice: ExportChoice,
    onStep: (step: ExportProgress['step'], fraction: number) => void,
    signal: AbortSignal,
  ): PlannedFile[] {
    const text: PlannedFile = {
      ext: choice.text,
      async create() {
        requireTranscript(record);
        onStep('writing', 0);
        return createTextFile(record, choice);
      },
    };
    const sound: PlannedFile = {
      ext: choice.sound,
      async create() {
        const request = { format: choice.sound, version: choice.version };
        const file = await findAudio(record, request, { onProgress: onStep, signal });
        const { addTags } = await import('./audio-tags.ts');
        return addTags(file, getTitle(record), record, choice);
      },
    };
    return [...(choice.what === 'sound' ? [] : [text]), ...(choice.what === 'text' ? [] : [sound])];
  }

  return {
    async offer(id) {
      const detail = await records.detail(id);
      if (!detail || detail.uid !== uid()) return null;
      return {
        parts: availableParts(detail),
        marked: detail.content.some(({ is_tag }) => is_tag === 1),
        speakers: detail.content.some(({ speaker }) => speaker !== undefined),
        denoised: detail.local_noise_file !== '',
      };
    },
    async preview(id, choice) {
      const detail = await records.detail(id);
      if (!detail || detail.uid !== uid()) return null;
      const paragraphs = detail.content.filter(({ is_tag }) => !choice.marked || is_tag === 1);
      const excerpt = { ...detail, content: paragraphs.slice(0, PREVIEW_PARAGRAPHS) };
      const text = await renderText(excerpt, choice);
      return text?.slice(0, PREVIEW_CHARACTERS).toWellFormed() ?? null;
    },

    make: (ids, choice, onProgress, signal) =>
      attempt(async (onRecord) => {
        const progress = (index: number) => (step: ExportProgress['step'], fraction: number) =>
          onProgress({
            step,
            number: index + 1,
            of: ids.length,
            fraction: (index + fraction) / ids.length,
          });
        const uniqueName = createUniqueNames();
        const [firstId] = ids;
        if (ids.length === 1 && firstId !== undefined && choice.what !== 'both') {
          const record = await read(firstId);
          onRecord(record);
          const [file] = planFiles(record, choice, progress(0), signal);
          if (file) {
            const blob = await file.create();
            signal.throwIfAborted();
            const name = uniqueName(baseName(getTitle(record), record.create_date), `.${file.ext}`);
            return { file: new File([blob], name, { type: blob.type }), missing: [] };
          }
        }
        const missingFiles: ExportFailure[] = [];
        let lastError: unknown = null;
        let fileCount = 0;
        async function* entries() {
          for (const [index, id] of ids.entries()) {
            const record = await read(id);
            onRecord(record);
            const base = baseName(getTitle(record), record.create_date);
            const folder = choice.folders ? uniqueName(base, '') : null;
            for (const { ext, create } of planFiles(record, choice, progress(index), signal)) {
              let input: Blob;
              try {
                input = await create();
              } catch (error) {
                signal.throwIfAborted();
                const failure = toFailure(error, getTitle(record));
                if (!toMissingCode(failure.code)) throw error;
                missingFiles.push(failure);
                lastError = error;
                continue;
              }
              const name =
                folder === null
                  ? uniqueName(base, `.${ext}`)
                  : pathInFolder(folder, base, `.${ext}`);
              fileCount += 1;
              yield { name, input, lastModified: new Date(record.create_date) };
            }
            progress(index)('writing', 1);
          }
          if (missingFiles.length === 0) return;
          // Fail if the archive would contain only the list of missing files.
          if (fileCount === 0) throw lastError;
          const name = uniqueName(interfaceLanguage().t('export.missingName'), '.txt');
          yield { name, input: createMissingList(missingFiles), lastModified: new Date() };
        }
        const { createZip } = await import('./zip.ts');
        const zip = await createZip(entries(), signal);
        const single = ids.length === 1 && firstId !== undefined ? await read(firstId) : null;
        const name = single
          ? baseName(getTitle(single), single.create_date)
          : baseName(interfaceLanguage().t('app.name'), new Date().toISOString());
        const file = new File([zip], createUniqueNames()(name, '.zip'), { type: zip.type });
        return { file, missing: missingFiles };
      }, signal),

    print: (ids, choice) =>
      attempt(async (onRecord) => {
        const [{ renderHtml }, { printHtml }] = await Promise.all([
          import('./html.ts'),
          import('./print.ts'),
        ]);
        const pages: string[] = [];
        let title = '';
        for (const id of ids) {
          const record = await read(id);
          onRecord(record);
          requireTranscript(record);
          title ||= baseName(getTitle(record), record.create_date);
          pages.push(renderHtml(createTextDocument(record, choice, interfaceLanguage())));
        }
        const direction = i18next.dir() === 'rtl' ? 'rtl' : 'ltr';
        await printHtml(title, pages.join(''), direction);
        return null;
      }),
  };
}
