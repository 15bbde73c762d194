import { useEffect, useState } from 'react';
import { useTranslation } from '../../i18n/index.ts';
import { useServices } from '../../page-kit/services-context.ts';
import type { ExportChoice } from '../../ports/exports.ts';

/** A preview of the text's beginning, for human-readable formats. */
export function ExportPreview({ id, choice }: { id: string; choice: ExportChoice }) {
  const { t } = useTranslation();
  const { exports } = useServices();
  const [text, setText] = useState<string | null>(null);
  useEffect(() => {
    let current = true;
    exports.preview(id, choice).then(
      (found) => current && setText(found),
      // The export works without a preview.
      () => current && setText(null),
    );
    return () => {
      current = false;
    };
  }, [exports, id, choice]);
  if (!text) return null;
  return (
    <section className="export-preview" aria-label={t('export.preview')}>
      {/* Scrollable, so it must be reachable by keyboard. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: see above */}
      <pre dir="auto" tabIndex={0} data-testid="export-preview">
        {text}
      </pre>
    </section>
  );
}
