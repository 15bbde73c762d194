import { type Twig, wayTo } from './tree.ts';

/** What an owner may do to a mind map. Each gives the whole tree anew, or the same where nothing changes. */

/** Changes one node, wherever it is. */
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

/** Hangs a twig on a node, at a place among what hangs there; last unless given. */
export function hang(
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

/** Takes a node away with everything on it. The root stays. */
export function prune(tree: Twig, id: string): Twig {
  const [, parent] = wayTo(tree, id).toReversed();
  if (!parent) return tree;
  return change(tree, parent.id, (node) => ({
    ...node,
    twigs: node.twigs.filter((twig) => twig.id !== id),
  }));
}

/** Where a node hangs: on what, and as the how-manieth. */
export type Spot = { readonly parent: string; readonly place: number };

/** The spot of a node; null for the root. */
export function spotOf(tree: Twig, id: string): Spot | null {
  const [, parent] = wayTo(tree, id).toReversed();
  if (!parent) return null;
  return { parent: parent.id, place: parent.twigs.findIndex((twig) => twig.id === id) };
}

/**
 * Moves a node with everything on it. Nothing moves onto itself, or onto what hangs on it; where it is
 * already it stays.
 * @param place among what hangs there without it; last unless given
 */
export function move(tree: Twig, id: string, parent: string, place?: number): Twig {
  const way = wayTo(tree, parent);
  const twig = wayTo(tree, id).at(-1);
  if (way.length === 0 || !twig || twig === tree || way.some((node) => node.id === id)) return tree;
  const rest = prune(tree, id);
  const others = wayTo(rest, parent).at(-1)?.twigs.length ?? 0;
  const spot = spotOf(tree, id);
  if (spot?.parent === parent && spot.place === Math.min(place ?? others, others)) return tree;
  return hang(rest, parent, twig, place);
}

/** Moves a node by one place: among its siblings, onto the one before it, or out beside its parent. */
export function step(tree: Twig, id: string, way: 'up' | 'down' | 'in' | 'out'): Twig {
  const spot = spotOf(tree, id);
  if (!spot) return tree;
  const siblings = wayTo(tree, spot.parent).at(-1)?.twigs ?? [];
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
