import { type PointerEvent, useRef, useState } from 'react';
import type { Drawing } from '../../../mind-map/layout.ts';
import type { MapView } from './use-view.ts';

/** Pointer movement in pixels that still counts as a tap. */
const tremble = 6;
/** How long a finger must rest on a node before dragging it, in milliseconds; sooner, it pans the map. */
const holdMs = 350;
/** Margin in pixels around a node that still counts as the node. */
const slop = 8;

/** The drop target of a dragged node: on a node, or beside it. */
export type Drop = { readonly id: string; readonly where: 'before' | 'on' | 'after' };
export type Carry = { readonly id: string; readonly drop: Drop | null };

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
  const hold = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const carried = useRef<Carry | null>(null);
  const [carry, setCarry] = useState<Carry | null>(null);

  const lift = (next: Carry | null) => {
    carried.current = next;
    setCarry(next);
  };
  function dropAt(x: number, y: number, id: string): Drop | null {
    const at = view.toDrawing(x, y);
    const below = new Set([id]);
    // Parents precede their children.
    for (const node of drawing.nodes) if (node.parent && below.has(node.parent)) below.add(node.id);
    const over = drawing.nodes.find(
      (node) =>
        !below.has(node.id) &&
        at.x >= node.x - slop &&
        at.x <= node.x + node.width + slop &&
        at.y >= node.y - slop &&
        at.y <= node.y + node.height + slop,
    );
    if (!over) return null;
    const part = (at.y - over.y) / over.height;
    if (over.parent === null || (part >= 0.3 && part <= 0.7)) return { id: over.id, where: 'on' };
    return { id: over.id, where: part < 0.3 ? 'before' : 'after' };
  }
  function end(event: PointerEvent): void {
    points.current.delete(event.pointerId);
    clearTimeout(hold.current);
    const began = press.current;
    const { current: carrying } = carried;
    if (carrying) {
      if (event.type === 'pointerup' && carrying.drop) on.drop(carrying.id, carrying.drop);
      lift(null);
    } else if (began && !began.moved && event.type === 'pointerup') {
      on.choose(began.id);
    }
    press.current = null;
  }

  return {
    carry,
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
        clearTimeout(hold.current);
        if (points.current.size > 1) {
          press.current = null;
          return;
        }
        const id = target.closest('[data-node]')?.getAttribute('data-node') ?? null;
        press.current = { x: event.clientX, y: event.clientY, id, moved: false };
        const movable = id !== null && id !== drawing.nodes[0]?.id;
        if (movable && event.pointerType !== 'mouse') {
          hold.current = setTimeout(() => {
            on.choose(id);
            lift({ id, drop: null });
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
        const began = press.current;
        const far = began && Math.hypot(now.x - began.x, now.y - began.y) > tremble;
        if (began && !began.moved && far) {
          began.moved = true;
          clearTimeout(hold.current);
          const root = drawing.nodes[0]?.id;
          if (event.pointerType === 'mouse' && began.id !== null && began.id !== root) {
            lift({ id: began.id, drop: null });
          }
        }
        const { current: carrying } = carried;
        if (carrying) {
          const drop = dropAt(now.x, now.y, carrying.id);
          const same = drop?.id === carrying.drop?.id && drop?.where === carrying.drop?.where;
          if (!same) lift({ id: carrying.id, drop });
        } else if (!began || began.moved) {
          view.pan(now.x - before.x, now.y - before.y);
        }
        if (!began || began.moved || carrying) points.current.set(event.pointerId, now);
      },
      onPointerUp: end,
      onPointerCancel: end,
    },
  };

  /** Pinch: the point between two fingers stays between them. */
  function pinch(
    before: { x: number; y: number },
    now: { x: number; y: number },
    other: { x: number; y: number },
  ): void {
    const box = view.frame.current?.getBoundingClientRect();
    const apart = Math.hypot(before.x - other.x, before.y - other.y);
    if (!box || apart === 0) return;
    const middle = { x: (now.x + other.x) / 2 - box.left, y: (now.y + other.y) / 2 - box.top };
    view.pan((now.x - before.x) / 2, (now.y - before.y) / 2);
    view.zoom(Math.hypot(now.x - other.x, now.y - other.y) / apart, middle);
  }
}
