import Share from 'lucide-react/icons/share';
import { useState } from 'react';
import { useTranslation } from '../../i18n/index.ts';
import { IconButton } from '../../ui/button.tsx';
import { Export } from './export.tsx';

/** Opens the export sheet for a recording. */
export function ExportButton({ id }: { id: string }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <IconButton label={t('export.open')} data-testid="export" onClick={() => setOpen(true)}>
        <Share size={20} />
      </IconButton>
      {isOpen && <Export ids={[id]} onClose={() => setOpen(false)} />}
    </>
  );
}
