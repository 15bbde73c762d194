import {
  anchor,
  type Drawing,
  getTypography,
  type PlacedLink,
  type PlacedNode,
} from '@linnet/mind-map/layout';
import { type KeyboardEvent, memo, useMemo } from 'react';
import { formatCount } from '../../../i18n/format.ts';
import { useLanguage, useTranslation } from '../../../i18n/index.ts';
import { joinList } from '../../../i18n/joined.ts';
import type { Drop } from './use-map-pointer.ts';
import type { MapView, RenderedArea } from './use-view.ts';

/** How far, in pixels, the fold button extends beyond its node. */
const foldButtonWidth = 30;

/** A button that folds or unfolds a node's subtree. A folded subtree shows how many nodes it has. */
function FoldButton({ node, hidden }: { node: PlacedNode; hidden: string }) {
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
  isSelected,
  isTabStop,
  isDragged,
  drop,
  place,
  among,
  isFar,
}: {
  node: PlacedNode;
  name: string;
  /** `aria-posinset` and `aria-setsize`, needed because some siblings may not be rendered. */
  place: number;
  among: number;
  /** Whether the map is zoomed out too far to show text. */
  isFar: boolean;
  /** Number of folded nodes, in the language's digits. */
  hidden: string;
  isSelected: boolean;
  /** Whether the node is the map's tab stop. */
  isTabStop: boolean;
  isDragged: boolean;
  drop: Drop['where'] | null;
}) {
  const { size, leading, padX, padY } = getTypography(node.level);
  const { x, y, width, height } = node;
  const textX = node.isRightToLeft ? x + width - padX : x + padX;
  return (
    <g
      role="treeitem"
      className="map-node"
      data-node={node.id}
      data-testid="map-node"
      data-level={Math.min(node.level, 2)}
      data-color={node.color ?? undefined}
      data-carried={isDragged || undefined}
      data-drop={drop ?? undefined}
      aria-level={node.level + 1}
      aria-posinset={place}
      aria-setsize={among}
      aria-selected={isSelected}
      aria-expanded={node.childCount > 0 ? node.hidden === 0 : undefined}
      aria-label={name}
      tabIndex={isTabStop ? 0 : -1}
    >
      <rect
        className="map-box"
        x={x}
        y={y}
        width={width}
        height={height}
        rx={node.level === 0 ? Math.min(height / 2, 27) : 11}
      />
      {!isFar && (
        <text className="map-words" direction={node.isRightToLeft ? 'rtl' : 'ltr'} fontSize={size}>
          {node.lines.map((line, index) => (
            <tspan
              // biome-ignore lint/suspicious/noArrayIndexKey: the lines of text have no other identity.
              key={index}
              x={textX}
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
      {!isFar && node.childCount > 0 && node.level > 0 && (
        <FoldButton node={node} hidden={hidden} />
      )}
    </g>
  );
});

type Box = { left: number; top: number; right: number; bottom: number };

function boundingBox({ x, y, width, height }: PlacedNode): Box {
  return {
    left: x - foldButtonWidth,
    top: y - foldButtonWidth,
    right: x + width + foldButtonWidth,
    bottom: y + height + foldButtonWidth,
  };
}

function intersects(area: RenderedArea, ...boxes: Box[]): boolean {
  return (
    boxes.some(({ left }) => left < area.right) &&
    boxes.some(({ right }) => right > area.left) &&
    boxes.some(({ top }) => top < area.bottom) &&
    boxes.some(({ bottom }) => bottom > area.top)
  );
}

/** Merges links of the same style into one path, which is much faster to render when zoomed out. */
function mergeLinks(links: readonly PlacedLink[]): PlacedLink[] {
  const byStyle = new Map<string, PlacedLink>();
  for (const { color, level, d } of links) {
    const id = `${color} ${Math.min(level, 2)}`;
    byStyle.set(id, { id, color, level, d: (byStyle.get(id)?.d ?? '') + d });
  }
  return [...byStyle.values()];
}

/** Returns path data that draws the nodes' text as lines. */
function textStrokes(nodes: readonly PlacedNode[]): string {
  return nodes
    .flatMap(({ x, y, width, level, lines }) => {
      const { padX, padY, leading } = getTypography(level);
      const from = Math.round(x + padX);
      const length = Math.round(width - 2 * padX);
      return lines.map(
        (_, index) => `M${from} ${Math.round(y + padY + leading * (index + 0.5))}h${length}`,
      );
    })
    .join('');
}

/** Renders the mind map as SVG, with the `tree` role and arrow-key navigation. */
export function MapPicture({
  name,
  drawing,
  topics,
  selectedId,
  drag,
  view,
  keysId,
  onKeyDown,
  onFocus,
}: {
  name: string;
  drawing: Drawing;
  /** Full text by node. */
  topics: ReadonlyMap<string, string>;
  selectedId: string | null;
  drag: { id: string; drop: Drop | null } | null;
  view: MapView;
  keysId: string;
  onKeyDown(event: KeyboardEvent): void;
  onFocus(id: string): void;
}) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { nodes } = drawing;
  const { renderedArea } = view;
  const index = useMemo(() => {
    const byId = new Map(nodes.map((node) => [node.id, node]));
    const order = new Map<string, number>();
    const sizes = new Map<string | null, number>();
    for (const { id, parent } of nodes) {
      const position = (sizes.get(parent) ?? 0) + 1;
      sizes.set(parent, position);
      order.set(id, position);
    }
    return { byId, order, sizes };
  }, [nodes]);
  const labelNode = ({ id, hidden }: PlacedNode) => {
    const name = topics.get(id) ?? '';
    if (hidden === 0) return { name, hidden: '' };
    const formatted = formatCount(hidden, language);
    const hint = t('mindMap.hidden', { count: hidden, formatted });
    return { name: joinList([name, hint], language), hidden: formatted };
  };
  const tabStopId = nodes.some(({ id }) => id === selectedId) ? selectedId : nodes[0]?.id;
  // Keep the focused node and the dragged node rendered even when they are out of view.
  const pinned = new Set([tabStopId, drag?.id]);
  const visibleNodes = nodes.filter(
    (node) => pinned.has(node.id) || intersects(renderedArea, boundingBox(node)),
  );
  const links = drawing.links.filter(({ id }) => {
    const to = index.byId.get(id);
    const from = to?.parent ? index.byId.get(to.parent) : undefined;
    return to && from && intersects(renderedArea, boundingBox(from), boundingBox(to));
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
          {(renderedArea.isFar ? mergeLinks(links) : links).map(({ id, d, color, level }) => (
            <path key={id} d={d} data-color={color} data-level={level === 1 ? 1 : 2} />
          ))}
        </g>
        {visibleNodes.map((node) => (
          <MapNode
            key={node.id}
            node={node}
            {...labelNode(node)}
            place={index.order.get(node.id) ?? 1}
            among={index.sizes.get(node.parent) ?? 1}
            isFar={renderedArea.isFar && node.level > 1}
            isSelected={node.id === selectedId}
            isTabStop={node.id === tabStopId}
            isDragged={drag?.id === node.id}
            drop={drag?.drop?.id === node.id ? drag.drop.where : null}
          />
        ))}
        {renderedArea.isFar && (
          <path
            className="map-strokes"
            d={textStrokes(visibleNodes.filter(({ level }) => level > 1))}
          />
        )}
      </g>
    </svg>
  );
}
