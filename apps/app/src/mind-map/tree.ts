import type { MindNode } from '@linnet/contract';

/** A node of a mind map with its subtree. */
export type Twig = {
  readonly id: string;
  readonly topic: string;
  /** Where it was said; `time` in seconds. Null for nodes written by the user. */
  readonly source: { readonly paragraph: string; readonly time: number | null } | null;
  readonly twigs: readonly Twig[];
};

/**
 * Builds the tree from a list of nodes; null if there is no root. The list may come from another program, so
 * orphans and nodes in cycles are attached to the root rather than lost.
 */
export function treeOf(nodes: readonly MindNode[]): Twig | null {
  const root = nodes.find(({ parentid }) => parentid === '') ?? nodes[0];
  if (!root) return null;
  const below = Map.groupBy(
    nodes.filter((node) => node !== root),
    ({ parentid }) => parentid,
  );
  const seen = new Set<string>([root.id]);
  const grow = (node: MindNode): Twig => {
    const twigs: Twig[] = [];
    for (const child of below.get(node.id) ?? []) {
      if (seen.has(child.id)) continue;
      seen.add(child.id);
      twigs.push(grow(child));
    }
    return toTwig(node, twigs);
  };
  const tree = grow(root);
  const lost: Twig[] = [];
  for (const node of nodes) {
    if (seen.has(node.id)) continue;
    seen.add(node.id);
    lost.push(grow(node));
  }
  return lost.length > 0 ? { ...tree, twigs: [...tree.twigs, ...lost] } : tree;
}

function toTwig({ id, topic, paragraph_id, start_time }: MindNode, twigs: readonly Twig[]): Twig {
  const source = paragraph_id ? { paragraph: paragraph_id, time: start_time ?? null } : null;
  return { id, topic, source, twigs };
}

/** Flattens a tree into a list of nodes, parents first, siblings in order. */
export function nodesOf(tree: Twig, parentid = ''): MindNode[] {
  const { id, topic, source, twigs } = tree;
  const said = source && {
    paragraph_id: source.paragraph,
    ...(source.time !== null && { start_time: source.time }),
  };
  return [{ id, parentid, topic, ...said }, ...twigs.flatMap((twig) => nodesOf(twig, id))];
}

/** Number of nodes, including the root. */
export function sizeOf(tree: Twig): number {
  return tree.twigs.reduce((sum, twig) => sum + sizeOf(twig), 1);
}

/** The path from the root to a node, including both; empty if the node is not in the tree. */
export function pathTo(tree: Twig, id: string): Twig[] {
  if (tree.id === id) return [tree];
  for (const twig of tree.twigs) {
    const way = pathTo(twig, id);
    if (way.length > 0) return [tree, ...way];
  }
  return [];
}
