import { type MindMapBranch, pathTo } from './tree.ts';

/** Edits of a mind map. Each returns a new tree, or the same one if nothing changed. */

/** Updates the node with this id. */
function change(
  tree: MindMapBranch,
  id: string,
  update: (branch: MindMapBranch) => MindMapBranch,
): MindMapBranch {
  if (tree.id === id) return update(tree);
  let changed = false;
  const children = tree.children.map((branch) => {
    const next = change(branch, id, update);
    changed ||= next !== branch;
    return next;
  });
  return changed ? { ...tree, children } : tree;
}

export function rename(tree: MindMapBranch, id: string, topic: string): MindMapBranch {
  return change(tree, id, (branch) => (branch.topic === topic ? branch : { ...branch, topic }));
}

/** Inserts a subtree under a node, at an index among its children; last by default. */
export function insert(
  tree: MindMapBranch,
  parent: string,
  branch: MindMapBranch,
  place = Number.POSITIVE_INFINITY,
): MindMapBranch {
  return change(tree, parent, (node) => ({
    ...node,
    children: [...node.children.slice(0, place), branch, ...node.children.slice(place)],
  }));
}

/** Removes a node with its subtree. The root cannot be removed. */
export function prune(tree: MindMapBranch, id: string): MindMapBranch {
  const [, parent] = pathTo(tree, id).toReversed();
  if (!parent) return tree;
  return change(tree, parent.id, (node) => ({
    ...node,
    children: node.children.filter((branch) => branch.id !== id),
  }));
}

/** The position of a node: its parent and its index among the siblings. */
export type Spot = { readonly parent: string; readonly place: number };

/** The position of a node; null for the root. */
export function spotOf(tree: MindMapBranch, id: string): Spot | null {
  const [, parent] = pathTo(tree, id).toReversed();
  if (!parent) return null;
  return { parent: parent.id, place: parent.children.findIndex((branch) => branch.id === id) };
}

/**
 * Moves a node with its subtree. Has no effect if the target is in that subtree or is the current position.
 * @param place index among the new siblings, not counting the node; last by default
 */
export function move(
  tree: MindMapBranch,
  id: string,
  parent: string,
  place?: number,
): MindMapBranch {
  const path = pathTo(tree, parent);
  const branch = pathTo(tree, id).at(-1);
  if (path.length === 0 || !branch || branch === tree || path.some((node) => node.id === id))
    return tree;
  const rest = prune(tree, id);
  const others = pathTo(rest, parent).at(-1)?.children.length ?? 0;
  const spot = spotOf(tree, id);
  if (spot?.parent === parent && spot.place === Math.min(place ?? others, others)) return tree;
  return insert(rest, parent, branch, place);
}

/** Moves a node by one step: among its siblings, into the previous sibling, or out beside its parent. */
export function step(
  tree: MindMapBranch,
  id: string,
  direction: 'up' | 'down' | 'in' | 'out',
): MindMapBranch {
  const spot = spotOf(tree, id);
  if (!spot) return tree;
  const siblings = pathTo(tree, spot.parent).at(-1)?.children ?? [];
  switch (direction) {
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
