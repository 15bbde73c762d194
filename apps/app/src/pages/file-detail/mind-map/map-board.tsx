import Expand from 'lucide-react/icons/expand';
import Minus from 'lucide-react/icons/minus';
import Plus from 'lucide-react/icons/plus';
import Scan from 'lucide-react/icons/scan';
import Shrink from 'lucide-react/icons/shrink';
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { directionOf, useLanguage, useTranslation } from '../../../i18n/index.ts';
import { insert, move, prune, rename, spotOf, step } from '../../../mind-map/edits.ts';
import { layOut } from '../../../mind-map/layout.ts';
import { pathTo, type Twig } from '../../../mind-map/tree.ts';
import { useIsWide } from '../../../page-kit/media.ts';
import { IconButton } from '../../../ui/button.tsx';
import { Prompt } from '../../../ui/dialog.tsx';
import type { TabProps } from '../tab.ts';
import { ChosenBar } from './chosen-bar.tsx';
import { keyCommand } from './map-keys.ts';
import { MapPicture } from './map-picture.tsx';
import { pageFaces, pageMeasure } from './page-look.ts';
import type { Place } from './saved-view.ts';
import { type MapEdits, newId } from './use-map-edits.ts';
import { type Drop, useMapPointer } from './use-map-pointer.ts';
import { useView } from './use-view.ts';

/** Maximum length of a node's text that is still readable on a map. */
const topicMaxLength = 300;

/** The text being entered: for an existing node, or for a new one at a position. */
type Writing =
  | { readonly kind: 'rename'; readonly twig: Twig }
  | { readonly kind: 'add'; readonly parent: string; readonly place?: number };

function topicsOf(twig: Twig): [string, string][] {
  return [[twig.id, twig.topic], ...twig.twigs.flatMap(topicsOf)];
}

