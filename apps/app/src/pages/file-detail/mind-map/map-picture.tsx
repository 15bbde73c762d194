import { type KeyboardEvent, memo, useMemo } from 'react';
import { count } from '../../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../../i18n/index.ts';
import { listed } from '../../../i18n/joined.ts';
import {
  anchor,
  type Drawing,
  type PlacedLink,
  type PlacedNode,
  settingOf,
} from '../../../mind-map/layout.ts';
import type { Drop } from './use-map-pointer.ts';
import type { MapView, Sight } from './use-view.ts';

/** Pixels by which the fold button extends beyond its node. */
const fold = 30;

/** The button that folds a node's subtree, or shows how many nodes are folded. */
function Fold({ node, hidden }: { node: PlacedNode; hidden: string }) {
  const x = node.side === 'right' ? node.x + node.width + 11 : node.x - 11;
  return (
    <g className="map-fold" data-fold={node.id} data-folded={node.hidden > 0 || undefined}>
      <circle className="map-fold-target" cx={x} cy={anchor(node)} r="18" />
      <circle className="map-fold-mark" cx={x} cy={anchor(node)} r={node.hidden > 0 ? 10 : 6.5} />
      {node.hidden > 0 ? (
        <text x={x} y={anchor(node) + 4} className="map-fold-count">
          {hidden}
        </text>
      ) : (
        <path d={`M${x - 3} ${anchor(node)}h6`} className="map-fold-minus" />
      )}
    </g>
  );
}

const MapNode = memo(function MapNode({
  node,
  name,
  hidden,
  chosen,
  reachable,
  carried,
  drop,
  place,
  among,
  far,
}: {
  node: PlacedNode;
  name: string;
  /** Position among its siblings and their number, from 1, since not all of them may be rendered. */
  place: number;
  among: number;
  /** Zoomed out too far for text. */
  far: boolean;
  /** Number of folded nodes, in the language's digits. */
  hidden: string;
  chosen: boolean;
  /** Whether it is in the tab order. */
  reachable: boolean;
  carried: boolean;
  drop: Drop['where'] | null;
}) {
  const { size, leading, padX, padY } = settingOf(node.level);
  const { x, y, width, height } = node;
  const at = node.leftwards ? x + width - padX : x + padX;
  return (
    <g
      role="treeitem"
      className="map-node"
      data-node={node.id}
      data-testid="map-node"
      data-level={Math.min(node.level, 2)}
      data-colour={node.colour ?? undefined}
      data-carried={carried || undefined}
      data-drop={drop ?? undefined}
      aria-level={node.level + 1}
      aria-posinset={place}
      aria-setsize={among}
      aria-selected={chosen}
      aria-expanded={node.twigs > 0 ? node.hidden === 0 : undefined}
      aria-label={name}
      tabIndex={reachable ? 0 : -1}
    >
      <rect
        className="map-box"
        {...{ x, y, width, height }}
        rx={node.level === 0 ? Math.min(height / 2, 27) : 11}
      />
      {!far && (
        <text className="map-words" direction={node.leftwards ? 'rtl' : 'ltr'} fontSize={size}>
          {node.lines.map((line, index) => (
            <tspan
              // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a text have no other identity.
              key={index}
              x={at}
              y={y + padY + leading * (index + 0.5) + size * 0.35}
            >
              {line}
            </tspan>
          ))}
        </text>
      )}
      {drop && drop !== 'on' && (
        <path
          className="map-drop"
          d={`M${x} ${drop === 'before' ? y - 6 : y + height + 6}h${width}`}
        />
      )}
      {!far && node.twigs > 0 && node.level > 0 && <Fold node={node} hidden={hidden} />}
    </g>
  );
});

type Box = { left: number; top: number; right: number; bottom: number };

function boxOf({ x, y, width, height }: PlacedNode): Box {
  return { left: x - fold, top: y - fold, right: x + width + fold, bottom: y + height + fold };
}

function isInSight(sight: Sight, ...boxes: Box[]): boolean {
  return (
    boxes.some(({ left }) => left < sight.right) &&
    boxes.some(({ right }) => right > sight.left) &&
    boxes.some(({ top }) => top < sight.bottom) &&
    boxes.some(({ bottom }) => bottom > sight.top)
  );
}

