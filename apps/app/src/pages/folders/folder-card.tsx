import Folder from 'lucide-react/icons/folder';
import RefreshCw from 'lucide-react/icons/refresh-cw';
import X from 'lucide-react/icons/x';
import { useState } from 'react';
import { formatCount, formatTimeOfDay, isolate } from '../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../i18n/index.ts';
import { folderPercent } from '../../page-kit/folders.ts';
import { useServerInfo, useServices } from '../../page-kit/services-context.ts';
import type { WatchedFolder } from '../../ports/folders.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { Notice } from '../../ui/notice.tsx';
import { ProgressRing } from '../../ui/ring.tsx';
import { SwitchLine } from '../../ui/switch-line.tsx';
import { useToast } from '../../ui/toast.tsx';

type Summary = NonNullable<WatchedFolder['state']['latest']>;

/** Shows the latest scan's counts, except zeros. */
function SummaryNotes({ summary }: { summary: Summary }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const notes = (['growing', 'declined', 'released'] as const).filter((note) => summary[note] > 0);
  return notes.map((note) => (
    <p key={note} className="folder-note">
      {t(`folders.${note}`, {
        count: summary[note],
        formatted: formatCount(summary[note], language),
      })}
    </p>
  ));
}

/** Lists the files that couldn't be imported, and why. */
function FailedFiles({ failed }: Pick<Summary, 'failed'>) {
  const { t } = useTranslation();
  const language = useLanguage();
  if (failed.length === 0) return null;
  const total = { count: failed.length, formatted: formatCount(failed.length, language) };
  return (
    <details className="folder-failed">
      <summary>{t('folders.failed', total)}</summary>
      <ul>
        {failed.map(({ path, code }) => (
          <li key={path}>
            <bdi>{path}</bdi>
            <span>{t(`folders.reason.${code}`)}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Returns the line below the folder's name. */
function useStatusLine({ state }: WatchedFolder): string | null {
  const { t } = useTranslation();
  const language = useLanguage();
  const { latest } = state;
  switch (state.status) {
    case 'waiting':
    case 'listing':
      return t(`folders.${state.status}`);
    case 'importing':
      return t('folders.importing', {
        number: formatCount(state.number, language),
        total: formatCount(state.total, language),
      });
    case 'failed':
    case 'done': {
      if (!latest) return null;
      const time = formatTimeOfDay(new Date(latest.at).toISOString(), language);
      const recordings = t('folders.recordings', {
        count: latest.recordings,
        formatted: formatCount(latest.recordings, language),
      });
      return `${recordings} · ${t('folders.checked', { time })}`;
    }
  }
}

/** A folder, with the state of its import and the rule for its files. */
export function FolderCard({ folder }: { folder: WatchedFolder }) {
  const { t } = useTranslation();
  const { folders } = useServices();
  const serverInfo = useServerInfo();
  const showToast = useToast();
  const [isConfirming, setConfirming] = useState(false);
  const statusLine = useStatusLine(folder);
  const { id, name, state, retention } = folder;

  const remove = async () => {
    const undo = await folders.remove(id);
    showToast({
      message: t('folders.removed', { name: isolate(name) }),
      action: { label: t('common.undo'), run: () => void undo().catch(reportError) },
    });
  };
  const setRetention = async (isDeleted: boolean) => {
    setConfirming(false);
    const isSet = await folders.setRetention(id, isDeleted ? 'delete' : 'keep');
    if (!isSet) showToast({ message: t('folders.denied') });
  };

  return (
    <section className="card folder-card" aria-label={name} data-state={state.status}>
      <header className="folder-head">
        {state.status === 'importing' ? (
          <ProgressRing percent={folderPercent(state)} label={statusLine ?? ''} />
        ) : (
          <Folder size={24} aria-hidden="true" />
        )}
        <span className="line-words">
          <span className="folder-name" dir="auto">
            {name}
          </span>
          {statusLine && <span data-testid="folder-status">{statusLine}</span>}
        </span>
        <IconButton
          label={t('folders.check')}
          disabled={state.status === 'listing' || state.status === 'importing'}
          onClick={() => void folders.scan(id).catch(reportError)}
        >
          <RefreshCw size={20} />
        </IconButton>
        <IconButton
          label={t('folders.remove')}
          data-testid="remove-folder"
          onClick={() => void remove().catch(reportError)}
        >
          <X size={20} />
        </IconButton>
      </header>
      {state.status === 'importing' && (
        <p className="folder-note">
          <bdi>{state.name}</bdi>
        </p>
      )}
      {state.status === 'failed' && (
        <Notice
          message={t(`folders.${state.code}.what`)}
          detail={t(`folders.${state.code}.means`)}
          code={`folder ${state.code}`}
          action={
            <Button onClick={() => void folders.scan(id).catch(reportError)}>
              {t(state.code === 'permission_required' ? 'folders.allow' : 'folders.check')}
            </Button>
          }
        />
      )}
      {state.latest && <SummaryNotes summary={state.latest} />}
      {state.latest && <FailedFiles failed={state.latest.failed} />}
      <SwitchLine
        label={t('folders.delete')}
        hint={t(retention === 'delete' ? 'folders.deleteOn' : 'folders.deleteOff')}
        checked={retention === 'delete'}
        testId="delete-files"
        onChange={(isOn) => {
          if (isOn) setConfirming(true);
          else void setRetention(false).catch(reportError);
        }}
      />
      {retention === 'delete' && serverInfo && !serverInfo.audioKinds?.includes('mp3') && (
        <p className="folder-note">{t('folders.deleteNotDecoded')}</p>
      )}
      {isConfirming && (
        <Confirm
          title={t('folders.deleteTitle', { name: isolate(name) })}
          confirmLabel={t('folders.deleteConfirm')}
          danger
          onConfirm={() => void setRetention(true).catch(reportError)}
          onCancel={() => setConfirming(false)}
        >
          {t('folders.deleteMeans')}
        </Confirm>
      )}
    </section>
  );
}
