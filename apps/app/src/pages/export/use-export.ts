import { useEffect, useRef, useState } from 'react';
import { count } from '../../i18n/format.ts';
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
import { choiceKey, exportGroup, lastChoice } from './remembered-choice.ts';

/** State of an export. */
export type ExportWork =
  | { readonly status: 'idle' }
  | { readonly status: 'working'; readonly progress: ExportProgress | null }
  /** The export took longer than the browser's user activation lasts, so sharing requires another tap. */
  | { readonly status: 'ready'; readonly exported: ExportedFile }
  | { readonly status: 'failed'; readonly failure: ExportFailure };

/** The last choice and a setter; null until the settings are loaded. */
export function useExportChoice() {
  const { settings } = useServices();
  const set = useChangeSetting();
  const stored = useStore(settings.all);
  // A new choice shows immediately, before the setting is saved.
  const [chosen, setChosen] = useState<ExportChoice | null>(null);
  const choice = chosen ?? (stored.status === 'ready' ? lastChoice(stored.value) : null);
  function choose(change: Partial<ExportChoice>): void {
    if (!choice) return;
    const next = { ...choice, ...change };
    setChosen(next);
    set(exportGroup, choiceKey, JSON.stringify(next));
  }
  return { choice, choose };
}

/** Exports, shares and prints recordings, with the outcome. */
export function useExport(ids: readonly string[], choice: ExportChoice, onDone: () => void) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { exports } = useServices();
  const show = useToast();
  const [work, setWork] = useState<ExportWork>({ status: 'idle' });
  const running = useRef<AbortController | null>(null);
  // Changing the choice cancels the current export and discards its result.
  const chosen = JSON.stringify(choice);
  // biome-ignore lint/correctness/useExhaustiveDependencies: depends only on the choice.
  useEffect(() => {
    setWork({ status: 'idle' });
    return () => running.current?.abort();
  }, [chosen]);

  /** @returns the outcome; null if canceled */
  async function run<T>(
    attempt: (signal: AbortSignal) => Promise<Outcome<T, ExportFailure>>,
  ): Promise<{ data: T } | null> {
    // Cancels the previous run.
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
  /** @param words the success message; '' if the system already showed one */
  function done({ missing }: ExportedFile, words: string): void {
    const without = missing.length > 0 ? missingWords(missing.length) : '';
    const all = joinSentences([words, without], language);
    if (all !== '') show({ message: all, sticky: without !== '' });
    onDone();
  }
  function missingWords(number: number): string {
    return t('export.missing', { count: number, formatted: count(number, language) });
  }
  async function save(made: ExportedFile, words: string): Promise<void> {
    if (await exports.save(made.file)) done(made, words);
  }
  async function shareFile(made: ExportedFile): Promise<void> {
    const shared = await exports.share(made.file);
    if (shared === 'needs_tap') setWork({ status: 'ready', exported: made });
    else if (shared === 'unable') await save(made, t('export.unable'));
    else if (shared === 'shared') done(made, '');
    else setWork({ status: 'idle' });
  }

  return {
    work,
    async save(): Promise<void> {
      const made = await make();
      if (made) await save(made.data, t('export.saved', { name: made.data.file.name }));
    },
    async share(): Promise<void> {
      const made = await make();
      if (made) await shareFile(made.data);
    },
    shareFile,
    print: async () => void (await run(() => exports.print(ids, choice))),
    cancel(): void {
      running.current?.abort();
      setWork({ status: 'idle' });
    },
  };
}
