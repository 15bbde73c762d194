import { useEffect, useState } from 'react';
import { useTranslation } from '../../i18n/index.ts';
import { useServices } from '../../page-kit/services-context.ts';
import type { ExportChoice } from '../../ports/exports.ts';

/** Previews the beginning of the text in human-readable formats. */
export function ExportPreview({ id, choice }: { id: string; choice: ExportChoice }) {
  const { t } = useTranslation();
  const { exports } = useServices();
  const [text, setText] = useState<string | null>(null);
  useEffect(() => {
    let isCurrent = true;
    exports.preview(id, choice).then(
      (preview) => isCurrent && setText(preview),
      // The export works without a preview.
      () => isCurrent && setText(null),
    );
    return () => {
      isCurrent = false;
    };
  }, [exports, id, choice]);
  if (!text) return null;
  return (
    <section className="export-preview" aria-label={t('export.preview')}>
      {/* The preview scrolls, so it must be focusable for keyboard users. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: see above */}
      <pre dir="auto" tabIndex={0} data-testid="export-preview">
        {text}
      </pre>
    </section>
  );
}
