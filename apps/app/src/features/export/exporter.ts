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
      const spoken = selectSpoken(record, choice, locale.t);
      return render(spoken, record.task?.language ?? null);
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

function toFailure(error: unknown, title: string): ExportFailure {
  // The deleted recording's title is unknown; `title` may belong to an earlier recording.
  if (error instanceof RecordingDeleted) return { title: '', code: 'gone' };
  if (error instanceof AudioUnavailable) {
    const { code, failure } = error;
    return { title, code, ...(failure && { failure }) };
  }
  if (error instanceof AudioStoreError) return { title, code: error.code };
  const isFull = error instanceof DOMException && error.name === 'QuotaExceededError';
  return { title, code: isFull ? 'storage_full' : 'io_failed' };
}

/** Failures that omit a recording's audio from an archive but don't stop its creation. */
const missingAudioCodes = ['no_sound', 'offline', 'refused', 'not_audio'] as const;
const toMissingAudioCode = (code: string) => missingAudioCodes.find((each) => each === code);

/** Creates the text file that lists the audio missing from an archive, with the reasons. */
function createMissingList(missing: readonly ExportFailure[]): Blob {
  const { t, language } = interfaceLanguage();
  const lines = missing.flatMap(({ title, code: failureCode }) => {
    const code = toMissingAudioCode(failureCode);
    if (!code) return [];
    const reason = t(`export.failed.${code}.what`, { title });
    return [joinSentences([reason, t(`export.failed.${code}.means`)], language)];
  });
  return new Blob([`${lines.join('\n\n')}\n`], { type: mimeTypes.txt });
}

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
      if (!(error instanceof AudioUnavailable || error instanceof RecordingDeleted)) onError(error);
      return { ok: false, failure: toFailure(error, title) };
    }
  }

  /** Yields a recording's files. Each file is created only when it is requested. */
  async function* createFiles(
    record: RecordDetail,
    choice: ExportChoice,
    onStep: (step: ExportProgress['step'], fraction: number) => void,
    signal: AbortSignal,
  ): AsyncGenerator<{ blob: Blob; ext: string }> {
    if (choice.what !== 'sound') {
      onStep('writing', 0);
      yield { blob: await createTextFile(record, choice), ext: choice.text };
    }
    if (choice.what !== 'text') {
      const requested = { format: choice.sound, version: choice.version };
      const file = await findAudio(record, requested, { onProgress: onStep, signal });
      const { addTags } = await import('./audio-tags.ts');
      yield { blob: await addTags(file, getTitle(record), record, choice), ext: choice.sound };
    }
    onStep('writing', 1);
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
          for await (const { blob, ext } of createFiles(record, choice, progress(0), signal)) {
            signal.throwIfAborted();
            const name = uniqueName(baseName(getTitle(record), record.create_date), `.${ext}`);
            return { file: new File([blob], name, { type: blob.type }), missing: [] };
          }
        }
        const missing: ExportFailure[] = [];
        let lastError: unknown = null;
        let fileCount = 0;
        async function* entries() {
          for (const [index, id] of ids.entries()) {
            const record = await read(id);
            onRecord(record);
            const base = baseName(getTitle(record), record.create_date);
            const folder = choice.folders ? uniqueName(base, '') : null;
            try {
              for await (const { blob, ext } of createFiles(
                record,
                choice,
                progress(index),
                signal,
              )) {
                const name =
                  folder === null
                    ? uniqueName(base, `.${ext}`)
                    : pathInFolder(folder, base, `.${ext}`);
                fileCount += 1;
                yield { name, input: blob, lastModified: new Date(record.create_date) };
              }
            } catch (error) {
              signal.throwIfAborted();
              const failure = toFailure(error, getTitle(record));
              if (!toMissingAudioCode(failure.code)) throw error;
              missing.push(failure);
              lastError = error;
            }
          }
          if (missing.length === 0) return;
          // Fail if the archive would contain only the list of missing audio.
          if (fileCount === 0) throw lastError;
          const name = uniqueName(interfaceLanguage().t('export.missingName'), '.txt');
          yield { name, input: createMissingList(missing), lastModified: new Date() };
        }
        const { createZip } = await import('./zip.ts');
        const zip = await createZip(entries(), signal);
        const single = ids.length === 1 && firstId !== undefined ? await read(firstId) : null;
        const name = single
          ? baseName(getTitle(single), single.create_date)
          : baseName(interfaceLanguage().t('app.name'), new Date().toISOString());
        const file = new File([zip], createUniqueNames()(name, '.zip'), { type: zip.type });
        return { file, missing };
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
          title ||= baseName(getTitle(record), record.create_date);
          pages.push(renderHtml(createTextDocument(record, choice, interfaceLanguage())));
        }
        const direction = i18next.dir() === 'rtl' ? 'rtl' : 'ltr';
        await printHtml(title, pages.join(''), direction);
        return null;
      }),
  };
}
