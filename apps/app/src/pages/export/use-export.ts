import { useEffect, useRef, useState } from 'react';
import { useServices, useStore } from '../../app-shell/services-context.ts';
import { useTranslation } from '../../i18n/index.ts';
import type { ExportChoice, ExportFailure, ExportProgress, Outcome } from '../../services.ts';
import { useToast } from '../../ui/toast.tsx';
import { choiceKey, choiceOf, exportGroup } from './remembered-choice.ts';

/** How an export stands. */
export type Work =
  | { readonly status: 'idle' }
  | { readonly status: 'working'; readonly progress: ExportProgress | null }
  /** It took longer than the browser remembers a tap: sharing wants another one. */
  | { readonly status: 'ready'; readonly file: File }
  | { readonly status: 'failed'; readonly failure: ExportFailure };

/** The last choice, and how to make another; null until the settings were read. */
export function useExportChoice() {
  const { settings } = useServices();
  const stored = useStore(settings.all);
  // What was just chosen shows at once, the setting follows.
  const [chosen, setChosen] = useState<ExportChoice | null>(null);
  const choice = chosen ?? (stored.status === 'ready' ? choiceOf(stored.value) : null);
  function choose(change: Partial<ExportChoice>): void {
    if (!choice) return;
    const next = { ...choice, ...change };
    setChosen(next);
    void settings.set(exportGroup, choiceKey, JSON.stringify(next));
  }
  return { choice, choose };
}

/** Exporting, sharing and printing recordings, with what came of it. */
export function useExport(ids: readonly string[], choice: ExportChoice, onDone: () => void) {
  const { t } = useTranslation();
  const { exports } = useServices();
  const show = useToast();
  const [work, setWork] = useState<Work>({ status: 'idle' });
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);

  /** @returns what came of it; null when it was called off */
  async function run<T>(
    attempt: (signal: AbortSignal) => Promise<Outcome<T, ExportFailure>>,
  ): Promise<{ data: T } | null> {
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
  function keep(file: File, words: string): void {
    exports.save(file);
    show({ words });
    onDone();
  }
  async function hand(file: File): Promise<void> {
    const shared = await exports.share(file);
    if (shared === 'needs_tap') setWork({ status: 'ready', file });
    else if (shared === 'unable') keep(file, t('export.unable'));
    else if (shared === 'shared') onDone();
    else setWork({ status: 'idle' });
  }

  return {
    work,
    async save(): Promise<void> {
      const made = await make();
      if (made) keep(made.data, t('export.saved', { name: made.data.name }));
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
