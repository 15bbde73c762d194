import { useEffect, useState } from 'react';
import { useTranslation } from '../../i18n/index.ts';
import { useServices } from '../../page-kit/services-context.ts';
import type { ExportChoice } from '../../ports/exports.ts';

/** How the text begins, for formats that can be read as they are. */
export function ExportPreview({ id, choice }: { id: string; choice: ExportChoice }) {
  const { t } = useTranslation();
  const { exports } = useServices();
  const [text, setText] = useState<string | null>(null);
  useEffect(() => {
    let wanted = true;
    exports.preview(id, choice).then(
      (found) => wanted && setText(found),
      // Without it the choice can be made all the same.
      () => wanted && setText(null),
    );
    return () => {
      wanted = false;
    };
  }, [exports, id, choice]);
  if (!text) return null;
  return (
    <section className="export-preview" aria-label={t('export.preview')}>
      {/* It scrolls, so that keys have to reach it. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: see above */}
      <pre dir="auto" tabIndex={0} data-testid="export-preview">
        {text}
      </pre>
    </section>
  );
}
