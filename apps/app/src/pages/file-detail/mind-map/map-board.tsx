import { findSpot, insert, move, moveByStep, removeBranch, rename } from '@linnet/mind-map/edits';
import { layOutMindMap } from '@linnet/mind-map/layout';
import { findPath, type MindMapBranch } from '@linnet/mind-map/tree';
import Expand from 'lucide-react/icons/expand';
import Minus from 'lucide-react/icons/minus';
import Plus from 'lucide-react/icons/plus';
import Scan from 'lucide-react/icons/scan';
import Shrink from 'lucide-react/icons/shrink';
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { getDirection, useLanguage, useTranslation } from '../../../i18n/index.ts';
import { useIsWide } from '../../../page-kit/media.ts';
import { IconButton } from '../../../ui/button.tsx';
import { Prompt } from '../../../ui/dialog.tsx';
import type { TabProps } from '../tab.ts';
import { keyCommand } from './map-keys.ts';
import { MapPicture } from './map-picture.tsx';
import { NodeToolbar } from './node-toolbar.tsx';
import { createTextMeasure, pageFonts } from './page-style.ts';
import type { ViewPosition } from './saved-view.ts';
import { type MapEdits, newId } from './use-map-edits.ts';
import { type Drop, useMapPointer } from './use-map-pointer.ts';
import { useView } from './use-view.ts';

/** Maximum length of a node's text in characters. Longer text would make the map hard to read. */
const topicMaxLength = 300;

/** The open text prompt, which either renames a node or adds one under `parent` at index `place`. */
type TopicInput =
  | { readonly kind: 'rename'; readonly branch: MindMapBranch }
  | { readonly kind: 'add'; readonly parent: string; readonly place?: number };

function listTopics(branch: MindMapBranch): [string, string][] {
  return [[branch.id, branch.topic], ...branch.children.flatMap(listTopics)];
}

