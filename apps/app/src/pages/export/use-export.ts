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

/** How an export stands. */
export type Work =
  | { readonly status: 'idle' }
  | { readonly status: 'working'; readonly progress: ExportProgress | null }
  /** It took longer than the browser remembers a tap: sharing wants another one. */
  | { readonly status: 'ready'; readonly made: ExportedFile }
  | { readonly status: 'failed'; readonly failure: ExportFailure };

/** The last choice, and how to make another; null until the settings were read. */
export function useExportChoice() {
  const { settings } = useServices();
  const set = useSetSetting();
  const stored = useStore(settings.all);
  // What was just chosen shows at once, the setting follows.
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

/** Exporting, sharing and printing recordings, with what came of it. */
export function useExport(ids: readonly string[], choice: ExportChoice, onDone: () => void) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { exports } = useServices();
  const show = useToast();
  const [work, setWork] = useState<Work>({ status: 'idle' });
  const running = useRef<AbortController | null>(null);
  // Something else was chosen: what is being made, waits or failed is not that.
  const chosen = JSON.stringify(choice);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another choice counts.
  useEffect(() => {
    setWork({ status: 'idle' });
    return () => running.current?.abort();
  }, [chosen]);

  /** @returns what came of it; null when it was called off */
  async function run<T>(
    attempt: (signal: AbortSignal) => Promise<Outcome<T, ExportFailure>>,
  ): Promise<{ data: T } | null> {
    // What was made before is read no more.
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
  /** @param words of what became of the file; '' where the system has said that */
  function done({ missing }: ExportedFile, words: string): void {
    const without = missing.length > 0 ? missingWords(missing.length) : '';
    const all = inARow([words, without], language);
    if (all !== '') show({ words: all, sticky: without !== '' });
    onDone();
  }
  function missingWords(number: number): string {
    return t('export.missing', { count: number, formatted: count(number, language) });
  }
  async function keep(made: ExportedFile, words: string): Promise<void> {
    if (await exports.save(made.file)) done(made, words);
  }
  async function hand(made: ExportedFile): Promise<void> {
    const shared = await exports.share(made.file);
    if (shared === 'needs_tap') setWork({ status: 'ready', made });
    else if (shared === 'unable') await keep(made, t('export.unable'));
    else if (shared === 'shared') done(made, '');
    else setWork({ status: 'idle' });
  }

  return {
    work,
    async save(): Promise<void> {
      const made = await make();
      if (made) await keep(made.data, t('export.saved', { name: made.data.file.name }));
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
