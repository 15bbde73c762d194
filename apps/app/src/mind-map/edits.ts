import { pathTo, type Twig } from './tree.ts';

/** Edits of a mind map. Each returns a new tree, or the same one if nothing changed. */

/** Updates one node, anywhere in the tree. */
function change(tree: Twig, id: string, how: (twig: Twig) => Twig): Twig {
  if (tree.id === id) return how(tree);
  let changed = false;
  const twigs = tree.twigs.map((twig) => {
    const next = change(twig, id, how);
    changed ||= next !== twig;
    return next;
  });
  return changed ? { ...tree, twigs } : tree;
}

export function rename(tree: Twig, id: string, topic: string): Twig {
  return change(tree, id, (twig) => (twig.topic === topic ? twig : { ...twig, topic }));
}

/** Inserts a subtree under a node, at an index among its children; last by default. */
export function insert(
  tree: Twig,
  parent: string,
  twig: Twig,
  place = Number.POSITIVE_INFINITY,
): Twig {
  return change(tree, parent, (node) => ({
    ...node,
    twigs: [...node.twigs.slice(0, place), twig, ...node.twigs.slice(place)],
  }));
}

/** Removes a node with its subtree. The root cannot be removed. */
export function prune(tree: Twig, id: string): Twig {
  const [, parent] = pathTo(tree, id).toReversed();
  if (!parent) return tree;
  return change(tree, parent.id, (node) => ({
    ...node,
    twigs: node.twigs.filter((twig) => twig.id !== id),
  }));
}

/** The position of a node: its parent and its index among the siblings. */
export type Spot = { readonly parent: string; readonly place: number };

/** The position of a node; null for the root. */
export function spotOf(tree: Twig, id: string): Spot | null {
  const [, parent] = pathTo(tree, id).toReversed();
  if (!parent) return null;
  return { parent: parent.id, place: parent.twigs.findIndex((twig) => twig.id === id) };
}

/**
 * Moves a node with its subtree. Moving it into itself or its own subtree, or to where it already is, changes
 * nothing.
 * @param place index among the new siblings, not counting the node; last by default
 */
export function move(tree: Twig, id: string, parent: string, place?: number): Twig {
  const path = pathTo(tree, parent);
  const twig = pathTo(tree, id).at(-1);
  if (path.length === 0 || !twig || twig === tree || path.some((node) => node.id === id))
    return tree;
  const rest = prune(tree, id);
  const others = pathTo(rest, parent).at(-1)?.twigs.length ?? 0;
  const spot = spotOf(tree, id);
  if (spot?.parent === parent && spot.place === Math.min(place ?? others, others)) return tree;
  return insert(rest, parent, twig, place);
}

/** Moves a node by one step: among its siblings, into the previous sibling, or out beside its parent. */
export function step(tree: Twig, id: string, way: 'up' | 'down' | 'in' | 'out'): Twig {
  const spot = spotOf(tree, id);
  if (!spot) return tree;
  const siblings = pathTo(tree, spot.parent).at(-1)?.twigs ?? [];
  switch (way) {
    case 'up':
      return spot.place > 0 ? move(tree, id, spot.parent, spot.place - 1) : tree;
    case 'down':
      return spot.place < siblings.length - 1 ? move(tree, id, spot.parent, spot.place + 1) : tree;
    case 'in': {
      const before = siblings[spot.place - 1];
      return before ? move(tree, id, before.id) : tree;
    }
    case 'out': {
      const above = spotOf(tree, spot.parent);
      return above ? move(tree, id, above.parent, above.place + 1) : tree;
    }
  }
}
