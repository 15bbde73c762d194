import type { Drawing, PlacedNode } from '@linnet/mind-map/layout';
import type { KeyboardEvent } from 'react';

/** A keyboard command. */
export type KeyCommand =
  | { readonly kind: 'choose'; readonly node: PlacedNode }
  | { readonly kind: 'fold'; readonly id: string }
  | { readonly kind: 'move'; readonly direction: 'up' | 'down' | 'in' | 'out' }
  | { readonly kind: 'rename' | 'child' | 'sibling' | 'remove' | 'undo' };

/** Returns the command for a key, or null. Left and right mean visual directions. */
export function keyCommand(
  event: KeyboardEvent,
  drawing: Drawing,
  selectedId: string,
): KeyCommand | null {
  const { nodes } = drawing;
  const index = nodes.findIndex(({ id }) => id === selectedId);
  const node = nodes[index];
  if (!node) return null;
  const select = (selected: PlacedNode | undefined): KeyCommand | null =>
    selected ? { kind: 'choose', node: selected } : null;
  const { key } = event;
  if ((event.ctrlKey || event.metaKey) && key.toLowerCase() === 'z') return { kind: 'undo' };
  if (event.ctrlKey || event.metaKey) return null;
  const isHorizontal = key === 'ArrowLeft' || key === 'ArrowRight';
  const side = key === 'ArrowLeft' ? 'left' : 'right';
  if (event.altKey) {
    if (key === 'ArrowUp') return { kind: 'move', direction: 'up' };
    if (key === 'ArrowDown') return { kind: 'move', direction: 'down' };
    return isHorizontal ? { kind: 'move', direction: side === node.side ? 'in' : 'out' } : null;
  }
  if (isHorizontal) {
    const isOutward = node.parent === null || side === node.side;
    if (!isOutward) return select(nodes.find(({ id }) => id === node.parent));
    if (node.hidden > 0) return { kind: 'fold', id: node.id };
    const children = nodes.filter(({ parent }) => parent === node.id);
    return select(children.find((each) => each.side === side));
  }
  switch (key) {
    case 'ArrowDown':
      return select(nodes[index + 1]);
    case 'ArrowUp':
      return select(nodes[index - 1]);
    case 'Home':
      return select(nodes[0]);
    case 'End':
      return select(nodes.at(-1));
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
