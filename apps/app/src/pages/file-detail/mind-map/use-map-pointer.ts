import type { Drawing } from '@linnet/mind-map/layout';
import { type PointerEvent, useRef, useState } from 'react';
import type { MapView } from './use-view.ts';

/** Maximum pointer movement, in pixels, for a press to count as a tap. */
const tapTolerance = 6;
/** How long a finger must rest on a node before it can drag the node, in milliseconds. An earlier move pans the map. */
const holdMs = 350;
/** Margin of a node's drop area in pixels. */
const hitMargin = 8;

/** Where a dragged node would be dropped: onto a node, or beside it. */
export type Drop = { readonly id: string; readonly where: 'before' | 'on' | 'after' };
export type Drag = { readonly id: string; readonly drop: Drop | null };

/** Handles touch and mouse input: panning, pinching, and selecting and dragging nodes. */
export function useMapPointer(
  drawing: Drawing,
  view: MapView,
  on: {
    choose(id: string | null): void;
    fold(id: string): void;
    dropNode(id: string, drop: Drop): void;
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
    const point = view.toDrawing(x, y);
    const subtree = new Set([id]);
    // One pass is enough, because parents precede their children in the list.
    for (const node of drawing.nodes)
      if (node.parent && subtree.has(node.parent)) subtree.add(node.id);
    const targetNode = drawing.nodes.find(
      (node) =>
        !subtree.has(node.id) &&
        point.x >= node.x - hitMargin &&
        point.x <= node.x + node.width + hitMargin &&
        point.y >= node.y - hitMargin &&
        point.y <= node.y + node.height + hitMargin,
    );
    if (!targetNode) return null;
    const offset = (point.y - targetNode.y) / targetNode.height;
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
      if (event.type === 'pointerup' && dragging.drop) on.dropNode(dragging.id, dragging.drop);
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
        const isMovable = id !== null && id !== drawing.nodes[0]?.id;
        if (isMovable && event.pointerType !== 'mouse') {
          holdTimer.current = setTimeout(() => {
            on.choose(id);
            setDrag({ id, drop: null });
          }, holdMs);
        }
      },
      onPointerMove(event: PointerEvent): void {
        const previousPoints = points.current.get(event.pointerId);
        if (!previousPoints) return;
        const position = { x: event.clientX, y: event.clientY };
        if (points.current.size === 2) {
          const otherPointer = [...points.current].find(([id]) => id !== event.pointerId)?.[1];
          if (otherPointer) pinch(previousPoints, position, otherPointer);
          points.current.set(event.pointerId, position);
          return;
        }
        const start = press.current;
        const isDrag =
          start && Math.hypot(position.x - start.x, position.y - start.y) > tapTolerance;
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
          const drop = dropAt(position.x, position.y, dragging.id);
          const isSameTarget =
            drop?.id === dragging.drop?.id && drop?.where === dragging.drop?.where;
          if (!isSameTarget) setDrag({ id: dragging.id, drop });
        } else if (!start || start.moved) {
          view.panTo(position.x - previousPoints.x, position.y - previousPoints.y);
        }
        if (!start || start.moved || dragging) points.current.set(event.pointerId, position);
      },
      onPointerUp: end,
      onPointerCancel: end,
    },
  };

  /** Zooms around the midpoint of two fingers and pans with it. */
  function pinch(
    previousPosition: { x: number; y: number },
    position: { x: number; y: number },
    otherPointer: { x: number; y: number },
  ): void {
    const box = view.frame.current?.getBoundingClientRect();
    const distance = Math.hypot(
      previousPosition.x - otherPointer.x,
      previousPosition.y - otherPointer.y,
    );
    if (!box || distance === 0) return;
    const middle = {
      x: (position.x + otherPointer.x) / 2 - box.left,
      y: (position.y + otherPointer.y) / 2 - box.top,
    };
    view.panTo((position.x - previousPosition.x) / 2, (position.y - previousPosition.y) / 2);
    view.zoom(
      Math.hypot(position.x - otherPointer.x, position.y - otherPointer.y) / distance,
      middle,
    );
  }
}
