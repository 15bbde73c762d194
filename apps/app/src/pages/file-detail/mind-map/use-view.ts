import type { Drawing, PlacedNode } from '@linnet/mind-map/layout';
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { ViewPosition } from './saved-view.ts';

/** Scale limits. */
const minScale = 0.05;
const maxScale = 2.5;
/** Zoom factor per button press, and exponent of the zoom factor per pixel of wheel movement. */
const buttonStep = 1.3;
const wheelStep = 0.0018;
/** Height of the buttons at the top, in pixels. */
const toolbarHeight = 60;
/** Margin around a revealed node, in pixels. */
const revealMargin = 24;
/** Idle time in milliseconds before the view is saved. */
const idleMs = 150;

/** Maps with at most this many nodes are always rendered in full. */
const maxNodesFullyRendered = 60;
/**
 * Margin rendered around the viewport, as a fraction of its size. The map is rendered again when the view leaves it.
 */
const overscan = 0.5;
/**
 * The smallest scale at which text is legible. Below it, text is drawn as lines. The initial view shows the entire map,
 * but never at a smaller scale.
 */
const minLegibleScale = 0.17;

type View = { x: number; y: number; scale: number };
/** The rendered area of a map, in drawing pixels. */
export type RenderedArea = {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  /** Whether the map is scaled down so far that text is drawn as lines. */
  readonly isFar: boolean;
};
const wholeArea: RenderedArea = {
  left: -Infinity,
  top: -Infinity,
  right: Infinity,
  bottom: Infinity,
  isFar: false,
};
const emptyArea: RenderedArea = { left: 0, top: 0, right: 0, bottom: 0, isFar: false };

/** Returns whether the rendered area covers the visible one without being much larger. */
function covers(rendered: RenderedArea, visible: RenderedArea): boolean {
  const isWithin =
    rendered.left <= visible.left &&
    rendered.top <= visible.top &&
    rendered.right >= visible.right &&
    rendered.bottom >= visible.bottom;
  const maxWidth = 2 * (1 + 2 * overscan) * (visible.right - visible.left);
  return isWithin && rendered.isFar === visible.isFar && rendered.right - rendered.left <= maxWidth;
}

/**
 * Manages a map's view. The map is moved and scaled outside React so that it follows the finger. When the frame is
 * resized, for example by rotating the phone, the view keeps its position. If the user hasn't moved the view since it
 * was fitted, it is fitted again to the new size.
 * @param anchored the node that keeps its position when the layout changes, and stays in view when the frame is resized
 * @param initialPosition the initial view; defaults to the start of the map
 * @param onIdle called when the view comes to rest
 */
