import Archive from 'lucide-react/icons/archive';
import ArchiveRestore from 'lucide-react/icons/archive-restore';
import Combine from 'lucide-react/icons/combine';
import Share from 'lucide-react/icons/share';
import Tag from 'lucide-react/icons/tag';
import Trash2 from 'lucide-react/icons/trash-2';
import { Suspense, useState } from 'react';
import { useTranslation } from '../../i18n/index.ts';
import { lazyPage } from '../../ui/lazy-page.ts';
import { Export } from '../export/export.tsx';
import type { MergeSheetProps } from './merge-sheet.tsx';
import type { ListedRecord } from './row-state.ts';
import { SelectionAction, SelectionBar } from './selection-bar.tsx';

export type SelectionActionsProps = {
  readonly records: readonly ListedRecord[];
  /** Whether the list shows archived recordings. */
  readonly isArchive: boolean;
  onTag(): void;
  /** Archives the recordings, or returns them to the list. */
  onArchive(): void;
  onMoveToBin(): void;
  /** Called with the ID of the merged recording. */
  onMerged(id: string): void;
};

const MergeSheet = lazyPage<MergeSheetProps>(() => import('./merge-sheet.tsx'));

/** Shows the actions for the selected recordings. */
export function SelectionActions({
  records,
  isArchive,
  onTag,
  onArchive,
  onMoveToBin,
  onMerged,
}: SelectionActionsProps) {
  const { t } = useTranslation();
  const [exporting, setExporting] = useState<readonly string[] | null>(null);
  const [isMerging, setMerging] = useState(false);
  const isDisabled = records.length === 0;
  return (
    <SelectionBar>
      <SelectionAction
        icon={<Tag size={22} aria-hidden="true" />}
        disabled={isDisabled}
        testId="selection-tag"
        onClick={onTag}
      >
        {t('library.tags')}
      </SelectionAction>
      <SelectionAction
        icon={<Share size={22} aria-hidden="true" />}
        disabled={isDisabled}
        testId="selection-export"
        onClick={() => setExporting(records.map(({ id }) => id))}
      >
        {t('export.title')}
      </SelectionAction>
      <SelectionAction
        icon={<Combine size={22} aria-hidden="true" />}
        disabled={records.length < 2}
        testId="selection-merge"
        onClick={() => setMerging(true)}
      >
        {t('merge.action')}
      </SelectionAction>
      <SelectionAction
        icon={
          isArchive ? (
            <ArchiveRestore size={22} aria-hidden="true" />
          ) : (
            <Archive size={22} aria-hidden="true" />
          )
        }
        disabled={isDisabled}
        testId="selection-archive"
        onClick={onArchive}
      >
        {t(isArchive ? 'archive.unarchive' : 'archive.archive')}
      </SelectionAction>
      <SelectionAction
        icon={<Trash2 size={22} aria-hidden="true" />}
        danger
        disabled={isDisabled}
        testId="selection-bin"
        onClick={onMoveToBin}
      >
        {t('common.delete')}
      </SelectionAction>
      {isMerging && (
        <Suspense fallback={null}>
          <MergeSheet
            records={records}
            onMerged={(id) => {
              setMerging(false);
              onMerged(id);
            }}
            onClose={() => setMerging(false)}
          />
        </Suspense>
      )}
      {exporting && <Export ids={exporting} onClose={() => setExporting(null)} />}
    </SelectionBar>
  );
}
