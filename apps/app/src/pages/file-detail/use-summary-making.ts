import type { SummaryTemplate } from '@linnet/contract';
import type { CallFailure } from '@linnet/contract/client';
import type { Bcp47 } from '@linnet/contract/languages';
import type { StructureId } from '@linnet/contract/structures';
import { useState } from 'react';
import { useTrySave } from '../../page-kit/saving.ts';
import { useServices, useStore } from '../../page-kit/services-context.ts';
import { settingsOf, templateGroup, templateOf } from './own-template.ts';

/** What the owner last asked for on this page, and what became of it. */
export type Making =
  | { readonly kind: 'idle' }
  | { readonly kind: 'waiting'; readonly structure: StructureId }
  /** The server has made it; it arrives with the changes. */
  | { readonly kind: 'made'; readonly structure: StructureId }
  | { readonly kind: 'failed'; readonly structure: StructureId; readonly failure: CallFailure };

/**
 * Asking for summaries of a recording, and the owner's own structure.
 * @param present the language of the summary there is; null as it was spoken
 */
export function useSummaryMaking(recordingId: string, present: Bcp47 | null) {
  const { library, settings } = useServices();
  const trySave = useTrySave();
  const stored = useStore(settings.all);
  const template = stored.status === 'ready' ? templateOf(stored.value) : null;
  const [making, setMaking] = useState<Making>({ kind: 'idle' });
  const [chosen, setLanguage] = useState<Bcp47 | null | undefined>();
  // A summary in another language is made again in that one, if nothing else is chosen.
  const language = chosen === undefined ? present : chosen;

  async function make(structure: StructureId, own = template): Promise<void> {
    setMaking({ kind: 'waiting', structure });
    const answer = await library.summarize(recordingId, {
      structure,
      ...(structure === 'custom' && own && { template: own }),
      ...(language && { language }),
    });
    setMaking(
      answer.ok
        ? { kind: 'made', structure }
        : { kind: 'failed', structure, failure: answer.failure },
    );
  }

  return {
    making,
    make,
    template,
    /**
     * Keeps the owner's structure for all recordings, and has this one summarised in it.
     * @returns whether it is kept
     */
    async keepTemplate(own: SummaryTemplate): Promise<boolean> {
      const write = async () => {
        for (const { key, value } of settingsOf(own)) {
          await settings.set(templateGroup, key, value);
        }
      };
      const done = await trySave(write());
      if (done) void make('custom', own);
      return done;
    },
    /** Of the next summary; null as it was spoken. */
    language,
    setLanguage,
  };
}
