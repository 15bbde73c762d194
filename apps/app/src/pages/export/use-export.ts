import { useEffect, useRef, useState } from 'react';
import { count } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { inARow } from '../../i18n/joined.ts';
import { useSetSetting } from '../../page-kit/saving.ts';
import { useServices, useStore } from '../../page-kit/services-context.ts';
import type {
  ExportChoice,
  ExportedFile,
  ExportFailure,
  ExportProgress,
} from '../../ports/exports.ts';
import type { Outcome } from '../../ports/store.ts';
import { useToast } from '../../ui/toast.tsx';
import { choiceKey, choiceOf, exportGroup } from './remembered-choice.ts';

/** State of an export. */
export type Work =
  | { readonly status: 'idle' }
  | { readonly status: 'working'; readonly progress: ExportProgress | null }
  /** The export outlasted the browser's user activation, so sharing needs another tap. */
  | { readonly status: 'ready'; readonly made: ExportedFile }
  | { readonly status: 'failed'; readonly failure: ExportFailure };

/** The last choice and a setter; null until the settings are loaded. */
export function useExportChoice() {
  const { settings } = useServices();
  const set = useSetSetting();
  const stored = useStore(settings.all);
  // A new choice shows at once, before the setting is saved.
  const [chosen, setChosen] = useState<ExportChoice | null>(null);
  const choice = chosen ?? (stored.status === 'ready' ? choiceOf(stored.value) : null);
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
  const [work, setWork] = useState<Work>({ status: 'idle' });
  const running = useRef<AbortController | null>(null);
  // A change of the choice cancels the current export and resets its result.
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
    const all = inARow([words, without], language);
    if (all !== '') show({ words: all, sticky: without !== '' });
    onDone();
  }
  function missingWords(number: number): string {
    return t('export.missing', { count: number, formatted: count(number, language) });
  }
  async function save(made: ExportedFile, words: string): Promise<void> {
    if (await exports.save(made.file)) done(made, words);
  }
  async function hand(made: ExportedFile): Promise<void> {
    const shared = await exports.share(made.file);
    if (shared === 'needs_tap') setWork({ status: 'ready', made });
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
      if (made) await hand(made.data);
    },
    hand,
    print: async () => void (await run(() => exports.print(ids, choice))),
    cancel(): void {
      running.current?.abort();
      setWork({ status: 'idle' });
    },
  };
}
