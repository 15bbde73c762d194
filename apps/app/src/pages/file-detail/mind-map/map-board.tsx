import Expand from 'lucide-react/icons/expand';
import Minus from 'lucide-react/icons/minus';
import Plus from 'lucide-react/icons/plus';
import Scan from 'lucide-react/icons/scan';
import Shrink from 'lucide-react/icons/shrink';
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { directionOf, useLanguage, useTranslation } from '../../../i18n/index.ts';
import { insert, move, prune, rename, spotOf, step } from '../../../mind-map/edits.ts';
import { layOut } from '../../../mind-map/layout.ts';
import { type MindMapBranch, pathTo } from '../../../mind-map/tree.ts';
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

/** Maximum length of a node's text at which a map remains readable. */
const topicMaxLength = 300;

/** The text input: for an existing node, or for a new node at a position. */
type TopicInput =
  | { readonly kind: 'rename'; readonly branch: MindMapBranch }
  | { readonly kind: 'add'; readonly parent: string; readonly place?: number };

function listTopics(branch: MindMapBranch): [string, string][] {
  return [[branch.id, branch.topic], ...branch.children.flatMap(listTopics)];
}

/** The interactive mind map: panning and zooming, navigation, folding and editing. */
export function MapBoard({
  tree,
  edits,
  folded,
  initialPosition,
  onStill,
  onFold,
  tab,
  name,
  isFullscreen,
  onWhole,
}: {
  tree: MindMapBranch;
  edits: MapEdits;
  folded: ReadonlySet<string>;
  /** The initial view; null for the start of the map. */
  initialPosition: ViewPosition | null;
  onStill(place: ViewPosition): void;
  /** Toggles the folding of a node. */
  onFold(id: string): void;
  tab: TabProps;
  name: string;
  /** Whether the map fills the screen. */
  isFullscreen: boolean;
  onWhole(isFullscreen: boolean): void;
}) {
  const { t } = useTranslation();
  const language = useLanguage();
  const keysId = useId();
  const side = directionOf(language) === 'rtl' ? 'left' : 'right';
  const wide = useIsWide();
  const measure = useMemo(createTextMeasure, []);
  const drawing = useMemo(
    () => layOut(tree, { faces: pageFonts(), measure, towards: side, folded, narrow: !wide }),
    [tree, measure, side, folded, wide],
  );
  const topics = useMemo(() => new Map(listTopics(tree)), [tree]);
  const [chosenId, choose] = useState<string | null>(null);
  const [, forceRender] = useState(0);
  const [input, setInput] = useState<TopicInput | null>(null);
  const view = useView(drawing, chosenId, initialPosition, onStill);
  const chosen = chosenId === null ? undefined : pathTo(tree, chosenId).at(-1);
  const { frame } = view;

  // Once rendered, a node selected by keyboard or by an edit is focused and scrolled into view.
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
    choose(id);
    // Forces a render even if the node was already selected.
    forceRender((times) => times + 1);
  }
  const pointer = useMapPointer(drawing, view, {
    choose(id) {
      if (id === null) choose(null);
      else focusNode(id);
    },
    fold: onFold,
    drop(id: string, drop: Drop) {
      const position = drop.where === 'on' ? null : spotOf(prune(tree, id), drop.id);
      const done = edits.change((current) => {
        if (drop.where === 'on') return move(current, id, drop.id);
        if (!position) return current;
        return move(
          current,
          id,
          position.parent,
          position.place + (drop.where === 'after' ? 1 : 0),
        );
      }, t('mindMap.moved'));
      if (done) focusNode(id);
    },
  });

  function remove(branch: MindMapBranch): void {
    const spot = spotOf(tree, branch.id);
    const words = t('mindMap.removed', { topic: branch.topic });
    if (spot && edits.change((current) => prune(current, branch.id), words)) focusNode(spot.parent);
  }
  function moveNode(branch: MindMapBranch, direction: 'up' | 'down' | 'in' | 'out'): void {
    if (edits.change((current) => step(current, branch.id, direction))) focusNode(branch.id);
  }
  function addSibling(branch: MindMapBranch): void {
    const spot = spotOf(tree, branch.id);
    if (spot) setInput({ kind: 'add', parent: spot.parent, place: spot.place + 1 });
  }
  function saveTopic(words: string): void {
    if (input?.kind === 'rename') {
      edits.change((current) => rename(current, input.branch.id, words));
      focusNode(input.branch.id);
    } else if (input) {
      const branch = { id: newId(), topic: words, source: null, children: [] };
      if (folded.has(input.parent)) onFold(input.parent);
      if (edits.change((current) => insert(current, input.parent, branch, input.place)))
        focusNode(branch.id);
    }
    setInput(null);
  }
  function onKeyDown(event: KeyboardEvent): void {
    const command = chosen && keyCommand(event, drawing, chosen.id);
    if (!command) return;
    event.preventDefault();
    // The list beside it would also handle arrow keys.
    event.stopPropagation();
    if (command.kind === 'choose') focusNode(command.node.id);
    else if (command.kind === 'fold') onFold(command.id);
    else if (command.kind === 'move') moveNode(chosen, command.way);
    else if (command.kind === 'rename') setInput({ kind: 'rename', branch: chosen });
    else if (command.kind === 'child') setInput({ kind: 'add', parent: chosen.id });
    else if (command.kind === 'sibling') addSibling(chosen);
    else if (command.kind === 'remove') remove(chosen);
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
          {...{ name, drawing, topics, view, keysId, onKeyDown }}
          chosen={chosenId}
          drag={pointer.drag}
          onFocus={choose}
        />
      </div>
      <p id={keysId} className="visually-hidden">
        {t('mindMap.keys')}
      </p>
      <div className="map-zoom">
        <IconButton label={t('mindMap.zoomIn')} data-testid="map-larger" onClick={view.larger}>
          <Plus size={18} />
        </IconButton>
        <IconButton label={t('mindMap.zoomOut')} data-testid="map-smaller" onClick={view.smaller}>
          <Minus size={18} />
        </IconButton>
        <IconButton label={t('mindMap.fit')} data-testid="map-fit" onClick={view.fit}>
          <Scan size={18} />
        </IconButton>
        <IconButton
          label={t(isFullscreen ? 'mindMap.leaveWhole' : 'mindMap.whole')}
          data-testid="map-whole"
          onClick={() => onWhole(!isFullscreen)}
        >
          {isFullscreen ? <Shrink size={18} /> : <Expand size={18} />}
        </IconButton>
      </div>
      {chosen && (
        <NodeToolbar
          branch={chosen}
          isRoot={chosen.id === tree.id}
          tab={tab}
          onRename={() => setInput({ kind: 'rename', branch: chosen })}
          onChild={() => setInput({ kind: 'add', parent: chosen.id })}
          onSibling={() => addSibling(chosen)}
          onRemove={() => remove(chosen)}
          onMove={(way) => moveNode(chosen, way)}
        />
      )}
      {input && (
        <Prompt
          title={t(input.kind === 'rename' ? 'mindMap.rename' : 'mindMap.newBranch')}
          label={t('mindMap.words')}
          value={input.kind === 'rename' ? input.branch.topic : ''}
          maxLength={topicMaxLength}
          submitLabel={t(input.kind === 'rename' ? 'common.save' : 'mindMap.add')}
          onSubmit={saveTopic}
          onCancel={() => setInput(null)}
        />
      )}
    </div>
  );
}
