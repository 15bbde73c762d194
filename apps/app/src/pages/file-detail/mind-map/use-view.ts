import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Drawing, PlacedNode } from '../../../mind-map/layout.ts';
import type { ViewPosition } from './saved-view.ts';

/** Limits of the scale. */
const minScale = 0.05;
const maxScale = 2.5;
/** The minimum scale with readable text, and of the initial view, even if the map does not fit. */
const minReadableScale = 0.6;
/** Zoom factor of a button press and of a wheel step. */
const buttonStep = 1.3;
const wheelStep = 0.0018;
/** Height of the buttons at the top, in pixels. */
const toolbarHeight = 60;
/** Margin around a revealed node, in pixels. */
const revealMargin = 24;
/** Idle time in milliseconds after which the view is saved. */
const idleMs = 150;

/** Maximum number of nodes for which the map is always fully rendered. */
const maxNodesFullyRendered = 60;
/**
 * Margin rendered around the viewport, as a fraction of its size. The area is rendered again when the view
 * leaves the margin.
 */
const overscan = 0.5;
/** The minimum scale with legible text. At smaller scales, text is drawn as lines. */
const minLegibleScale = 0.17;

type View = { x: number; y: number; scale: number };
/** The rendered area of a map, in drawing pixels. */
export type RenderedArea = {
  readonly initialView: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  /** Scaled down so far that text is drawn as lines. */
  readonly isFar: boolean;
};
const everything: RenderedArea = {
  ...{ initialView: -Infinity, top: -Infinity, right: Infinity, bottom: Infinity, isFar: false },
};
const nothing: RenderedArea = { initialView: 0, top: 0, right: 0, bottom: 0, isFar: false };

/** Whether the rendered area covers the visible one without being much larger. */
function covers(drawn: RenderedArea, seen: RenderedArea): boolean {
  const within =
    drawn.initialView <= seen.initialView &&
    drawn.top <= seen.top &&
    drawn.right >= seen.right &&
    drawn.bottom >= seen.bottom;
  const maxWidth = 2 * (1 + 2 * overscan) * (seen.right - seen.initialView);
  return within && drawn.isFar === seen.isFar && drawn.right - drawn.initialView <= maxWidth;
}

/**
 * The view of a map, moved and scaled outside React so that it follows the finger. When the frame is resized,
 * for example by rotating the phone, the view keeps its position, and a map that was only fitted is fitted
 * again.
 * @param anchored the node that stays in view, and its position, while others move
 * @param initialPosition the initial view; the start of the map by default
 * @param onIdle called when the view comes to rest
 */
