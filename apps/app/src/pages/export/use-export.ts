import { useEffect, useRef, useState } from 'react';
import { formatCount } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { joinSentences } from '../../i18n/joined.ts';
import { useChangeSetting } from '../../page-kit/saving.ts';
import { useServices, useStore } from '../../page-kit/services-context.ts';
import type {
  ExportChoice,
  ExportedFile,
  ExportFailure,
  ExportProgress,
} from '../../ports/exports.ts';
import type { Outcome } from '../../ports/store.ts';
import { useToast } from '../../ui/toast.tsx';
import { choiceKey, exportGroup, readLastChoice } from './remembered-choice.ts';

/** An export's state. */
export type ExportWork =
  | { readonly status: 'idle' }
  | { readonly status: 'working'; readonly progress: ExportProgress | null }
  /** The export outlasted the browser's user activation, so sharing needs another tap. */
  | { readonly status: 'ready'; readonly exported: ExportedFile }
  | { readonly status: 'failed'; readonly failure: ExportFailure };

/** Returns the last choice and a function to change it. The choice is null until the settings are loaded. */
export function useExportChoice() {
  const { settings } = useServices();
  const changeSetting = useChangeSetting();
  const storedSettings = useStore(settings.all);
  // Show a new choice immediately, before the setting is saved.
  const [chosen, setChosen] = useState<ExportChoice | null>(null);
  const choice =
    chosen ?? (storedSettings.status === 'ready' ? readLastChoice(storedSettings.value) : null);
  function choose(changes: Partial<ExportChoice>): void {
    if (!choice) return;
    const newChoice = { ...choice, ...changes };
    setChosen(newChoice);
    changeSetting(exportGroup, choiceKey, JSON.stringify(newChoice));
  }
  return { choice, choose };
}

/** Exports, shares and prints recordings, and tracks the export's state. */
export function useExport(ids: readonly string[], choice: ExportChoice, onDone: () => void) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { exports } = useServices();
  const show = useToast();
  const [work, setWork] = useState<ExportWork>({ status: 'idle' });
  const running = useRef<AbortController | null>(null);
  // Changing the choice cancels the current export and discards its result.
  const serializedChoice = JSON.stringify(choice);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the effect depends only on the choice.
  useEffect(() => {
    setWork({ status: 'idle' });
    return () => running.current?.abort();
  }, [serializedChoice]);

  /**
   * Runs one export.
   * @returns the outcome, or null if the export was canceled
   */
  async function run<T>(
    attempt: (signal: AbortSignal) => Promise<Outcome<T, ExportFailure>>,
  ): Promise<{ data: T } | null> {
    // Cancel the previous run.
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    setWork({ status: 'working', progress: null });
    try {
      const outcome = await attempt(controller.signal);
      if (controller.signal.aborted) return null;
      setWork(outcome.ok ? { status: 'idle' } : { status: 'failed', failure: outcome.failure });
      return outcome.ok ? { data: outcome.data } : null;
    } catch (error) {
      if (!controller.signal.aborted) throw error;
      return null;
    }
  }
  const make = () =>
    run((signal) =>
      exports.make(
        ids,
        choice,
        (progress) => !signal.aborted && setWork({ status: 'working', progress }),
        signal,
      ),
    );
  /**
   * Completes an export.
   * @param successMessage empty if the system has already shown a message
   */
  function showSuccess({ missing }: ExportedFile, successMessage: string): void {
    const missingText = missingMessage(missing);
    const message = joinSentences([successMessage, missingText], language);
    if (message !== '') show({ message, sticky: missingText !== '' });
    onDone();
  }
  /** Returns how many recordings lack their audio or transcript, or '' if none does. */
  function missingMessage(missing: ExportedFile['missing']): string {
    const transcripts = missing.filter(({ code }) => code === 'transcript_arriving').length;
    const sounds = missing.length - transcripts;
    const count = (number: number) => ({ count: number, formatted: formatCount(number, language) });
    return joinSentences(
      [
        sounds > 0 ? t('export.missing', count(sounds)) : '',
        transcripts > 0 ? t('export.missingTranscripts', count(transcripts)) : '',
      ],
      language,
    );
  }
  async function save(createdFile: ExportedFile, successMessage: string): Promise<void> {
    if (await exports.save(createdFile.file)) showSuccess(createdFile, successMessage);
  }
  async function shareFile(exported: ExportedFile): Promise<void> {
    const shared = await exports.share(exported.file);
    if (shared === 'needs_tap') setWork({ status: 'ready', exported });
    else if (shared === 'unable') await save(exported, t('export.unable'));
    else if (shared === 'shared') showSuccess(exported, '');
    else setWork({ status: 'idle' });
  }

  return {
    work,
    async save(): Promise<void> {
      const createdFile = await make();
      if (createdFile)
        await save(createdFile.data, t('export.saved', { name: createdFile.data.file.name }));
    },
    async share(): Promise<void> {
      const createdFile = await make();
      if (createdFile) await shareFile(createdFile.data);
    },
    shareFile,
    print: async () => void (await run(() => exports.print(ids, choice))),
    cancel(): void {
      running.current?.abort();
      setWork({ status: 'idle' });
    },
  };
}