/** The interactive mind map: panning and zooming, navigation, folding and editing. */
export function MapBoard({
  tree,
  edits,
  folded,
  from,
  onStill,
  onFold,
  tab,
  name,
  whole,
  onWhole,
}: {
  tree: Twig;
  edits: MapEdits;
  folded: ReadonlySet<string>;
  /** The initial view; null for the start of the map. */
  from: Place | null;
  onStill(place: Place): void;
  /** Toggles the folding of a node. */
  onFold(id: string): void;
  tab: TabProps;
  name: string;
  /** Whether it fills the screen. */
  whole: boolean;
  onWhole(whole: boolean): void;
}) {
  const { t } = useTranslation();
  const language = useLanguage();
  const keysId = useId();
  const towards = directionOf(language) === 'rtl' ? 'left' : 'right';
  const wide = useIsWide();
  const measure = useMemo(pageMeasure, []);
  const drawing = useMemo(
    () => layOut(tree, { faces: pageFaces(), measure, towards, folded, narrow: !wide }),
    [tree, measure, towards, folded, wide],
  );
  const topics = useMemo(() => new Map(topicsOf(tree)), [tree]);
  const [chosenId, choose] = useState<string | null>(null);
  const [, drawAgain] = useState(0);
  const [writing, setWriting] = useState<Writing | null>(null);
  const view = useView(drawing, chosenId, from, onStill);
  const chosen = chosenId === null ? undefined : pathTo(tree, chosenId).at(-1);
  const { frame } = view;

  // A node selected by keyboard or by an edit receives focus and scrolls into view once it is rendered.
  const follow = useRef<string | null>(null);
  useEffect(() => {
    const id = follow.current;
    const node = drawing.nodes.find((each) => each.id === id);
    if (!node || id === null) return;
    follow.current = null;
    view.reveal(node);
    const element = frame.current?.querySelector<SVGElement>(`[data-node="${CSS.escape(id)}"]`);
    element?.focus({ preventScroll: true });
  });
  function goTo(id: string): void {
    follow.current = id;
    choose(id);
    // If it was already selected, React would not render again.
    drawAgain((times) => times + 1);
  }
  const pointer = useMapPointer(drawing, view, {
    choose(id) {
      if (id === null) choose(null);
      else goTo(id);
    },
    fold: onFold,
    drop(id: string, drop: Drop) {
      const spot = drop.where === 'on' ? null : spotOf(prune(tree, id), drop.id);
      const done = edits.change((from) => {
        if (drop.where === 'on') return move(from, id, drop.id);
        if (!spot) return from;
        return move(from, id, spot.parent, spot.place + (drop.where === 'after' ? 1 : 0));
      }, t('mindMap.moved'));
      if (done) goTo(id);
    },
  });

  function remove(twig: Twig): void {
    const spot = spotOf(tree, twig.id);
    const words = t('mindMap.removed', { topic: twig.topic });
    if (spot && edits.change((from) => prune(from, twig.id), words)) goTo(spot.parent);
  }
  function carry(twig: Twig, way: 'up' | 'down' | 'in' | 'out'): void {
    if (edits.change((from) => step(from, twig.id, way))) goTo(twig.id);
  }
  function addBeside(twig: Twig): void {
    const spot = spotOf(tree, twig.id);
    if (spot) setWriting({ kind: 'add', parent: spot.parent, place: spot.place + 1 });
  }
  function written(words: string): void {
    if (writing?.kind === 'rename') {
      edits.change((from) => rename(from, writing.twig.id, words));
      goTo(writing.twig.id);
    } else if (writing) {
      const twig = { id: newId(), topic: words, source: null, twigs: [] };
      if (folded.has(writing.parent)) onFold(writing.parent);
      if (edits.change((from) => insert(from, writing.parent, twig, writing.place))) goTo(twig.id);
    }
    setWriting(null);
  }
  function onKeyDown(event: KeyboardEvent): void {
    const command = chosen && keyCommand(event, drawing, chosen.id);
    if (!command) return;
    event.preventDefault();
    // The list beside it would also handle arrow keys.
    event.stopPropagation();
    if (command.kind === 'choose') goTo(command.node.id);
    else if (command.kind === 'fold') onFold(command.id);
    else if (command.kind === 'move') carry(chosen, command.way);
    else if (command.kind === 'rename') setWriting({ kind: 'rename', twig: chosen });
    else if (command.kind === 'child') setWriting({ kind: 'add', parent: chosen.id });
    else if (command.kind === 'sibling') addBeside(chosen);
    else if (command.kind === 'remove') remove(chosen);
    else edits.undo();
  }

  return (
    <div className="map-board">
      <div
        className="map-frame"
        ref={frame}
        dir="ltr"
        data-carrying={pointer.carry !== null || undefined}
        {...pointer.handlers}
      >
        <MapPicture
          {...{ name, drawing, topics, view, keysId, onKeyDown }}
          chosen={chosenId}
          carry={pointer.carry}
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
          label={t(whole ? 'mindMap.leaveWhole' : 'mindMap.whole')}
          data-testid="map-whole"
          onClick={() => onWhole(!whole)}
        >
          {whole ? <Shrink size={18} /> : <Expand size={18} />}
        </IconButton>
      </div>
      {chosen && (
        <ChosenBar
          twig={chosen}
          root={chosen.id === tree.id}
          tab={tab}
          onRename={() => setWriting({ kind: 'rename', twig: chosen })}
          onChild={() => setWriting({ kind: 'add', parent: chosen.id })}
          onSibling={() => addBeside(chosen)}
          onRemove={() => remove(chosen)}
          onMove={(way) => carry(chosen, way)}
        />
      )}
      {writing && (
        <Prompt
          title={t(writing.kind === 'rename' ? 'mindMap.rename' : 'mindMap.newBranch')}
          label={t('mindMap.words')}
          value={writing.kind === 'rename' ? writing.twig.topic : ''}
          maxLength={topicMaxLength}
          go={t(writing.kind === 'rename' ? 'common.save' : 'mindMap.add')}
          onGo={written}
          onCancel={() => setWriting(null)}
        />
      )}
    </div>
  );
}