export function useView(
  drawing: Drawing,
  anchored: string | null,
  initialPosition: ViewPosition | null,
  onIdle: (place: ViewPosition) => void,
) {
  const frame = useRef<HTMLDivElement>(null);
  const layer = useRef<SVGGElement>(null);
  const view = useRef<View | null>(null);
  /** The minimum scale of the last fit; null once the user has moved the view. */
  const fitted = useRef<number | null>(null);
  const drawn = useRef(drawing);
  const anchor = useRef(anchored);
  anchor.current = anchored;
  const idleTimer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const rendersAll = drawing.nodes.length <= maxNodesFullyRendered;
  const [sight, setSight] = useState(nothing);
  const shown = useRef(sight);
  const frameSize = useRef<{ width: number; height: number } | null>(null);

  /** Renders the area that has come into view. */
  function render({ x, y, scale }: View): void {
    if (drawn.current.nodes.length <= maxNodesFullyRendered) return;
    const { width, height } = size();
    const seen: RenderedArea = {
      ...{ initialView: -x / scale, top: -y / scale, isFar: scale < minLegibleScale },
      ...{ right: (width - x) / scale, bottom: (height - y) / scale },
    };
    if (covers(shown.current, seen)) return;
    const [beside, over] = [(overscan * width) / scale, (overscan * height) / scale];
    shown.current = {
      ...{ initialView: seen.initialView - beside, right: seen.right + beside, isFar: seen.isFar },
      ...{ top: seen.top - over, bottom: seen.bottom + over },
    };
    setSight(shown.current);
  }
  function apply(next: View, minScaleOfFit: number | null = null): void {
    view.current = next;
    fitted.current = minScaleOfFit;
    render(next);
    layer.current?.setAttribute(
      'transform',
      `translate(${next.x.toFixed(1)} ${next.y.toFixed(1)}) scale(${next.scale.toFixed(4)})`,
    );
    clearTimeout(idleTimer.current);
    idleTimer.current = setTimeout(() => {
      // The initial view is not saved, because it depends on the frame's size.
      const place = minScaleOfFit === minReadableScale ? null : centerPosition(next);
      if (place) onIdle(place);
    }, idleMs);
  }
  /** The node nearest to the center of the frame. */
  function centerPosition({ x, y, scale }: View): ViewPosition | null {
    const { width, height } = size();
    const middle = { x: (width / 2 - x) / scale, y: (height / 2 - y) / scale };
    const distance = (node: PlacedNode) =>
      Math.hypot(node.x + node.width / 2 - middle.x, node.y + node.height / 2 - middle.y);
    const [first, ...others] = drawn.current.nodes;
    if (!first || width === 0) return null;
    const nearest = others.reduce(
      (best, node) => (distance(node) < distance(best) ? node : best),
      first,
    );
    return { node: nearest.id, dx: middle.x - nearest.x, dy: middle.y - nearest.y, scale };
  }
  function viewAt({ node, dx, dy, scale }: ViewPosition): View | null {
    const nodeAtPosition = drawing.nodes.find(({ id }) => id === node);
    if (!nodeAtPosition) return null;
    const { width, height } = size();
    return {
      x: width / 2 - (nodeAtPosition.x + dx) * scale,
      y: height / 2 - (nodeAtPosition.y + dy) * scale,
      scale,
    };
  }
  /** The size of the frame, cached because measuring during a movement would force a layout. */
  function size() {
    frameSize.current ??= {
      width: frame.current?.clientWidth ?? 0,
      height: frame.current?.clientHeight ?? 0,
    };
    return frameSize.current;
  }
  /** Fits the map, at no smaller a scale than `least`. */
  function fit(minScaleOfFit: number): void {
    apply(fittedView(minScaleOfFit), minScaleOfFit);
  }
  function fittedView(minScaleOfFit: number): View {
    const map = drawn.current;
    const { width, height: all } = size();
    const height = all - toolbarHeight;
    const fitScale = Math.min(width / map.width, height / map.height, 1);
    const scale = Math.max(fitScale, minScaleOfFit);
    const root = map.nodes[0];
    const centered = (width - map.width * scale) / 2;
    if (!root || scale === fitScale) {
      return { x: centered, y: toolbarHeight + (height - map.height * scale) / 2, scale };
    }
    // A map that does not fit starts at its root: centered, or at the start edge of the reading direction.
    const fitsVertically = map.height * scale <= height;
    const y = fitsVertically
      ? toolbarHeight + (height - map.height * scale) / 2
      : all / 2 - (root.y + root.height / 2) * scale;
    const hasBothSides = map.nodes.some(({ side }) => side !== root.side);
    if (hasBothSides && width > 700)
      return { x: width / 2 - (root.x + root.width / 2) * scale, y, scale };
    if (map.width * scale <= width) return { x: centered, y, scale };
    const x =
      root.side === 'right'
        ? revealMargin - root.x * scale
        : width - revealMargin - (root.x + root.width) * scale;
    return { x, y, scale };
  }
  /** Moves the view by the minimum distance that shows a node. */
  function reveal(node: PlacedNode): void {
    const now = view.current;
    if (!now) return;
    const { width, height } = size();
    const shortfall = (start: number, length: number, all: number) => {
      const end = start + length;
      if (start < revealMargin || length > all - 2 * revealMargin) return revealMargin - start;
      return end > all - revealMargin ? all - revealMargin - end : 0;
    };
    const dx = shortfall(now.x + node.x * now.scale, node.width * now.scale, width);
    const dy = shortfall(now.y + node.y * now.scale, node.height * now.scale, height);
    if (dx !== 0 || dy !== 0) apply({ ...now, x: now.x + dx, y: now.y + dy });
  }
  /** Keeps the center in place and the anchored node in view after a resize. */
  function resize(): void {
    const before = size();
    frameSize.current = null;
    const { width, height } = size();
    const now = view.current;
    if (!now || width === 0) {
      // A width of zero means that the frame is hidden. It will reappear at the previous size.
      frameSize.current = before;
      return;
    }
    const [dx, dy] = [(width - before.width) / 2, (height - before.height) / 2];
    if (dx === 0 && dy === 0) return;
    if (fitted.current === null) apply({ ...now, x: now.x + dx, y: now.y + dy });
    else fit(fitted.current);
    const anchoredNode = drawn.current.nodes.find(({ id }) => id === anchor.current);
    if (anchoredNode) reveal(anchoredNode);
  }
  /** Zooms around a point of the frame, by default its center. */
  function zoom(factor: number, at?: { x: number; y: number }): void {
    const now = view.current;
    if (!now) return;
    const { width, height } = size();
    const { x, y } = at ?? { x: width / 2, y: height / 2 };
    const scale = Math.min(maxScale, Math.max(minScale, now.scale * factor));
    const ratio = scale / now.scale;
    apply({ x: x - (x - now.x) * ratio, y: y - (y - now.y) * ratio, scale });
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the frame exists.
  useLayoutEffect(() => {
    const left = initialPosition && viewAt(initialPosition);
    if (left) apply(left);
    else fit(minReadableScale);
    return () => clearTimeout(idleTimer.current);
  }, []);
  // Keeps the anchored node in place when the map changes.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new drawing moves nodes.
  useLayoutEffect(() => {
    const find = (where: Drawing, id: string | null) => where.nodes.find((node) => node.id === id);
    const before = find(drawn.current, anchored) ?? drawn.current.nodes[0];
    const after = before && find(drawing, before.id);
    const now = view.current;
    drawn.current = drawing;
    if (!now) return;
    const dx = before && after ? (before.x - after.x) * now.scale : 0;
    const dy = before && after ? (before.y - after.y) * now.scale : 0;
    if (dx !== 0 || dy !== 0) apply({ ...now, x: now.x + dx, y: now.y + dy }, fitted.current);
    else render(now);
  }, [drawing]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it reads current values.
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const sized = new ResizeObserver(resize);
    sized.observe(element);
    return () => sized.disconnect();
  }, []);
  // React's wheel listeners are passive and can't prevent scrolling.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it reads current values.
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      const now = view.current;
      if (!now) return;
      const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
      if (event.shiftKey) {
        const by = (event.deltaX || event.deltaY) * lines;
        apply({ ...now, x: now.x - by });
        return;
      }
      const box = element.getBoundingClientRect();
      // Browsers report a touchpad pinch as wheel events with Control, in smaller steps.
      const strength = event.ctrlKey ? 4 : 1;
      const at = { x: event.clientX - box.left, y: event.clientY - box.top };
      zoom(Math.exp(-event.deltaY * lines * wheelStep * strength), at);
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, []);

  return {
    frame,
    layer,
    /** The area to render. */
    sight: rendersAll ? everything : sight,
    zoom,
    larger: () => zoom(buttonStep),
    smaller: () => zoom(1 / buttonStep),
    fit: () => fit(minScale),
    pan(dx: number, dy: number): void {
      const now = view.current;
      if (now) apply({ ...now, x: now.x + dx, y: now.y + dy });
    },
    reveal,
    /** Converts a point of the window to the drawing. */
    toDrawing(clientX: number, clientY: number): { x: number; y: number } {
      const box = frame.current?.getBoundingClientRect();
      const now = view.current;
      if (!box || !now) return { x: 0, y: 0 };
      return {
        x: (clientX - box.left - now.x) / now.scale,
        y: (clientY - box.top - now.y) / now.scale,
      };
    },
  };
}
export type MapView = ReturnType<typeof useView>;
