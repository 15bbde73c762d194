import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Drawing, PlacedNode } from '../../../mind-map/layout.ts';
import type { Place } from './saved-view.ts';

/** Limits of the scale. */
const smallest = 0.05;
const largest = 2.5;
/** The smallest scale with readable text. A map starts no smaller, even if it does not fit. */
const readable = 0.6;
/** Zoom factor of a button press and of a wheel step. */
const buttonStep = 1.3;
const wheelStep = 0.0018;
/** Height of the buttons at the top, in pixels. */
const buttons = 60;
/** Margin around a revealed node, in pixels. */
const margin = 24;
/** Time without movement after which the view is saved, in milliseconds. */
const stillMs = 150;

/** Maps with no more nodes than this are always fully rendered. */
const drawnWhole = 60;
/**
 * Margin rendered around the viewport, as a fraction of its size; more is rendered once the view moves beyond
 * it.
 */
const around = 0.5;
/** At smaller scales, text is illegible and is drawn as lines. */
const legible = 0.17;

type View = { x: number; y: number; scale: number };
/** The rendered area of a map, in pixels of the drawing. */
export type Sight = {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  /** Scaled down so far that text is drawn as lines. */
  readonly far: boolean;
};
const everything: Sight = {
  ...{ left: -Infinity, top: -Infinity, right: Infinity, bottom: Infinity, far: false },
};
const nothing: Sight = { left: 0, top: 0, right: 0, bottom: 0, far: false };

/** Whether the rendered area covers the visible one without being much larger. */
function holds(drawn: Sight, seen: Sight): boolean {
  const within =
    drawn.left <= seen.left &&
    drawn.top <= seen.top &&
    drawn.right >= seen.right &&
    drawn.bottom >= seen.bottom;
  const most = 2 * (1 + 2 * around) * (seen.right - seen.left);
  return within && drawn.far === seen.far && drawn.right - drawn.left <= most;
}

/**
 * The view of a map. It is moved and scaled outside React, to follow the finger. When the frame is resized,
 * for example by rotating a phone, the view keeps its place; a map that was merely fitted is fitted again.
 * @param anchored the node that stays in view, and its position, while others move
 * @param from the initial view; the start of the map by default
 * @param onStill called when the view comes to rest
 */