export function useView(
  drawing: Drawing,
  anchored: string | null,
  initialPosition: ViewPosition | null,
  onIdle: (position: ViewPosition) => void,
) {
  const frame = useRef<HTMLDivElement>(null);
  const layer = useRef<SVGGElement>(null);
  const view = useRef<View | null>(null);
  /** The minimum scale of the last fit, or null once the user has moved the view. */
  const fittedScale = useRef<number | null>(null);
  const currentDrawing = useRef(drawing);
  const anchor = useRef(anchored);
  anchor.current = anchored;
  const idleTimer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const rendersAll = drawing.nodes.length <= maxNodesFullyRendered;
  const [renderedArea, setRenderedArea] = useState(emptyArea);
  const lastRenderedArea = useRef(renderedArea);
  const frameSize = useRef<{ width: number; height: number } | null>(null);

  /** Renders the visible area unless it is already rendered. */
  function renderVisibleArea({ x, y, scale }: View): void {
    if (currentDrawing.current.nodes.length <= maxNodesFullyRendered) return;
    const { width, height } = measureFrame();
    const visibleArea: RenderedArea = {
      left: -x / scale,
      top: -y / scale,
      isFar: scale < minLegibleScale,
      right: (width - x) / scale,
      bottom: (height - y) / scale,
    };
    if (covers(lastRenderedArea.current, visibleArea)) return;
    const horizontalMargin = (overscan * width) / scale;
    const verticalMargin = (overscan * height) / scale;
    lastRenderedArea.current = {
      left: visibleArea.left - horizontalMargin,
      right: visibleArea.right + horizontalMargin,
      isFar: visibleArea.isFar,
      top: visibleArea.top - verticalMargin,
      bottom: visibleArea.bottom + verticalMargin,
    };
    setRenderedArea(lastRenderedArea.current);
  }
  function applyView(newView: View, minScaleOfFit: number | null = null): void {
    view.current = newView;
    fittedScale.current = minScaleOfFit;
    renderVisibleArea(newView);
    layer.current?.setAttribute(
      'transform',
      `translate(${newView.x.toFixed(1)} ${newView.y.toFixed(1)}) scale(${newView.scale.toFixed(4)})`,
    );
    clearTimeout(idleTimer.current);
    idleTimer.current = setTimeout(() => {
      // The initial view isn't saved, because it depends on the frame's size.
      const position = minScaleOfFit === minLegibleScale ? null : centerPosition(newView);
      if (position) onIdle(position);
    }, idleMs);
  }
  /** Returns the view's position relative to the node nearest to the frame's center. */
  function centerPosition({ x, y, scale }: View): ViewPosition | null {
    const { width, height } = measureFrame();
    const center = { x: (width / 2 - x) / scale, y: (height / 2 - y) / scale };
    const distance = (node: PlacedNode) =>
      Math.hypot(node.x + node.width / 2 - center.x, node.y + node.height / 2 - center.y);
    const [first, ...others] = currentDrawing.current.nodes;
    if (!first || width === 0) return null;
    const nearest = others.reduce(
      (best, node) => (distance(node) < distance(best) ? node : best),
      first,
    );
    return { node: nearest.id, dx: center.x - nearest.x, dy: center.y - nearest.y, scale };
  }
  function viewAt({ node, dx, dy, scale }: ViewPosition): View | null {
    const nodeAtPosition = drawing.nodes.find(({ id }) => id === node);
    if (!nodeAtPosition) return null;
    const { width, height } = measureFrame();
    return {
      x: width / 2 - (nodeAtPosition.x + dx) * scale,
      y: height / 2 - (nodeAtPosition.y + dy) * scale,
      scale,
    };
  }
  /** Returns the frame's size, which is cached because measuring while moving would force a layout. */
  function measureFrame() {
    frameSize.current ??= {
      width: frame.current?.clientWidth ?? 0,
      height: frame.current?.clientHeight ?? 0,
    };
    return frameSize.current;
  }
  /** Fits the map into the frame, at a scale of at least `minScaleOfFit`. */
  function fit(minScaleOfFit: number): void {
    applyView(fittedView(minScaleOfFit), minScaleOfFit);
  }
  function fittedView(minScaleOfFit: number): View {
    const map = currentDrawing.current;
    const { width, height: frameHeight } = measureFrame();
    const height = frameHeight - toolbarHeight;
    const fitScale = Math.min(width / map.width, height / map.height, 1);
    const scale = Math.max(fitScale, minScaleOfFit);
    const root = map.nodes[0];
    const centered = (width - map.width * scale) / 2;
    if (!root || scale === fitScale) {
      return { x: centered, y: toolbarHeight + (height - map.height * scale) / 2, scale };
    }
    // A map that doesn't fit starts at its root: centered, or at the reading direction's start edge.
    const fitsVertically = map.height * scale <= height;
    const y = fitsVertically
      ? toolbarHeight + (height - map.height * scale) / 2
      : frameHeight / 2 - (root.y + root.height / 2) * scale;
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
  /** Moves the view by the minimum distance that reveals a node. */
  function reveal(node: PlacedNode): void {
    const current = view.current;
    if (!current) return;
    const { width, height } = measureFrame();
    const shortfall = (start: number, length: number, available: number) => {
      const end = start + length;
      if (start < revealMargin || length > available - 2 * revealMargin)
        return revealMargin - start;
      return end > available - revealMargin ? available - revealMargin - end : 0;
    };
    const dx = shortfall(current.x + node.x * current.scale, node.width * current.scale, width);
    const dy = shortfall(current.y + node.y * current.scale, node.height * current.scale, height);
    if (dx !== 0 || dy !== 0) applyView({ ...current, x: current.x + dx, y: current.y + dy });
  }
  /** After a resize, keeps the center in place and the anchored node in view. */
  function resize(): void {
    const previousSize = measureFrame();
    frameSize.current = null;
    const { width, height } = measureFrame();
    const current = view.current;
    if (!current || width === 0) {
      // A width of zero means that the frame is hidden. It will reappear at its previous size.
      frameSize.current = previousSize;
      return;
    }
    const dx = (width - previousSize.width) / 2;
    const dy = (height - previousSize.height) / 2;
    if (dx === 0 && dy === 0) return;
    if (fittedScale.current === null)
      applyView({ ...current, x: current.x + dx, y: current.y + dy });
    else fit(fittedScale.current);
    const anchoredNode = currentDrawing.current.nodes.find(({ id }) => id === anchor.current);
    if (anchoredNode) reveal(anchoredNode);
  }
  /** Zooms around a point in the frame, by default its center. */
  function zoom(factor: number, point?: { x: number; y: number }): void {
    const current = view.current;
    if (!current) return;
    const { width, height } = measureFrame();
    const { x, y } = point ?? { x: width / 2, y: height / 2 };
    const scale = Math.min(maxScale, Math.max(minScale, current.scale * factor));
    const ratio = scale / current.scale;
    applyView({ x: x - (x - current.x) * ratio, y: y - (y - current.y) * ratio, scale });
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, when the frame exists.
  useLayoutEffect(() => {
    const savedPosition = initialPosition && viewAt(initialPosition);
    if (savedPosition) applyView(savedPosition);
    else fit(minLegibleScale);
    return () => clearTimeout(idleTimer.current);
  }, []);
  // Keep the anchored node in place when the map changes.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only a new drawing moves nodes.
  useLayoutEffect(() => {
    const findNode = (map: Drawing, id: string | null) => map.nodes.find((node) => node.id === id);
    const previousNode =
      findNode(currentDrawing.current, anchored) ?? currentDrawing.current.nodes[0];
    const newNode = previousNode && findNode(drawing, previousNode.id);
    const current = view.current;
    currentDrawing.current = drawing;
    if (!current) return;
    const dx = previousNode && newNode ? (previousNode.x - newNode.x) * current.scale : 0;
    const dy = previousNode && newNode ? (previousNode.y - newNode.y) * current.scale : 0;
    if (dx !== 0 || dy !== 0)
      applyView({ ...current, x: current.x + dx, y: current.y + dy }, fittedScale.current);
    else renderVisibleArea(current);
  }, [drawing]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it reads current values.
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const observer = new ResizeObserver(resize);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  // React's wheel listeners are passive and can't prevent scrolling.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it reads current values.
  useEffect(() => {
    const element = frame.current;
    if (!element) return;
    const onWheel = (event: WheelEvent) => {
      event.preventDefault();
      const current = view.current;
      if (!current) return;
      const pixelsPerUnit = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
      if (event.shiftKey) {
        const deltaX = (event.deltaX || event.deltaY) * pixelsPerUnit;
        applyView({ ...current, x: current.x - deltaX });
        return;
      }
      const box = element.getBoundingClientRect();
      // Browsers report a touchpad pinch as wheel events with Control, in smaller steps.
      const sensitivity = event.ctrlKey ? 4 : 1;
      const point = { x: event.clientX - box.left, y: event.clientY - box.top };
      zoom(Math.exp(-event.deltaY * pixelsPerUnit * wheelStep * sensitivity), point);
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, []);

  return {
    frame,
    layer,
    /** The area to render. */
    renderedArea: rendersAll ? wholeArea : renderedArea,
    zoom,
    zoomIn: () => zoom(buttonStep),
    zoomOut: () => zoom(1 / buttonStep),
    fit: () => fit(minScale),
    panTo(dx: number, dy: number): void {
      const current = view.current;
      if (current) applyView({ ...current, x: current.x + dx, y: current.y + dy });
    },
    reveal,
    /** Converts a point in the window to drawing coordinates. */
    toDrawing(clientX: number, clientY: number): { x: number; y: number } {
      const box = frame.current?.getBoundingClientRect();
      const current = view.current;
      if (!box || !current) return { x: 0, y: 0 };
      return {
        x: (clientX - box.left - current.x) / current.scale,
        y: (clientY - box.top - current.y) / current.scale,
      };
    },
  };
}
export type MapView = ReturnType<typeof useView>;
