import Plus from 'lucide-react/icons/plus';
import { useEffect, useState } from 'react';
import { createPortal } from 'react-dom';
import { useServices } from '../../app-shell/services-context.ts';
import { useTranslation } from '../../i18n/index.ts';

const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true;

/** Takes files that are dropped anywhere on the window, and says so while they hover over it. */
export function DropTarget() {
  const { t } = useTranslation();
  const { imports } = useServices();
  const [over, setOver] = useState(false);
  useEffect(() => {
    const hover = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      // Else the browser opens the file in place of the app.
      event.preventDefault();
      setOver(true);
    };
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent) => {
      setOver(false);
      if (!event.dataTransfer || !hasFiles(event)) return;
      event.preventDefault();
      imports.add([...event.dataTransfer.files]);
    };
    window.addEventListener('dragover', hover);
    window.addEventListener('dragleave', leave);
    window.addEventListener('drop', drop);
    return () => {
      window.removeEventListener('dragover', hover);
      window.removeEventListener('dragleave', leave);
      window.removeEventListener('drop', drop);
    };
  }, [imports]);
  if (!over) return null;
  // Over everything, as the whole window takes files.
  return createPortal(
    <div className="drop-target" role="status">
      <Plus size={28} aria-hidden="true" />
      <p>{t('imports.drop')}</p>
    </div>,
    document.body,
  );
}
