import Plus from 'lucide-react/icons/plus';
import { useEffect, useEffectEvent, useState } from 'react';
import { createPortal } from 'react-dom';
import { useLocation } from 'react-router';
import { count } from '../i18n/format.ts';
import { useLanguage, useTranslation } from '../i18n/index.ts';
import { useIsWide } from '../page-kit/media.ts';
import { useGo } from '../page-kit/navigation.tsx';
import { paths } from '../page-kit/paths.ts';
import { useServices } from '../page-kit/services-context.ts';
import { useToast } from '../ui/toast.tsx';
import './drop-target.css';

const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true;

/**
 * Accepts files dropped anywhere on the window and shows an overlay while they hover. On Files, imports
 * appear in the list; elsewhere, a toast links to it.
 */
export function DropTarget() {
  const { t } = useTranslation();
  const { imports } = useServices();
  const language = useLanguage();
  const show = useToast();
  const go = useGo();
  const wide = useIsWide();
  const { pathname } = useLocation();
  const [over, setOver] = useState(false);
  const onFiles = pathname === paths.files || (wide && pathname === paths.fileDetail);
  const take = useEffectEvent(async (files: readonly File[]) => {
    if (!(await imports.add(files)) || onFiles) return;
    const taken = { count: files.length, formatted: count(files.length, language) };
    show({
      words: t('imports.taken', taken),
      action: { label: t('imports.show'), run: () => void go(paths.files) },
    });
  });
  useEffect(() => {
    const hover = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      // Without this, the browser would open the file in place of the app.
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
      take([...event.dataTransfer.files]).catch(reportError);
    };
    window.addEventListener('dragover', hover);
    window.addEventListener('dragleave', leave);
    window.addEventListener('drop', drop);
    return () => {
      window.removeEventListener('dragover', hover);
      window.removeEventListener('dragleave', leave);
      window.removeEventListener('drop', drop);
    };
  }, []);
  if (!over) return null;
  // Above everything, since the whole window is the target.
  return createPortal(
    <div className="drop-target" role="status">
      <Plus size={28} aria-hidden="true" />
      <p>{t('imports.drop')}</p>
    </div>,
    document.body,
  );
}
