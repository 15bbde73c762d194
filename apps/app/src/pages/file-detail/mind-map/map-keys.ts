import type { KeyboardEvent } from 'react';
import type { Drawing, PlacedNode } from '../../../mind-map/layout.ts';

/** A keyboard command. */
export type KeyCommand =
  | { readonly kind: 'choose'; readonly node: PlacedNode }
  | { readonly kind: 'fold'; readonly id: string }
  | { readonly kind: 'move'; readonly way: 'up' | 'down' | 'in' | 'out' }
  | { readonly kind: 'rename' | 'child' | 'sibling' | 'remove' | 'undo' };

/** Returns the command for a key, or null. Left and right are visual directions. */
export function keyCommand(
  event: KeyboardEvent,
  drawing: Drawing,
  chosen: string,
): KeyCommand | null {
  const { nodes } = drawing;
  const index = nodes.findIndex(({ id }) => id === chosen);
  const node = nodes[index];
  if (!node) return null;
  const choose = (found: PlacedNode | undefined): KeyCommand | null =>
    found ? { kind: 'choose', node: found } : null;
  const { key } = event;
  if ((event.ctrlKey || event.metaKey) && key.toLowerCase() === 'z') return { kind: 'undo' };
  if (event.ctrlKey || event.metaKey) return null;
  const sideways = key === 'ArrowLeft' || key === 'ArrowRight';
  const side = key === 'ArrowLeft' ? 'left' : 'right';
  if (event.altKey) {
    if (key === 'ArrowUp') return { kind: 'move', way: 'up' };
    if (key === 'ArrowDown') return { kind: 'move', way: 'down' };
    return sideways ? { kind: 'move', way: side === node.side ? 'in' : 'out' } : null;
  }
  if (sideways) {
    const outward = node.parent === null || side === node.side;
    if (!outward) return choose(nodes.find(({ id }) => id === node.parent));
    if (node.hidden > 0) return { kind: 'fold', id: node.id };
    const below = nodes.filter(({ parent }) => parent === node.id);
    return choose(below.find((each) => each.side === side));
  }
  switch (key) {
    case 'ArrowDown':
      return choose(nodes[index + 1]);
    case 'ArrowUp':
      return choose(nodes[index - 1]);
    case 'Home':
      return choose(nodes[0]);
    case 'End':
      return choose(nodes.at(-1));
    case ' ':
      return node.childCount > 0 && node.parent !== null ? { kind: 'fold', id: node.id } : null;
    case 'Enter':
      return { kind: event.shiftKey ? 'sibling' : 'rename' };
    case 'F2':
      return { kind: 'rename' };
    case 'Insert':
    case '+':
      return { kind: 'child' };
    case 'Delete':
    case 'Backspace':
      return { kind: 'remove' };
    default:
      return null;
  }
}
