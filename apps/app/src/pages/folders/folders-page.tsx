import { isAudioName, isHiddenName } from '@linnet/contract/folder-files';
import FolderPlus from 'lucide-react/icons/folder-plus';
import { useRef, useState } from 'react';
import { useTranslation } from '../../i18n/index.ts';
import { Page } from '../../page-kit/page.tsx';
import { paths } from '../../page-kit/paths.ts';
import { useServices, useStore } from '../../page-kit/services-context.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState, LoadingPlaceholder } from '../../ui/notice.tsx';
import { useToast } from '../../ui/toast.tsx';
import { FolderCard } from './folder-card.tsx';
import { FolderDrawing } from './folder-drawing.tsx';
import './folders.css';

/** Lets the user pick a folder for this browser to remember. */
function PickButton({ isFirst }: { isFirst: boolean }) {
  const { t } = useTranslation();
  const { folders } = useServices();
  const showToast = useToast();
  const [isBusy, setBusy] = useState(false);
  const pick = async () => {
    setBusy(true);
    try {
      const outcome = await folders.pick();
      if (outcome === 'known' || outcome === 'forbidden') {
        showToast({ message: t(`folders.${outcome}`) });
      }
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button
      variant={isFirst ? 'primary' : 'plain'}
      icon={<FolderPlus size={20} aria-hidden="true" />}
      busy={isBusy}
      data-testid="pick-folder"
      onClick={() => void pick().catch(reportError)}
    >
      {t(isFirst ? 'folders.choose' : 'folders.another')}
    </Button>
  );
}

/** Imports a folder's audio files once, in browsers that can't remember folders. */
function OnceButton() {
  const { t } = useTranslation();
  const { imports } = useServices();
  const showToast = useToast();
  const input = useRef<HTMLInputElement>(null);
  const importFolder = (files: readonly File[]) => {
    const audio = files.filter(({ name }) => isAudioName(name) && !isHiddenName(name));
    if (audio.length === 0) showToast({ message: t('folders.empty') });
    else imports.add(audio).catch(reportError);
  };
  return (
    <>
      <Button
        variant="primary"
        icon={<FolderPlus size={20} aria-hidden="true" />}
        onClick={() => input.current?.click()}
      >
        {t('folders.choose')}
      </Button>
      <input
        ref={(element) => {
          input.current = element;
          // Set the attribute directly: all browsers support it, but React doesn't.
          element?.setAttribute('webkitdirectory', '');
        }}
        type="file"
        hidden
        data-testid="folder-files"
        onChange={({ currentTarget }) => {
          importFolder([...(currentTarget.files ?? [])]);
          // Allow the same folder to be selected again.
          currentTarget.value = '';
        }}
      />
    </>
  );
}

/** The folders that new audio files are imported from. */
export default function FoldersPage() {
  const { t } = useTranslation();
  const { folders } = useServices();
  const list = useStore(folders.folders);
  return (
    <Page title={t('folders.title')} parent={paths.files}>
      {!folders.canRemember ? (
        <EmptyState title={t('folders.way')} drawing={<FolderDrawing />} action={<OnceButton />}>
          {t('folders.onceLead')}
        </EmptyState>
      ) : list === null ? (
        <LoadingPlaceholder lines={3} />
      ) : list.length === 0 ? (
        <EmptyState
          title={t('folders.way')}
          drawing={<FolderDrawing />}
          action={<PickButton isFirst />}
        >
          {t('folders.lead')}
        </EmptyState>
      ) : (
        <>
          <ul className="folder-list" aria-label={t('folders.label')}>
            {list.map((folder) => (
              <li key={folder.id}>
                <FolderCard folder={folder} />
              </li>
            ))}
          </ul>
          <PickButton isFirst={false} />
        </>
      )}
    </Page>
  );
}
