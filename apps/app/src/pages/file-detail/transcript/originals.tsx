import type { LocalParagraph } from '@linnet/sync';
import Undo2 from 'lucide-react/icons/undo-2';
import { useState } from 'react';
import { formatCount } from '../../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../../i18n/index.ts';
import { useServices } from '../../../page-kit/services-context.ts';
import type { LibraryService } from '../../../ports/library.ts';
import { Button } from '../../../ui/button.tsx';
import { Confirm } from '../../../ui/dialog.tsx';
import { useToast } from '../../../ui/toast.tsx';
import type { OpenRecord } from '../open-record.ts';

/** Returns the paragraphs that differ, or may differ, from the transcribed text. */
function changedParagraphs(content: readonly LocalParagraph[]): LocalParagraph[] {
  return content.filter(
    ({ edited, original, content: currentText }) => edited && original !== currentText,
  );
}

/** Loads the originally transcribed text of changed paragraphs. `unknown` is the number of failed requests. */
async function loadOriginals(
  library: LibraryService,
  record: string,
  changed: readonly LocalParagraph[],
): Promise<{ texts: ReadonlyMap<string, string>; unknown: number }> {
  const texts = new Map<string, string>();
  for (const { id, original } of changed) {
    if (original !== undefined) {
      texts.set(id, original);
      continue;
    }
    // Another phone changed the paragraph before the first sync, so only the server has the original.
    const result = await library.versions(record, id);
    const recognizedText = result.ok && result.data.find(({ state }) => state === 'original');
    if (recognizedText) texts.set(id, recognizedText.content);
    else if (!result.ok && result.failure.kind !== 'server') break;
  }
  return { texts, unknown: changed.length - texts.size };
}

/** Restores the originally transcribed text of the whole transcript, after a confirmation. */
export function RestoreOriginals({
  record,
  writeAll,
}: {
  record: OpenRecord;
  writeAll(texts: ReadonlyMap<string, string>): void;
}) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { library } = useServices();
  const show = useToast();
  const [confirmation, setConfirmation] = useState<'asked' | 'busy' | null>(null);
  const changed = changedParagraphs(record.content);
  if (changed.length === 0) return null;
  const counted = { count: changed.length, formatted: formatCount(changed.length, language) };
  const restore = async () => {
    setConfirmation('busy');
    const { texts, unknown } = await loadOriginals(library, record.id, changed);
    setConfirmation(null);
    writeAll(texts);
    if (unknown > 0) {
      const resultText = t('transcript.originalsUnknown', {
        count: unknown,
        formatted: formatCount(unknown, language),
      });
      show({ message: resultText, kind: 'error', sticky: true });
    }
  };
  return (
    <>
      <Button
        variant="quiet"
        icon={<Undo2 size={18} className="turns" />}
        data-testid="back-to-original"
        onClick={() => setConfirmation('asked')}
      >
        {t('transcript.backToOriginal')}
      </Button>
      {confirmation && (
        <Confirm
          title={t('transcript.backToOriginalTitle')}
          confirmLabel={t('transcript.backToOriginal')}
          busy={confirmation === 'busy'}
          onConfirm={() => void restore()}
          onCancel={() => setConfirmation(null)}
        >
          {t('transcript.backToOriginalMeans', counted)}
        </Confirm>
      )}
    </>
  );
}
