import type { MindMapBranch } from '@linnet/mind-map/tree';
import FoldVertical from 'lucide-react/icons/fold-vertical';
import Undo2 from 'lucide-react/icons/undo-2';
import UnfoldVertical from 'lucide-react/icons/unfold-vertical';
import { useRef, useState } from 'react';
import { useLanguage, useTranslation } from '../../../i18n/index.ts';
import { recordingName } from '../../../i18n/record-name.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { SegmentedControl } from '../../../ui/choice.tsx';
import { EmptyState } from '../../../ui/notice.tsx';
import type { TabProps } from '../tab.ts';
import { TranscriptArriving } from '../transcript/transcript-arriving.tsx';
import { MapBoard } from './map-board.tsx';
import { MapOutline } from './map-outline.tsx';
import { SaveMap } from './save-map.tsx';
import { loadView, type SavedView, saveView } from './saved-view.ts';
import { type MapEdits, useMapEdits } from './use-map-edits.ts';
import '../analysis/analysis.css';
import './mind-map.css';

/** Returns the IDs of all foldable nodes below the root. */
function foldable({ children }: MindMapBranch): string[] {
  return children.flatMap((branch) =>
    branch.children.length > 0 ? [branch.id, ...foldable(branch)] : [],
  );
}

/** Shows a recording's mind map, for viewing, editing and exporting. */
export function MindMapTab(tab: TabProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const edits = useMapEdits(tab.record);
  const name = recordingName(tab.record, t, language);
  if (edits.tree) return <MindMap tree={edits.tree} edits={edits} tab={tab} name={name} />;
  if (tab.record.transcript === 'arriving') return <TranscriptArriving />;
  return (
    <EmptyState
      title={t('mindMap.none')}
      action={
        <Button data-testid="map-begin" onClick={() => edits.create(name)}>
          {t('mindMap.begin')}
        </Button>
      }
    >
      {t('mindMap.noneHint')}
    </EmptyState>
  );
}

function MindMap({
  tree,
  edits,
  tab,
  name,
}: {
  tree: MindMapBranch;
  edits: MapEdits;
  tab: TabProps;
  name: string;
}) {
  const { t } = useTranslation();
  const [layout, setLayout] = useState<'map' | 'outline'>('map');
  const { id } = tab.record;
  const [savedView] = useState(() => loadView(id));
  const view = useRef<SavedView>(savedView);
  const [folded, setFolded] = useState<ReadonlySet<string>>(new Set(savedView.folded));
  const [isFullscreen, setIsFullscreen] = useState(false);
  const foldableIds = foldable(tree);
  const anyFolded = foldableIds.some((id) => folded.has(id));
  const updateView = (changes: Partial<SavedView>) => {
    view.current = { ...view.current, ...changes };
    saveView(id, view.current);
  };
  const updateFolded = (next: ReadonlySet<string>) => {
    setFolded(next);
    updateView({ folded: [...next] });
  };
  const setFullscreen = (next: boolean) => {
    // A position is valid only for a frame of the same size.
    updateView({ place: null });
    setIsFullscreen(next);
  };
  const toggleFold = (node: string) => {
    const next = new Set(folded);
    if (!next.delete(node)) next.add(node);
    updateFolded(next);
  };
  return (
    <article
      className="mind-map"
      data-testid="mind-map"
      data-full-screen={isFullscreen || undefined}
      onKeyDown={({ key, currentTarget, target }) => {
        // Ignore Escape from dialogs and menus, which are rendered outside this element.
        if (key === 'Escape' && isFullscreen && currentTarget.contains(target as Node))
          setFullscreen(false);
      }}
    >
      <div className="map-tools">
        <SegmentedControl<'map' | 'outline'>
          label={t('mindMap.view')}
          value={layout}
          options={[
            { value: 'map', label: t('mindMap.map') },
            { value: 'outline', label: t('mindMap.outline') },
          ]}
          onChange={setLayout}
        />
        <span className="map-tools-end">
          {edits.canUndo && (
            <IconButton label={t('mindMap.undo')} data-testid="map-undo" onClick={edits.undo}>
              <Undo2 size={18} className="turns" />
            </IconButton>
          )}
          {layout === 'map' && foldableIds.length > 0 && (
            <IconButton
              label={t(anyFolded ? 'mindMap.unfoldAll' : 'mindMap.foldAll')}
              data-testid="map-fold-all"
              onClick={() => updateFolded(new Set(anyFolded ? [] : foldableIds))}
            >
              {anyFolded ? <UnfoldVertical size={18} /> : <FoldVertical size={18} />}
            </IconButton>
          )}
          <SaveMap record={tab.record} tree={tree} />
        </span>
      </div>
      {layout === 'map' ? (
        <MapBoard
          key={String(isFullscreen)}
          tree={tree}
          edits={edits}
          folded={folded}
          tab={tab}
          name={name}
          isFullscreen={isFullscreen}
          initialPosition={view.current.place}
          onIdle={(place) => updateView({ place })}
          onFold={toggleFold}
          onFullscreen={setFullscreen}
        />
      ) : (
        <MapOutline tree={tree} tab={tab} />
      )}
      {tab.document && !edits.isCustomized && (
        <p className="detail-label">{t(`detail.${tab.document.kind}`)}</p>
      )}
      {edits.isCustomized && (
        <p className="detail-label map-edited" data-testid="map-edited">
          {t('mindMap.own')}
          {edits.hasGenerated && (
            <button
              type="button"
              className="map-restore"
              data-testid="map-restore"
              onClick={edits.revert}
            >
              {t('mindMap.back')}
            </button>
          )}
        </p>
      )}
    </article>
  );
}