export function useView(
  drawing: Drawing,
  anchored: string | null,
  from: Place | null,
  onStill: (place: Place) => void,
) {
  const frame = useRef<HTMLDivElement>(null);
  const layer = useRef<SVGGElement>(null);
  const view = useRef<View | null>(null);
  /** The minimum scale at which it was fitted, unless the view was moved otherwise. */
  const fitted = useRef<number | null>(null);
  const drawn = useRef(drawing);
  const anchor = useRef(anchored);
  anchor.current = anchored;
  const still = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const all = drawing.nodes.length <= drawnWhole;
  const [sight, setSight] = useState(nothing);
  const shown = useRef(sight);
  const frameSize = useRef<{ width: number; height: number } | null>(null);

  /** Renders the area that has come into view. */
  function render({ x, y, scale }: View): void {
    if (drawn.current.nodes.length <= drawnWhole) return;
    const { width, height } = size();
    const seen: Sight = {
      ...{ left: -x / scale, top: -y / scale, far: scale < legible },
      ...{ right: (width - x) / scale, bottom: (height - y) / scale },
    };
    if (holds(shown.current, seen)) return;
    const [beside, over] = [(around * width) / scale, (around * height) / scale];
    shown.current = {
      ...{ left: seen.left - beside, right: seen.right + beside, far: seen.far },
      ...{ top: seen.top - over, bottom: seen.bottom + over },
    };
    setSight(shown.current);
  }
  function apply(next: View, least: number | null = null): void {
    view.current = next;
    fitted.current = least;
    render(next);
    layer.current?.setAttribute(
      'transform',
      `translate(${next.x.toFixed(1)} ${next.y.toFixed(1)}) scale(${next.scale.toFixed(4)})`,
    );
    clearTimeout(still.current);
    still.current = setTimeout(() => {
      // At the start of the map there is nothing to save: in a frame of another size, the start is elsewhere.
      const place = least === readable ? null : placeOf(next);
      if (place) onStill(place);
    }, stillMs);
  }
  /** The node nearest to the center of the frame. */
  function placeOf({ x, y, scale }: View): Place | null {
    const { width, height } = size();
    const middle = { x: (width / 2 - x) / scale, y: (height / 2 - y) / scale };
    const away = (node: PlacedNode) =>
      Math.hypot(node.x + node.width / 2 - middle.x, node.y + node.height / 2 - middle.y);
    const [first, ...others] = drawn.current.nodes;
    if (!first || width === 0) return null;
    const near = others.reduce((best, node) => (away(node) < away(best) ? node : best), first);
    return { node: near.id, dx: middle.x - near.x, dy: middle.y - near.y, scale };
  }
  function viewAt({ node, dx, dy, scale }: Place): View | null {
    const near = drawing.nodes.find(({ id }) => id === node);
    if (!near) return null;
    const { width, height } = size();
    return { x: width / 2 - (near.x + dx) * scale, y: height / 2 - (near.y + dy) * scale, scale };
  }
  /** The size of the frame. Cached, since measuring while the map moves would force a layout. */
  function size() {
    frameSize.current ??= {
      width: frame.current?.clientWidth ?? 0,
      height: frame.current?.clientHeight ?? 0,
    };
    return frameSize.current;
  }
  /** Fits the map, at no smaller a scale than `least`. */
  function fit(least: number): void {
    apply(fitting(least), least);
  }
  function fitting(least: number): View {
    const map = drawn.current;
    const { width, height: all } = size();
    const height = all - buttons;
    const whole = Math.min(width / map.width, height / map.height, 1);
    const scale = Math.max(whole, least);
    const root = map.nodes[0];
    const centred = (width - map.width * scale) / 2;
    if (!root || scale === whole) {
      return { x: centred, y: buttons + (height - map.height * scale) / 2, scale };
    }
    // A map that does not fit starts at its root: centered, or at the start of the reading direction.
    const low = map.height * scale <= height;
    const y = low
      ? buttons + (height - map.height * scale) / 2
      : all / 2 - (root.y + root.height / 2) * scale;
    const both = map.nodes.some(({ side }) => side !== root.side);
    if (both && width > 700) return { x: width / 2 - (root.x + root.width / 2) * scale, y, scale };
    if (map.width * scale <= width) return { x: centred, y, scale };
    const x =
      root.side === 'right'
        ? margin - root.x * scale
        : width - margin - (root.x + root.width) * scale;
    return { x, y, scale };
  }
  /** Moves the view by as little as it takes to show a node. */
  function reveal(node: PlacedNode): void {
    const now = view.current;
    if (!now) return;
    const { width, height } = size();
    const short = (start: number, length: number, all: number) => {
      const end = start + length;
      if (start < margin || length > all - 2 * margin) return margin - start;
      return end > all - margin ? all - margin - end : 0;
    };
    const dx = short(now.x + node.x * now.scale, node.width * now.scale, width);
    const dy = short(now.y + node.y * now.scale, node.height * now.scale, height);
    if (dx !== 0 || dy !== 0) apply({ ...now, x: now.x + dx, y: now.y + dy });
  }
  /** After a resize, the center stays in place and the anchored node in view. */
  function resize(): void {
    const before = size();
    frameSize.current = null;
    const { width, height } = size();
    const now = view.current;
    if (!now || width === 0) {
      // Zero width means that it is hidden; it will reappear unchanged.
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
    const scale = Math.min(largest, Math.max(smallest, now.scale * factor));
    const ratio = scale / now.scale;
    apply({ x: x - (x - now.x) * ratio, y: y - (y - now.y) * ratio, scale });
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the frame exists.
  useLayoutEffect(() => {
    const left = from && viewAt(from);
    if (left) apply(left);
    else fit(readable);
    return () => clearTimeout(still.current);
  }, []);
  // When the map changes, the anchored node stays in place.
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
  // React's wheel listeners are passive and could not prevent scrolling.
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
      // A touchpad pinch arrives as wheel events with Control, in smaller steps.
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
    sight: all ? everything : sight,
    zoom,
    larger: () => zoom(buttonStep),
    smaller: () => zoom(1 / buttonStep),
    fit: () => fit(smallest),
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
