import { findPath, type MindMapBranch } from './tree.ts';

/** Edits mind maps. Each function returns a new tree, or the same tree if nothing changed. */

/** Updates the node with the given ID. */
function updateNode(
  tree: MindMapBranch,
  id: string,
  update: (branch: MindMapBranch) => MindMapBranch,
): MindMapBranch {
  if (tree.id === id) return update(tree);
  let hasChanged = false;
  const children = tree.children.map((branch) => {
    const next = updateNode(branch, id, update);
    hasChanged ||= next !== branch;
    return next;
  });
  return hasChanged ? { ...tree, children } : tree;
}

export function rename(tree: MindMapBranch, id: string, topic: string): MindMapBranch {
  return updateNode(tree, id, (branch) => (branch.topic === topic ? branch : { ...branch, topic }));
}

/**
 * Inserts a subtree under a node.
 * @param place index among the node's children; last by default
 */
export function insert(
  tree: MindMapBranch,
  parent: string,
  branch: MindMapBranch,
  place = Number.POSITIVE_INFINITY,
): MindMapBranch {
  return updateNode(tree, parent, (node) => ({
    ...node,
    children: [...node.children.slice(0, place), branch, ...node.children.slice(place)],
  }));
}

/** Removes a node and its subtree. The root can't be removed. */
export function removeBranch(tree: MindMapBranch, id: string): MindMapBranch {
  const [, parent] = findPath(tree, id).toReversed();
  if (!parent) return tree;
  return updateNode(tree, parent.id, (node) => ({
    ...node,
    children: node.children.filter((branch) => branch.id !== id),
  }));
}

/** The position of a node: its parent, and its index among the siblings. */
export type Spot = { readonly parent: string; readonly place: number };

/** Returns the position of a node, or null for the root. */
export function findSpot(tree: MindMapBranch, id: string): Spot | null {
  const [, parent] = findPath(tree, id).toReversed();
  if (!parent) return null;
  return { parent: parent.id, place: parent.children.findIndex((branch) => branch.id === id) };
}

/**
 * Moves a node and its subtree. Has no effect if the target is inside that subtree or is the current position.
 * @param place index among the new siblings, not counting the node itself; last by default
 */
export function move(
  tree: MindMapBranch,
  id: string,
  parent: string,
  place?: number,
): MindMapBranch {
  const path = findPath(tree, parent);
  const branch = findPath(tree, id).at(-1);
  if (path.length === 0 || !branch || branch === tree || path.some((node) => node.id === id))
    return tree;
  const pruned = removeBranch(tree, id);
  const others = findPath(pruned, parent).at(-1)?.children.length ?? 0;
  const spot = findSpot(tree, id);
  if (spot?.parent === parent && spot.place === Math.min(place ?? others, others)) return tree;
  return insert(pruned, parent, branch, place);
}

/** Moves a node one step: among its siblings, into the previous sibling, or out to its parent's level. */
export function moveByStep(
  tree: MindMapBranch,
  id: string,
  direction: 'up' | 'down' | 'in' | 'out',
): MindMapBranch {
  const spot = findSpot(tree, id);
  if (!spot) return tree;
  const siblings = findPath(tree, spot.parent).at(-1)?.children ?? [];
  switch (direction) {
    case 'up':
      return spot.place > 0 ? move(tree, id, spot.parent, spot.place - 1) : tree;
    case 'down':
      return spot.place < siblings.length - 1 ? move(tree, id, spot.parent, spot.place + 1) : tree;
    case 'in': {
      const previousSibling = siblings[spot.place - 1];
      return previousSibling ? move(tree, id, previousSibling.id) : tree;
    }
    case 'out': {
      const parentSpot = findSpot(tree, spot.parent);
      return parentSpot ? move(tree, id, parentSpot.parent, parentSpot.place + 1) : tree;
    }
  }
}
