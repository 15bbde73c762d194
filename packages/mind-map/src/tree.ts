import type { MindNode } from '@linnet/contract';

/** A mind map node with its descendants. */
export type MindMapBranch = {
  readonly id: string;
  readonly topic: string;
  /** The source in the transcript, with `time` in seconds, or null for nodes added by the user. */
  readonly source: { readonly paragraph: string; readonly time: number | null } | null;
  readonly children: readonly MindMapBranch[];
};

/**
 * Builds the tree from a list of nodes. Returns null if the list is empty. The list may come from another program, so
 * orphans and nodes in cycles are attached to the root.
 */
export function buildTree(nodes: readonly MindNode[]): MindMapBranch | null {
  const root = nodes.find(({ parentid }) => parentid === '') ?? nodes[0];
  if (!root) return null;
  const byParent = Map.groupBy(
    nodes.filter((node) => node !== root),
    ({ parentid }) => parentid,
  );
  const seenIds = new Set<string>([root.id]);
  const build = (node: MindNode): MindMapBranch => {
    const children: MindMapBranch[] = [];
    for (const child of byParent.get(node.id) ?? []) {
      if (seenIds.has(child.id)) continue;
      seenIds.add(child.id);
      children.push(build(child));
    }
    return toBranch(node, children);
  };
  const tree = build(root);
  const detached: MindMapBranch[] = [];
  for (const node of nodes) {
    if (seenIds.has(node.id)) continue;
    seenIds.add(node.id);
    detached.push(build(node));
  }
  return detached.length > 0 ? { ...tree, children: [...tree.children, ...detached] } : tree;
}

function toBranch(
  { id, topic, paragraph_id, start_time }: MindNode,
  children: readonly MindMapBranch[],
): MindMapBranch {
  const source = paragraph_id ? { paragraph: paragraph_id, time: start_time ?? null } : null;
  return { id, topic, source, children };
}

/** Flattens a tree into a list of nodes, parents first, siblings in order. */
export function flattenTree(tree: MindMapBranch, parentid = ''): MindNode[] {
  const { id, topic, source, children } = tree;
  const origin = source && {
    paragraph_id: source.paragraph,
    ...(source.time !== null && { start_time: source.time }),
  };
  return [
    { id, parentid, topic, ...origin },
    ...children.flatMap((branch) => flattenTree(branch, id)),
  ];
}

/** Returns the number of nodes, including the root. */
export function countNodes(tree: MindMapBranch): number {
  return tree.children.reduce((sum, branch) => sum + countNodes(branch), 1);
}

/** Returns the path from the root to a node, including both, or an empty path if the node isn't in the tree. */
export function findPath(tree: MindMapBranch, id: string): MindMapBranch[] {
  if (tree.id === id) return [tree];
  for (const branch of tree.children) {
    const path = findPath(branch, id);
    if (path.length > 0) return [tree, ...path];
  }
  return [];
}
