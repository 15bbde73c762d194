import type { SummaryTemplate } from '@linnet/contract';
import type { CallFailure } from '@linnet/contract/client';
import type { Bcp47 } from '@linnet/contract/languages';
import type { StructureId } from '@linnet/contract/structures';
import { useState } from 'react';
import { useAttemptSave } from '../../../page-kit/saving.ts';
import { useServices, useStore } from '../../../page-kit/services-context.ts';
import { parseTemplate, templateGroup, templateSettings } from './custom-template.ts';

/** The last summary request made on this page, and its outcome. */
export type SummaryRequest =
  | { readonly kind: 'idle' }
  | { readonly kind: 'waiting'; readonly structure: StructureId }
  /** The server has finished. The next sync downloads the result. */
  | { readonly kind: 'done'; readonly structure: StructureId }
  | { readonly kind: 'failed'; readonly structure: StructureId; readonly failure: CallFailure };

/**
 * Requests summaries of a recording and manages the custom structure.
 * @param currentLanguage the current summary's language; null for the spoken language
 */
export function useSummaryRequest(recordingId: string, currentLanguage: Bcp47 | null) {
  const { library, settings } = useServices();
  const trySave = useAttemptSave();
  const storedSettings = useStore(settings.all);
  const template = storedSettings.status === 'ready' ? parseTemplate(storedSettings.value) : null;
  const [request, setRequest] = useState<SummaryRequest>({ kind: 'idle' });
  const [chosenLanguage, setChosenLanguage] = useState<Bcp47 | null | undefined>();
  // By default, regenerate a summary in its current language.
  const language = chosenLanguage === undefined ? currentLanguage : chosenLanguage;

  async function requestSummary(structure: StructureId, newTemplate = template): Promise<void> {
    setRequest({ kind: 'waiting', structure });
    const result = await library.summarize(recordingId, {
      structure,
      ...(structure === 'custom' && newTemplate && { template: newTemplate }),
      ...(language && { language }),
    });
    setRequest(
      result.ok
        ? { kind: 'done', structure }
        : { kind: 'failed', structure, failure: result.failure },
    );
  }

  return {
    request,
    requestSummary,
    template,
    /**
     * Saves the custom structure for all recordings and requests a summary with it.
     * @returns whether the structure was saved
     */
    async saveTemplate(newTemplate: SummaryTemplate): Promise<boolean> {
      const write = async () => {
        for (const { key, value } of templateSettings(newTemplate)) {
          await settings.set(templateGroup, key, value);
        }
      };
      const wasSaved = await trySave(write());
      if (wasSaved) void requestSummary('custom', newTemplate);
      return wasSaved;
    },
    /** The next summary's language; null for the spoken language. */
    language,
    setLanguage: setChosenLanguage,
  };
}
