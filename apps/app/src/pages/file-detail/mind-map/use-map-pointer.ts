import { type PointerEvent, useRef, useState } from 'react';
import type { Drawing } from '../../../mind-map/layout.ts';
import type { MapView } from './use-view.ts';

/** Maximum pointer movement of a tap, in pixels. */
const tapTolerance = 6;
/** Long-press duration in milliseconds before a finger drags a node. An earlier movement pans the map. */
const holdMs = 350;
/** Margin of a node's drop area, in pixels. */
const hitMargin = 8;

/** The drop target of a dragged node: on a node, or beside it. */
export type Drop = { readonly id: string; readonly where: 'before' | 'on' | 'after' };
export type Drag = { readonly id: string; readonly drop: Drop | null };

/** Touch and mouse interaction: panning, pinching, selecting and dragging nodes. */
export function useMapPointer(
  drawing: Drawing,
  view: MapView,
  on: {
    choose(id: string | null): void;
    fold(id: string): void;
    drop(id: string, drop: Drop): void;
  },
) {
  const points = useRef(new Map<number, { x: number; y: number }>());
  const press = useRef<{ x: number; y: number; id: string | null; moved: boolean } | null>(null);
  const holdTimer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const currentDrag = useRef<Drag | null>(null);
  const [drag, setDragState] = useState<Drag | null>(null);

  const setDrag = (next: Drag | null) => {
    currentDrag.current = next;
    setDragState(next);
  };
  function dropAt(x: number, y: number, id: string): Drop | null {
    const at = view.toDrawing(x, y);
    const subtree = new Set([id]);
    // Parents precede their children.
    for (const node of drawing.nodes)
      if (node.parent && subtree.has(node.parent)) subtree.add(node.id);
    const targetNode = drawing.nodes.find(
      (node) =>
        !subtree.has(node.id) &&
        at.x >= node.x - hitMargin &&
        at.x <= node.x + node.width + hitMargin &&
        at.y >= node.y - hitMargin &&
        at.y <= node.y + node.height + hitMargin,
    );
    if (!targetNode) return null;
    const offset = (at.y - targetNode.y) / targetNode.height;
    if (targetNode.parent === null || (offset >= 0.3 && offset <= 0.7))
      return { id: targetNode.id, where: 'on' };
    return { id: targetNode.id, where: offset < 0.3 ? 'before' : 'after' };
  }
  function end(event: PointerEvent): void {
    points.current.delete(event.pointerId);
    clearTimeout(holdTimer.current);
    const start = press.current;
    const { current: dragging } = currentDrag;
    if (dragging) {
      if (event.type === 'pointerup' && dragging.drop) on.drop(dragging.id, dragging.drop);
      setDrag(null);
    } else if (start && !start.moved && event.type === 'pointerup') {
      on.choose(start.id);
    }
    press.current = null;
  }

  return {
    drag,
    handlers: {
      onPointerDown(event: PointerEvent): void {
        if (event.pointerType === 'mouse' && event.button !== 0) return;
        const target = event.target as Element;
        const foldable = target.closest('[data-fold]')?.getAttribute('data-fold');
        if (foldable) {
          on.fold(foldable);
          return;
        }
        event.currentTarget.setPointerCapture(event.pointerId);
        points.current.set(event.pointerId, { x: event.clientX, y: event.clientY });
        clearTimeout(holdTimer.current);
        if (points.current.size > 1) {
          press.current = null;
          return;
        }
        const id = target.closest('[data-node]')?.getAttribute('data-node') ?? null;
        press.current = { x: event.clientX, y: event.clientY, id, moved: false };
        const movable = id !== null && id !== drawing.nodes[0]?.id;
        if (movable && event.pointerType !== 'mouse') {
          holdTimer.current = setTimeout(() => {
            on.choose(id);
            setDrag({ id, drop: null });
          }, holdMs);
        }
      },
      onPointerMove(event: PointerEvent): void {
        const before = points.current.get(event.pointerId);
        if (!before) return;
        const now = { x: event.clientX, y: event.clientY };
        if (points.current.size === 2) {
          const other = [...points.current].find(([id]) => id !== event.pointerId)?.[1];
          if (other) pinch(before, now, other);
          points.current.set(event.pointerId, now);
          return;
        }
        const start = press.current;
        const isDrag = start && Math.hypot(now.x - start.x, now.y - start.y) > tapTolerance;
        if (start && !start.moved && isDrag) {
          start.moved = true;
          clearTimeout(holdTimer.current);
          const root = drawing.nodes[0]?.id;
          if (event.pointerType === 'mouse' && start.id !== null && start.id !== root) {
            setDrag({ id: start.id, drop: null });
          }
        }
        const { current: dragging } = currentDrag;
        if (dragging) {
          const drop = dropAt(now.x, now.y, dragging.id);
          const same = drop?.id === dragging.drop?.id && drop?.where === dragging.drop?.where;
          if (!same) setDrag({ id: dragging.id, drop });
        } else if (!start || start.moved) {
          view.pan(now.x - before.x, now.y - before.y);
        }
        if (!start || start.moved || dragging) points.current.set(event.pointerId, now);
      },
      onPointerUp: end,
      onPointerCancel: end,
    },
  };

  /** Zooms around the midpoint of two fingers and pans with it. */
  function pinch(
    before: { x: number; y: number },
    now: { x: number; y: number },
    other: { x: number; y: number },
  ): void {
    const box = view.frame.current?.getBoundingClientRect();
    const distance = Math.hypot(before.x - other.x, before.y - other.y);
    if (!box || distance === 0) return;
    const middle = { x: (now.x + other.x) / 2 - box.left, y: (now.y + other.y) / 2 - box.top };
    view.pan((now.x - before.x) / 2, (now.y - before.y) / 2);
    view.zoom(Math.hypot(now.x - other.x, now.y - other.y) / distance, middle);
  }
}
