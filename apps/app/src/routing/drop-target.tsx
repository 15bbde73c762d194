import Plus from 'lucide-react/icons/plus';
import { useEffect, useEffectEvent, useState } from 'react';
import { createPortal } from 'react-dom';
import { useLocation } from 'react-router';
import { formatCount } from '../i18n/format.ts';
import { useLanguage, useTranslation } from '../i18n/index.ts';
import { useIsWide } from '../page-kit/media.ts';
import { useNavigateTo } from '../page-kit/navigation.tsx';
import { paths } from '../page-kit/paths.ts';
import { useServices } from '../page-kit/services-context.ts';
import { useToast } from '../ui/toast.tsx';
import './drop-target.css';

const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true;

/**
 * Imports files and adds folders dropped anywhere on the window, and shows an overlay while they are dragged over it.
 * On pages that don't list the imports, a toast links to them.
 */
export function DropTarget() {
  const { t } = useTranslation();
  const { imports, folders } = useServices();
  const language = useLanguage();
  const showToast = useToast();
  const navigateTo = useNavigateTo();
  const isWide = useIsWide();
  const { pathname } = useLocation();
  const [isDragging, setDragging] = useState(false);
  const isListVisible = pathname === paths.files || (isWide && pathname === paths.fileDetail);
  const importFiles = useEffectEvent(async (files: readonly File[]) => {
    if (!(await imports.add(files)) || isListVisible) return;
    const total = { count: files.length, formatted: formatCount(files.length, language) };
    showToast({
      message: t('imports.taken', total),
      action: { label: t('imports.show'), run: () => void navigateTo(paths.files) },
    });
  });
  const addFolders = useEffectEvent(async (items: readonly DataTransferItem[]) => {
    // Read all items at the same time, because dropped items can be read only during the event.
    const outcomes = await Promise.all(items.map((item) => folders.addDropped(item)));
    if (outcomes.includes('known')) showToast({ message: t('folders.known') });
    await navigateTo(paths.folders);
  });
  useEffect(() => {
    const onDragOver = (event: DragEvent) => {
      if (!hasFiles(event)) return;
      // Prevent the browser from opening the file, which would navigate away from the app.
      event.preventDefault();
      setDragging(true);
    };
    const onDragLeave = (event: DragEvent) => {
      if (event.relatedTarget === null) setDragging(false);
    };
    const onDrop = (event: DragEvent) => {
      setDragging(false);
      if (!event.dataTransfer || !hasFiles(event)) return;
      event.preventDefault();
      const items = [...event.dataTransfer.items].filter(({ kind }) => kind === 'file');
      const folderItems = items.filter((item) => item.webkitGetAsEntry()?.isDirectory);
      const files = items
        .filter((item) => !folderItems.includes(item))
        .flatMap((item) => item.getAsFile() ?? []);
      if (folderItems.length > 0) addFolders(folderItems).catch(reportError);
      if (files.length > 0) importFiles(files).catch(reportError);
    };
    window.addEventListener('dragover', onDragOver);
    window.addEventListener('dragleave', onDragLeave);
    window.addEventListener('drop', onDrop);
    return () => {
      window.removeEventListener('dragover', onDragOver);
      window.removeEventListener('dragleave', onDragLeave);
      window.removeEventListener('drop', onDrop);
    };
  }, []);
  if (!isDragging) return null;
  // Rendered outside the app root, because the whole window accepts the drop.
  return createPortal(
    <div className="drop-target" role="status">
      <Plus size={28} aria-hidden="true" />
      <p>{t('imports.drop')}</p>
    </div>,
    document.body,
  );
}