/** Merges lines of the same style into one path, which is much faster when zoomed out. */
function joined(links: readonly PlacedLink[]): PlacedLink[] {
  const byLook = new Map<string, PlacedLink>();
  for (const { colour, level, d } of links) {
    const id = `${colour} ${Math.min(level, 2)}`;
    byLook.set(id, { id, colour, level, d: (byLook.get(id)?.d ?? '') + d });
  }
  return [...byLook.values()];
}

/** Node texts drawn as lines. */
function strokes(nodes: readonly PlacedNode[]): string {
  return nodes
    .flatMap(({ x, y, width, level, lines }) => {
      const { padX, padY, leading } = settingOf(level);
      const from = Math.round(x + padX);
      const long = Math.round(width - 2 * padX);
      return lines.map(
        (_, index) => `M${from} ${Math.round(y + padY + leading * (index + 0.5))}h${long}`,
      );
    })
    .join('');
}

/** The map itself: a tree navigated with arrow keys. */
export function MapPicture({
  name,
  drawing,
  topics,
  chosen,
  carry,
  view,
  keysId,
  onKeyDown,
  onFocus,
}: {
  name: string;
  drawing: Drawing;
  /** Full texts by node. */
  topics: ReadonlyMap<string, string>;
  chosen: string | null;
  carry: { id: string; drop: Drop | null } | null;
  view: MapView;
  keysId: string;
  onKeyDown(event: KeyboardEvent): void;
  onFocus(id: string): void;
}) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { nodes } = drawing;
  const { sight } = view;
  const known = useMemo(() => {
    const byId = new Map(nodes.map((node) => [node.id, node]));
    const order = new Map<string, number>();
    const sizes = new Map<string | null, number>();
    for (const { id, parent } of nodes) {
      const place = (sizes.get(parent) ?? 0) + 1;
      sizes.set(parent, place);
      order.set(id, place);
    }
    return { byId, order, sizes };
  }, [nodes]);
  const words = ({ id, hidden }: PlacedNode) => {
    const name = topics.get(id) ?? '';
    if (hidden === 0) return { name, hidden: '' };
    const formatted = count(hidden, language);
    const hint = t('mindMap.hidden', { count: hidden, formatted });
    return { name: listed([name, hint], language), hidden: formatted };
  };
  const reachable = nodes.some(({ id }) => id === chosen) ? chosen : nodes[0]?.id;
  // The focused and the dragged node stay rendered, even out of view.
  const pinned = new Set([reachable, carry?.id]);
  const drawn = nodes.filter((node) => pinned.has(node.id) || isInSight(sight, boxOf(node)));
  const links = drawing.links.filter(({ id }) => {
    const to = known.byId.get(id);
    const from = to?.parent ? known.byId.get(to.parent) : undefined;
    return to && from && isInSight(sight, boxOf(from), boxOf(to));
  });
  return (
    <svg className="map-picture" role="presentation" data-testid="map-picture">
      <g
        ref={view.layer}
        role="tree"
        aria-label={t('mindMap.label', { name })}
        aria-describedby={keysId}
        data-testid="map-layer"
        onKeyDown={onKeyDown}
        onFocus={(event) => {
          const id = event.target.getAttribute('data-node');
          if (id !== null) onFocus(id);
        }}
      >
        <g className="map-links">
          {(sight.far ? joined(links) : links).map(({ id, d, colour, level }) => (
            <path key={id} d={d} data-colour={colour} data-level={level === 1 ? 1 : 2} />
          ))}
        </g>
        {drawn.map((node) => (
          <MapNode
            key={node.id}
            node={node}
            {...words(node)}
            place={known.order.get(node.id) ?? 1}
            among={known.sizes.get(node.parent) ?? 1}
            far={sight.far && node.level > 1}
            chosen={node.id === chosen}
            reachable={node.id === reachable}
            carried={carry?.id === node.id}
            drop={carry?.drop?.id === node.id ? carry.drop.where : null}
          />
        ))}
        {sight.far && (
          <path className="map-strokes" d={strokes(drawn.filter(({ level }) => level > 1))} />
        )}
      </g>
    </svg>
  );
}