/** Shows the interactive mind map, with panning, zooming, navigation, folding and editing. */
export function MapBoard({
  tree,
  edits,
  folded,
  initialPosition,
  onIdle,
  onFold,
  tab,
  name,
  isFullscreen,
  onFullscreen,
}: {
  tree: MindMapBranch;
  edits: MapEdits;
  folded: ReadonlySet<string>;
  /** The initial view; null for the start of the map. */
  initialPosition: ViewPosition | null;
  onIdle(place: ViewPosition): void;
  /** Folds or unfolds a node. */
  onFold(id: string): void;
  tab: TabProps;
  name: string;
  /** Whether the map fills the screen. */
  isFullscreen: boolean;
  onFullscreen(isFullscreen: boolean): void;
}) {
  const { t } = useTranslation();
  const language = useLanguage();
  const keysId = useId();
  const side = getDirection(language) === 'rtl' ? 'left' : 'right';
  const isWide = useIsWide();
  const measure = useMemo(createTextMeasure, []);
  const drawing = useMemo(
    () =>
      layOutMindMap(tree, {
        fonts: pageFonts(),
        measure,
        preferredSide: side,
        folded,
        isNarrow: !isWide,
      }),
    [tree, measure, side, folded, isWide],
  );
  const topics = useMemo(() => new Map(listTopics(tree)), [tree]);
  const [selectedId, selectNode] = useState<string | null>(null);
  const [, forceRender] = useState(0);
  const [topicInput, setTopicInput] = useState<TopicInput | null>(null);
  const view = useView(drawing, selectedId, initialPosition, onIdle);
  const selected = selectedId === null ? undefined : findPath(tree, selectedId).at(-1);
  const { frame } = view;

  // The node selected by keyboard or by an edit. Focused and scrolled into view as soon as it is rendered.
  const pendingFocus = useRef<string | null>(null);
  useEffect(() => {
    const id = pendingFocus.current;
    const node = drawing.nodes.find((each) => each.id === id);
    if (!node || id === null) return;
    pendingFocus.current = null;
    view.reveal(node);
    const element = frame.current?.querySelector<SVGElement>(`[data-node="${CSS.escape(id)}"]`);
    element?.focus({ preventScroll: true });
  });
  function focusNode(id: string): void {
    pendingFocus.current = id;
    selectNode(id);
    // Force a render even if the node was already selected.
    forceRender((times) => times + 1);
  }
  const pointer = useMapPointer(drawing, view, {
    choose(id) {
      if (id === null) selectNode(null);
      else focusNode(id);
    },
    fold: onFold,
    dropNode(id: string, drop: Drop) {
      const position = drop.where === 'on' ? null : findSpot(removeBranch(tree, id), drop.id);
      const isApplied = edits.change((current) => {
        if (drop.where === 'on') return move(current, id, drop.id);
        if (!position) return current;
        return move(
          current,
          id,
          position.parent,
          position.place + (drop.where === 'after' ? 1 : 0),
        );
      }, t('mindMap.moved'));
      if (isApplied) focusNode(id);
    },
  });

  function removeNode(branch: MindMapBranch): void {
    const position = findSpot(tree, branch.id);
    const message = t('mindMap.removed', { topic: branch.topic });
    if (position && edits.change((current) => removeBranch(current, branch.id), message))
      focusNode(position.parent);
  }
  function moveNode(branch: MindMapBranch, direction: 'up' | 'down' | 'in' | 'out'): void {
    if (edits.change((current) => moveByStep(current, branch.id, direction))) focusNode(branch.id);
  }
  function addSibling(branch: MindMapBranch): void {
    const position = findSpot(tree, branch.id);
    if (position)
      setTopicInput({ kind: 'add', parent: position.parent, place: position.place + 1 });
  }
  function saveTopic(topic: string): void {
    if (topicInput?.kind === 'rename') {
      edits.change((current) => rename(current, topicInput.branch.id, topic));
      focusNode(topicInput.branch.id);
    } else if (topicInput) {
      const branch = { id: newId(), topic, source: null, children: [] };
      if (folded.has(topicInput.parent)) onFold(topicInput.parent);
      if (edits.change((current) => insert(current, topicInput.parent, branch, topicInput.place)))
        focusNode(branch.id);
    }
    setTopicInput(null);
  }
  function onKeyDown(event: KeyboardEvent): void {
    const command = selected && keyCommand(event, drawing, selected.id);
    if (!command) return;
    event.preventDefault();
    // Keep the list beside the map from handling arrow keys too.
    event.stopPropagation();
    if (command.kind === 'choose') focusNode(command.node.id);
    else if (command.kind === 'fold') onFold(command.id);
    else if (command.kind === 'move') moveNode(selected, command.direction);
    else if (command.kind === 'rename') setTopicInput({ kind: 'rename', branch: selected });
    else if (command.kind === 'child') setTopicInput({ kind: 'add', parent: selected.id });
    else if (command.kind === 'sibling') addSibling(selected);
    else if (command.kind === 'remove') removeNode(selected);
    else edits.undo();
  }

  return (
    <div className="map-board">
      <div
        className="map-frame"
        ref={frame}
        dir="ltr"
        data-carrying={pointer.drag !== null || undefined}
        {...pointer.handlers}
      >
        <MapPicture
          name={name}
          drawing={drawing}
          topics={topics}
          view={view}
          keysId={keysId}
          onKeyDown={onKeyDown}
          selectedId={selectedId}
          drag={pointer.drag}
          onFocus={selectNode}
        />
      </div>
      <p id={keysId} className="visually-hidden">
        {t('mindMap.keys')}
      </p>
      <div className="map-zoom">
        <IconButton label={t('mindMap.zoomIn')} data-testid="map-zoom-in" onClick={view.zoomIn}>
          <Plus size={18} />
        </IconButton>
        <IconButton label={t('mindMap.zoomOut')} data-testid="map-smaller" onClick={view.zoomOut}>
          <Minus size={18} />
        </IconButton>
        <IconButton label={t('mindMap.fit')} data-testid="map-fit" onClick={view.fit}>
          <Scan size={18} />
        </IconButton>
        <IconButton
          label={t(isFullscreen ? 'mindMap.leaveWhole' : 'mindMap.whole')}
          data-testid="map-full-screen"
          onClick={() => onFullscreen(!isFullscreen)}
        >
          {isFullscreen ? <Shrink size={18} /> : <Expand size={18} />}
        </IconButton>
      </div>
      {selected && (
        <NodeToolbar
          branch={selected}
          isRoot={selected.id === tree.id}
          tab={tab}
          onRename={() => setTopicInput({ kind: 'rename', branch: selected })}
          onChild={() => setTopicInput({ kind: 'add', parent: selected.id })}
          onSibling={() => addSibling(selected)}
          onRemove={() => removeNode(selected)}
          onMove={(direction) => moveNode(selected, direction)}
        />
      )}
      {topicInput && (
        <Prompt
          title={t(topicInput.kind === 'rename' ? 'mindMap.rename' : 'mindMap.newBranch')}
          label={t('mindMap.words')}
          value={topicInput.kind === 'rename' ? topicInput.branch.topic : ''}
          maxLength={topicMaxLength}
          submitLabel={t(topicInput.kind === 'rename' ? 'common.save' : 'mindMap.add')}
          onSubmit={saveTopic}
          onCancel={() => setTopicInput(null)}
        />
      )}
    </div>
  );
}
